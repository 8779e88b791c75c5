package mongostore_test

import (
	"testing"

	"go.mongodb.org/mongo-driver/v2/bson"

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
