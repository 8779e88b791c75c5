package mongostore

import (
	"go.mongodb.org/mongo-driver/v2/mongo"

	"github.com/durachart/durachart/store"
)

// Store implements [store.Store], [store.BulkCommitter] and [store.Watcher].
type Store struct {
	store.Store // the roles that have not landed yet

	client *mongo.Client
	owned  bool // the client was built by Open and is closed with the store
	opts   Options
}
