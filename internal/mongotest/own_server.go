package mongotest

import (
	"context"
	"testing"

	"github.com/durachart/durachart/internal/mongotest/server"
)

// Start gives t a server of its own, for tests that kill it or need another one
// than the rest. It takes part only where the other MongoDB tests run.
func Start(t testing.TB, opts server.Options) *server.Server {
	t.Helper()
	URI(t)
	srv, err := server.Start(context.Background(), opts)
	if err != nil {
		t.Logf("a server of its own: %v", err)
		absent(t)
	}
	t.Cleanup(srv.Stop)
	return srv
}
