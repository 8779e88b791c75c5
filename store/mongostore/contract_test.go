package mongostore_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
	"go.mongodb.org/mongo-driver/v2/mongo/options"

	"github.com/durachart/durachart/internal/mongotest"
	"github.com/durachart/durachart/store"
	"github.com/durachart/durachart/store/mongostore"
	"github.com/durachart/durachart/store/storetest"
)

// The contract, on whatever kind of server the tests run on (D75, P12).
func TestContract(t *testing.T) {
	t.Logf("server: %v", mongotest.Describe(t, mongotest.Connect(t)))
	storetest.Run(t, open(nil))
}

// Results do not depend on how many writes go together.
func TestContractWithBatchesOfOne(t *testing.T) {
	storetest.Run(t, open(func(o *mongostore.Options) { o.Limits.Statements = 1 }))
}

// open returns a harness for the contract suite, with a database per store.
func open(with func(*mongostore.Options)) storetest.Open {
	return func(tb testing.TB, o storetest.Options) storetest.Fixture {
		tb.Helper()
		r := newRig(tb)
		attach := func(tb testing.TB, o storetest.Options) store.Store {
			return r.store(tb, optionsOf(o, with))
		}
		s := r.store(tb, optionsOf(o, with))
		return storetest.Fixture{
			Store:    s,
			Attach:   attach,
			Commands: r.monitor.Total,
			Batches:  with == nil,
			MakeNewer: func(tb testing.TB, id string) {
				r.set(tb, id, bson.D{{Key: "format", Value: 99}})
			},
		}
	}
}

func optionsOf(o storetest.Options, with func(*mongostore.Options)) mongostore.Options {
	opts := mongostore.Options{Limits: o.Limits, Shards: o.Shards, Attributes: o.Attributes}
	if with != nil {
		with(&opts)
	}
	return opts
}

// rig is a database of its own with what tests do to it behind the store's back.
type rig struct {
	database string
	client   *mongo.Client // of the test
	monitor  mongotest.Monitor
}

func newRig(tb testing.TB) *rig {
	tb.Helper()
	return &rig{database: mongotest.Database(tb), client: mongotest.Connect(tb)}
}

// store opens a store over a client whose commands the rig counts.
func (r *rig) store(tb testing.TB, o mongostore.Options) *mongostore.Store {
	tb.Helper()
	o.Database = r.database
	s, err := mongostore.New(mongotest.Connect(tb, options.Client().SetMonitor(r.monitor.Events())), o)
	require.NoError(tb, err)
	tb.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		defer cancel()
		require.NoError(tb, s.Close(ctx))
	})
	require.NoError(tb, s.EnsureIndexes(tb.Context()))
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
