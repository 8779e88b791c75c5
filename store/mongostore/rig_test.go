package mongostore_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
	"go.mongodb.org/mongo-driver/v2/mongo/options"

	"github.com/durachart/durachart/internal/mongotest"
	"github.com/durachart/durachart/internal/testmain"
	"github.com/durachart/durachart/store"
	"github.com/durachart/durachart/store/mongostore"
)

func TestMain(m *testing.M) { testmain.Run(m) }

// rig is a database of its own, with what tests do to it behind the store's back.
type rig struct {
	database   string
	client     *mongo.Client // of the test
	standalone bool
	monitor    mongotest.Monitor
}

func newRig(tb testing.TB) *rig {
	tb.Helper()
	r := &rig{database: mongotest.Database(tb), client: mongotest.Connect(tb)}
	r.standalone = mongotest.Describe(tb, r.client).Standalone
	return r
}

// store opens a store over a client whose commands the rig counts, with its indexes.
func (r *rig) store(tb testing.TB, o mongostore.Options) *mongostore.Store {
	tb.Helper()
	s := r.bare(tb, o)
	require.NoError(tb, s.EnsureIndexes(tb.Context()))
	return s
}

// bare is store without indexes.
func (r *rig) bare(tb testing.TB, o mongostore.Options) *mongostore.Store {
	tb.Helper()
	o.Database = r.database
	s, err := mongostore.New(mongotest.Connect(tb, options.Client().SetMonitor(r.monitor.Events())), o)
	require.NoError(tb, err)
	tb.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		defer cancel()
		require.NoError(tb, s.Close(ctx))
	})
	return s
}

func (r *rig) collection(name string) *mongo.Collection {
	return r.client.Database(r.database).Collection(name)
}

// set changes an execution as no store would.
func (r *rig) set(tb testing.TB, id string, fields bson.D) {
	tb.Helper()
	res, err := r.collection("executions").UpdateByID(tb.Context(), id, bson.D{{Key: "$set", Value: fields}})
	require.NoError(tb, err)
	require.EqualValues(tb, 1, res.MatchedCount)
}

// wipe empties the collections that tests fill.
func (r *rig) wipe(tb testing.TB) {
	tb.Helper()
	for _, name := range []string{"executions", "dead_letters"} {
		_, err := r.collection(name).DeleteMany(tb.Context(), bson.D{})
		require.NoError(tb, err)
	}
	_, err := r.collection("shards").UpdateMany(tb.Context(), bson.D{}, bson.D{{Key: "$set", Value: bson.D{
		{Key: "owner", Value: ""}, {Key: "fence", Value: int64(0)}, {Key: "until", Value: time.UnixMilli(0)},
	}}})
	require.NoError(tb, err)
}

// ambiguousConcern is the read concern that D28 asks for after an ambiguous reply.
func (r *rig) ambiguousConcern() string {
	if r.standalone {
		return "local"
	}
	return "majority"
}

func (r *faultRig) load(tb testing.TB, id string) store.Execution {
	tb.Helper()
	x, err := r.plain.Load(tb.Context(), id)
	require.NoError(tb, err)
	return x
}

func (r *faultRig) held(tb testing.TB, owner string) []store.Lease {
	tb.Helper()
	survey, err := r.plain.Survey(tb.Context())
	require.NoError(tb, err)
	var held []store.Lease
	for _, l := range survey.Leases {
		if l.Owner == owner {
			held = append(held, l)
		}
	}
	return held
}

// noon is the date of the stories.
var noon = time.Date(2030, 1, 2, 12, 0, 0, 0, time.UTC)

func snapshot() store.Snapshot {
	return store.Snapshot{DefinitionVersion: "v1", Status: store.Running, Data: []byte(`{"n":1}`), EnteredAt: noon, Leaves: []string{"A"}}
}

func creation(id string) store.Creation {
	return store.Creation{Snapshot: snapshot(), ID: id, DefinitionID: "order", RequestID: "r:" + id, StartID: "s:" + id, Now: noon}
}

func commit(id string, version int64, handled ...string) store.Commit {
	return store.Commit{Snapshot: snapshot(), ID: id, Version: version, Handled: handled, Now: noon.Add(time.Minute)}
}

func push(id string, eventIDs ...string) store.Push {
	p := store.Push{ID: id, Now: noon}
	for _, e := range eventIDs {
		p.Entries = append(p.Entries, store.InboxEntry{ID: e, From: "test", Event: []byte(fmt.Sprintf(`{"id":%q}`, e))})
	}
	return p
}

// created and emitted make an execution; emitted gives it two outbox entries.
func created(id string) func(testing.TB, *faultRig) {
	return func(tb testing.TB, r *faultRig) {
		tb.Helper()
		require.NoError(tb, r.plain.Create(tb.Context(), creation(id)))
	}
}

func emitted(id string) func(testing.TB, *faultRig) {
	return func(tb testing.TB, r *faultRig) {
		tb.Helper()
		c := creation(id)
		c.Emits = []store.Emit{
			{TargetID: "y", ID: "m1", Event: []byte(`{}`)},
			{TargetID: "y", ID: "m2", Event: []byte(`{}`)},
		}
		require.NoError(tb, r.plain.Create(tb.Context(), c))
	}
}
