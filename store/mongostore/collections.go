package mongostore

import (
	"go.mongodb.org/mongo-driver/v2/mongo"
	"go.mongodb.org/mongo-driver/v2/mongo/options"
	"go.mongodb.org/mongo-driver/v2/mongo/readconcern"
	"go.mongodb.org/mongo-driver/v2/mongo/readpref"
	"go.mongodb.org/mongo-driver/v2/mongo/writeconcern"
)

// collections are the handles. Each states its concerns, so that nothing in a URI
// or a client of the caller's can weaken them (D78).
type collections struct {
	executions, deadLetters, shards, workers, counters, meta *mongo.Collection

	// decided and decidedShards are the executions and shards as they cannot be
	// rolled back any more: for reading back after an ambiguous reply, and for
	// decisions that end work (D28).
	decided, decidedShards *mongo.Collection
}

func collectionsOf(client *mongo.Client, o Options) collections {
	db := client.Database(o.Database)
	local, majority := concerns(readconcern.Local()), concerns(readconcern.Majority())
	get := func(name string, opts *options.CollectionOptionsBuilder) *mongo.Collection {
		return db.Collection(o.Prefix+name, opts)
	}
	return collections{
		executions:  get(collExecutions, local),
		deadLetters: get(collDeadLetters, local),
		shards:      get(collShards, local),
		workers:     get(collWorkers, local),
		counters:    get(collCounters, local),
		meta:        get(collMeta, local),

		decided:       get(collExecutions, majority),
		decidedShards: get(collShards, majority),
	}
}

func concerns(read *readconcern.ReadConcern) *options.CollectionOptionsBuilder {
	journal := true
	return options.Collection().
		SetReadConcern(read).
		SetReadPreference(readpref.Primary()).
		SetWriteConcern(&writeconcern.WriteConcern{W: writeconcern.WCMajority, Journal: &journal})
}
