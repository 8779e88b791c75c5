package main

import (
	"bytes"
	"fmt"
	"io"
	"net/url"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/durachart/durachart/examples/internal/outputtest"
	"github.com/durachart/durachart/internal/mongotest"
)

// kills is how often the program is killed before it may finish.
const kills = 5

// TestKilledAndStartedAgain: the program dies by SIGKILL in the middle of its
// work, several times, each time a bit later; then it may finish; then the whole
// file is sent once more. The result is that of a run without any of this (P9).
func TestKilledAndStartedAgain(t *testing.T) {
	events, want := data(t)
	uri := withDatabase(t, mongotest.URI(t), mongotest.Database(t))
	binary := filepath.Join(t.TempDir(), "order")
	out, err := exec.Command("go", "build", "-o", binary, ".").CombinedOutput()
	require.NoError(t, err, "%s", out)

	for n := range kills {
		killAfter(t, binary, uri, events[:len(events)*(n+1)/(kills+1)])
	}
	for _, run := range []string{"after the kills", "sent again"} {
		cmd := exec.Command(binary, "-mongo", uri, "-in", "-", "-json")
		cmd.Stdin = strings.NewReader(events)
		var stderr bytes.Buffer
		cmd.Stderr = &stderr
		stdout, err := cmd.Output()
		require.NoError(t, err, "%s: %s", run, stderr.Bytes())
		assert.JSONEq(t, want, string(stdout), run)
	}
}

// killAfter starts the program and kills it when it has taken all of events from
// its standard input, which stays open. It cannot have finished then: it waits
// for more, and works on what it has read last.
func killAfter(t *testing.T, binary, uri, events string) {
	t.Helper()
	cmd := exec.Command(binary, "-mongo", uri, "-in", "-", "-json")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	stdin, err := cmd.StdinPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	_, err = io.WriteString(stdin, events)
	require.NoError(t, cmd.Process.Kill())
	_ = cmd.Wait() // says that it was killed
	require.NoError(t, err, "it ended before it was killed: %s", stderr.Bytes())
	require.False(t, cmd.ProcessState.Exited(), "it ended before it was killed: %s", stderr.Bytes())
}

// withDatabase returns uri with that database in its path.
func withDatabase(t *testing.T, uri, database string) string {
	t.Helper()
	u, err := url.Parse(uri)
	require.NoError(t, err)
	u.Path = fmt.Sprint("/", database)
	return u.String()
}

func TestTheSampleOnMongoDB(t *testing.T) {
	uri := withDatabase(t, mongotest.URI(t), mongotest.Database(t))
	stdout, stderr, err := program(t, "", "-mongo", uri)
	require.NoError(t, err, stderr)
	outputtest.Golden(t, "output.txt", stdout)
}
