package main

import (
	"bytes"
	"context"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.mongodb.org/mongo-driver/v2/mongo"
	"go.mongodb.org/mongo-driver/v2/mongo/options"

	"github.com/durachart/durachart/internal/mongotest"
)

// A server that the variable names is used and not touched.
func TestRunUsesTheServerThatIsNamed(t *testing.T) {
	t.Setenv(uriVariable, "mongodb://example.invalid/")
	var out, errs bytes.Buffer
	code := run(context.Background(), []string{"--", "sh", "-c", "echo $" + uriVariable + "; exit 7"}, &out, &errs)
	assert.Equal(t, 7, code)
	assert.Equal(t, "mongodb://example.invalid/\n", out.String())
	assert.Empty(t, errs.String())
}

func TestRunRefusesUnknownFlags(t *testing.T) {
	var out, errs bytes.Buffer
	assert.Equal(t, 2, run(context.Background(), []string{"--nonsense"}, &out, &errs))
	assert.Contains(t, errs.String(), "usage: test-mongo")
	assert.Equal(t, 0, run(context.Background(), []string{"--help"}, &out, &errs))
}

// An interrupt ends the command, and then the server.
func TestRunStopsTheServerWhenInterrupted(t *testing.T) {
	mongotest.URI(t)
	t.Setenv(uriVariable, "")
	t.Setenv("TMPDIR", t.TempDir())
	reader, writer, err := os.Pipe()
	require.NoError(t, err)
	defer func() { _ = reader.Close() }()

	done := make(chan int)
	go func() { done <- run(context.Background(), nil, writer, &bytes.Buffer{}) }()
	line := make([]byte, 256)
	n, err := reader.Read(line)
	require.NoError(t, err)
	uri := strings.TrimSpace(string(line[:n]))
	require.NoError(t, ping(uri))

	require.NoError(t, syscall.Kill(os.Getpid(), syscall.SIGTERM))
	assert.Equal(t, 0, <-done)
	assert.Error(t, ping(uri))
	left, err := os.ReadDir(os.Getenv("TMPDIR"))
	require.NoError(t, err)
	assert.Empty(t, left)
}

func ping(uri string) error {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	client, err := mongo.Connect(options.Client().ApplyURI(uri))
	if err != nil {
		return err
	}
	defer func() { _ = client.Disconnect(context.Background()) }()
	return client.Ping(ctx, nil)
}
