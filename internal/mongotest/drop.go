package mongotest

import (
	"context"
	"errors"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
	"go.mongodb.org/mongo-driver/v2/mongo/options"
)

// Drop drops a database: for programs that make databases of their own, as
// conformance does.
func Drop(ctx context.Context, uri, database string) error {
	return on(uri, database, func(db *mongo.Database) error { return db.Drop(ctx) })
}

// Empty removes the documents of the named collections and leaves their indexes:
// much cheaper than a new database where many small tests follow each other.
func Empty(ctx context.Context, uri, database string, collections ...string) error {
	return on(uri, database, func(db *mongo.Database) error {
		var all []error
		for _, name := range collections {
			_, err := db.Collection(name).DeleteMany(ctx, bson.D{})
			all = append(all, err)
		}
		return errors.Join(all...)
	})
}

func on(uri, database string, f func(*mongo.Database) error) error {
	client, err := mongo.Connect(options.Client().ApplyURI(uri))
	if err != nil {
		return err
	}
	return errors.Join(f(client.Database(database)), client.Disconnect(context.Background()))
}
