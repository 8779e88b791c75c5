package server_test

import (
	"context"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
	"go.mongodb.org/mongo-driver/v2/mongo/options"

	"github.com/durachart/durachart/internal/mongotest"
	"github.com/durachart/durachart/internal/mongotest/server"
)

func TestServerIsWhatWasAskedFor(t *testing.T) {
	for name, standalone := range map[string]bool{"replica set": false, "standalone": true} {
		t.Run(name, func(t *testing.T) {
			t.Setenv("TMPDIR", t.TempDir())
			srv := mongotest.Start(t, server.Options{Standalone: standalone})
			client := connect(t, srv.URI)
			assert.Equal(t, standalone, mongotest.Describe(t, client).Standalone)

			srv.Stop()
			srv.Stop()
			left, err := os.ReadDir(os.Getenv("TMPDIR"))
			require.NoError(t, err)
			assert.Empty(t, left, "the folder goes with the server")
		})
	}
}

// What a durable server has acknowledged is there after it was killed.
func TestDurableServerSurvivesAKill(t *testing.T) {
	ctx := context.Background()
	opts := server.Options{Durable: true, Dir: t.TempDir()}
	first := mongotest.Start(t, opts)
	coll := connect(t, first.URI).Database("kill").Collection("docs")
	const n = 50
	for i := range n {
		_, err := coll.InsertOne(ctx, bson.D{{Key: "_id", Value: i}})
		require.NoError(t, err)
	}
	first.Kill()

	second := mongotest.Start(t, opts)
	count, err := connect(t, second.URI).Database("kill").Collection("docs").CountDocuments(ctx, bson.D{})
	require.NoError(t, err)
	assert.EqualValues(t, n, count)
}

func connect(t *testing.T, uri string) *mongo.Client {
	t.Helper()
	client, err := mongo.Connect(options.Client().ApplyURI(uri))
	require.NoError(t, err)
	t.Cleanup(func() {
		// The server may be gone, and then the driver waits for one.
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		_ = client.Disconnect(ctx)
	})
	return client
}
