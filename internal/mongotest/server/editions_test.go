package server

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The real server comes first, a Docker client without an engine does not count,
// and the cached SecantusDB is taken without building anything.
func TestFindTakesTheMostTrustedServer(t *testing.T) {
	for _, tc := range []struct {
		name     string
		programs map[string]string
		want     string
	}{
		{"mongod before docker", map[string]string{"mongod": "exit 0", "docker": "exit 0"}, "mongod"},
		{"docker with an engine", map[string]string{"docker": "exit 0"}, "docker " + dockerImage},
		{"docker without an engine", map[string]string{"docker": "exit 1"}, "secantusd-rs"},
		{"nothing but the cache", nil, "secantusd-rs"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			path := t.TempDir()
			for name, body := range tc.programs {
				writeScript(t, filepath.Join(path, name), body)
			}
			cache := t.TempDir()
			writeScript(t, filepath.Join(cache, "durachart", "secantus", "bin", "secantusd-rs"), "exit 0")
			t.Setenv("PATH", path)
			t.Setenv("XDG_CACHE_HOME", cache)
			ed, err := find(context.Background(), io.Discard)
			require.NoError(t, err)
			assert.Equal(t, tc.want, ed.name)
		})
	}
}

func TestFindSaysWhatIsMissing(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	_, err := find(context.Background(), io.Discard)
	require.ErrorIs(t, err, errNoBuild)
	assert.ErrorContains(t, err, "no cargo")
	assert.ErrorContains(t, err, "no python3")
}

func TestArguments(t *testing.T) {
	set, _ := mongod("/bin/mongod").command(4711, "/data", Options{})
	assert.Equal(t, []string{"/bin/mongod", "--port", "4711", "--dbpath", "/data", "--replSet", replicaSet}, set.Args)
	alone, _ := mongod("/bin/mongod").command(4711, "/data", Options{Standalone: true, Auth: true})
	assert.Equal(t, []string{"/bin/mongod", "--port", "4711", "--dbpath", "/data", "--auth"}, alone.Args)

	durable, _ := secantusEdition("secantusd-rs", "/bin/s").command(4711, "/data", Options{Durable: true, Standalone: true})
	assert.Contains(t, durable.Args, "--sync-on-commit")
	assert.Contains(t, durable.Args, "--standalone")
	assert.Equal(t, "/data", durable.Dir, "it must not find a configuration file of the user's")
}

// A server that ends at once is an error, and its folder does not stay.
func TestStartReportsAServerThatEnds(t *testing.T) {
	path := t.TempDir()
	writeScript(t, filepath.Join(path, "mongod"), "exit 3")
	t.Setenv("PATH", path)
	t.Setenv("TMPDIR", t.TempDir())
	_, err := Start(context.Background(), Options{})
	require.ErrorContains(t, err, "exit status 3")
	left, err := os.ReadDir(os.Getenv("TMPDIR"))
	require.NoError(t, err)
	assert.Empty(t, left)
}

func writeScript(t *testing.T, path, body string) {
	t.Helper()
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
	require.NoError(t, os.WriteFile(path, []byte("#!/bin/sh\n"+body+"\n"), 0o755))
}
