package mongotest

import (
	"context"
	"errors"

	"go.mongodb.org/mongo-driver/v2/mongo"
	"go.mongodb.org/mongo-driver/v2/mongo/options"
)

// Drop drops a database: for programs that make databases of their own, as
// conformance does.
func Drop(ctx context.Context, uri, database string) error {
	client, err := mongo.Connect(options.Client().ApplyURI(uri))
	if err != nil {
		return err
	}
	return errors.Join(client.Database(database).Drop(ctx), client.Disconnect(ctx))
}
