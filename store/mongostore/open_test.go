package mongostore_test

import (
	"context"
	"errors"
	"net/url"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
	"go.mongodb.org/mongo-driver/v2/mongo/options"

	"github.com/durachart/durachart/internal/mongotest"
	"github.com/durachart/durachart/internal/mongotest/proxy"
	"github.com/durachart/durachart/internal/mongotest/server"
	"github.com/durachart/durachart/store"
	"github.com/durachart/durachart/store/mongostore"
)

// GE4: Open waits for a server that starts 3 s later.
func TestOpenWaitsForTheServer(t *testing.T) {
	p := proxy.Start(t, mongotest.URI(t))
	p.SetDown(true)
	start := time.Now()
	time.AfterFunc(3*time.Second, func() { p.SetDown(false) })
	s, err := mongostore.Open(t.Context(), p.URI(), mongostore.Options{})
	require.NoError(t, err)
	assert.GreaterOrEqual(t, time.Since(start), 3*time.Second)
	require.NoError(t, s.Close(t.Context()))
}

// GE4: ctx ends the wait.
func TestOpenEndsWithItsContext(t *testing.T) {
	p := proxy.Start(t, mongotest.URI(t))
	p.SetDown(true)
	ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer cancel()
	_, err := mongostore.Open(ctx, p.URI(), mongostore.Options{})
	require.ErrorIs(t, err, context.DeadlineExceeded)
	require.ErrorIs(t, err, store.ErrUnavailable)
}

// GE4: a wrong password ends it at once, and no error shows it. A user without
// rights opens, and is told by Ready.
func TestOpenWithCredentials(t *testing.T) {
	const secret = "s3cr3t/word"
	ctx := t.Context()
	dir := t.TempDir()
	first := mongotest.Start(t, server.Options{Dir: dir, Durable: true})
	withClient(t, first.URI, func(admin *mongo.Database) {
		for user, roles := range map[string]bson.A{
			"app":    {bson.D{{Key: "role", Value: "readWriteAnyDatabase"}, {Key: "db", Value: "admin"}}},
			"reader": {bson.D{{Key: "role", Value: "read"}, {Key: "db", Value: "durachart"}}},
		} {
			require.NoError(t, admin.RunCommand(ctx, bson.D{
				{Key: "createUser", Value: user}, {Key: "pwd", Value: secret}, {Key: "roles", Value: roles},
			}).Err())
		}
	})
	first.Stop()
	guarded := mongotest.Start(t, server.Options{Dir: dir, Durable: true, Auth: true})
	u, err := url.Parse(guarded.URI)
	require.NoError(t, err)
	uri := func(user, password string) string {
		text, err := mongostore.Settings{Hosts: []string{u.Host}, User: user, Password: password}.URI()
		require.NoError(t, err)
		return text
	}

	start := time.Now()
	_, err = mongostore.Open(ctx, uri("app", secret+"?"), mongostore.Options{})
	require.ErrorIs(t, err, store.ErrMisconfigured)
	assert.Less(t, time.Since(start), 5*time.Second)
	assert.NotContains(t, err.Error(), secret)

	s, err := mongostore.Open(ctx, uri("app", secret), mongostore.Options{})
	require.NoError(t, err)
	require.NoError(t, s.EnsureIndexes(ctx))
	_, err = s.Ready(ctx)
	require.NoError(t, err)
	require.NoError(t, s.Create(ctx, creation("x")))
	require.NoError(t, s.Close(ctx))

	s, err = mongostore.Open(ctx, uri("reader", secret), mongostore.Options{})
	require.NoError(t, err)
	_, err = s.Load(ctx, "x")
	require.NoError(t, err)
	err = s.Commit(ctx, commit("x", 1, "e"))
	require.ErrorIs(t, err, store.ErrMisconfigured)
	assert.Equal(t, store.DidNotHappen, store.OutcomeOf(err))
	require.NoError(t, s.Close(ctx))
}

func withClient(t *testing.T, uri string, do func(admin *mongo.Database)) {
	t.Helper()
	client, err := mongo.Connect(options.Client().ApplyURI(uri))
	require.NoError(t, err)
	do(client.Database("admin"))
	require.NoError(t, client.Disconnect(t.Context()))
}

// P11: what cannot work is refused before anything is asked, and shows no value.
func TestOpenRefuses(t *testing.T) {
	const secret = "s3cret"
	for uri, want := range map[string]error{
		"mongodb://u:" + secret + "@[::1/":  store.ErrInvalidArgument,
		"http://u:" + secret + "@h/":        store.ErrInvalidArgument,
		"mongodb://u:" + secret + "@h/?w=0": store.ErrMisconfigured,
	} {
		_, err := mongostore.Open(t.Context(), uri, mongostore.Options{})
		require.ErrorIs(t, err, want)
		assert.NotContains(t, err.Error(), secret)
	}
	_, err := mongostore.Open(t.Context(), "mongodb://h/", mongostore.Options{
		Shards: -1, Database: "a b", Prefix: "$", Attributes: []string{"a.b"}, Limits: store.Limits{Ring: 3},
	})
	require.ErrorIs(t, err, store.ErrInvalidArgument)
	for _, field := range []string{"Shards", "Database", "Prefix", "attribute", "Ring"} {
		assert.ErrorContains(t, err, field, "all mistakes at once")
	}
}

// GE3: after Close nothing is dialed, and an injected client still works.
func TestCloseLeavesTheClientOfTheCaller(t *testing.T) {
	r := newRig(t)
	client := mongotest.Connect(t, options.Client().SetMonitor(r.monitor.Events()))
	s, err := mongostore.New(client, mongostore.Options{Database: r.database})
	require.NoError(t, err)
	require.NoError(t, s.Create(t.Context(), creation("x")))
	require.NoError(t, s.Close(t.Context()))
	require.NoError(t, s.Close(t.Context()))
	r.monitor.Reset()
	_, err = s.Load(t.Context(), "x")
	require.ErrorIs(t, err, store.ErrClosed)
	require.ErrorIs(t, s.Watch(t.Context(), nil), store.ErrClosed)
	assert.Zero(t, r.monitor.Total())
	require.NoError(t, client.Ping(t.Context(), nil))
}

// Close waits for running calls, and ends a stream.
func TestCloseWaits(t *testing.T) {
	r := newFaultRig(t)
	created("x")(t, r)
	arrived, release := make(chan struct{}), make(chan struct{})
	r.proxy.On(1, proxy.Named("update", "executions"), proxy.Fault{Before: func() {
		close(arrived)
		<-release
	}})
	committed, watched := make(chan error, 1), make(chan error, 1)
	go func() { committed <- r.s.Commit(context.Background(), commit("x", 1, "e")) }()
	go func() { watched <- r.s.Watch(context.Background(), func(string) {}) }()
	<-arrived

	over, cancel := context.WithCancel(t.Context())
	cancel()
	closed := make(chan error, 1)
	go func() { closed <- r.s.Close(context.Background()) }()
	require.Eventually(t, func() bool {
		_, err := r.s.Load(over, "x")
		return errors.Is(err, store.ErrClosed)
	}, 5*time.Second, time.Millisecond)
	select {
	case err := <-closed:
		t.Fatalf("it did not wait: %v", err)
	default:
	}
	close(release)
	require.NoError(t, <-committed)
	require.NoError(t, <-closed)
	if err := <-watched; !errors.Is(err, store.ErrClosed) {
		require.ErrorIs(t, err, store.ErrUnsupported, "a standalone")
	}
}
