// Package stores opens the store that the flag -mongo of an example names, so
// that the examples show their ideas and nothing else.
package stores

import (
	"context"
	"strings"
	"time"

	"github.com/durachart/durachart/store"
	"github.com/durachart/durachart/store/memstore"
	"github.com/durachart/durachart/store/mongostore"
)

// Open opens the MongoDB store at uri and makes its indexes, or a new memory store
// if uri is empty. The database is the one in the uri, else the given one. Call
// closeStore when the runtime has ended.
func Open(ctx context.Context, uri, database string) (st store.Store, closeStore func(), err error) {
	st, err = open(ctx, uri, database)
	if err != nil {
		return nil, nil, err
	}
	return st, func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 10*time.Second)
		defer cancel()
		_ = st.Close(ctx) // everything that matters is committed
	}, nil
}

func open(ctx context.Context, uri, database string) (store.Store, error) {
	if uri == "" {
		return memstore.New(memstore.Options{})
	}
	if named := databaseIn(uri); named != "" {
		database = named
	}
	st, err := mongostore.Open(ctx, uri, mongostore.Options{Database: database})
	if err != nil {
		return nil, err
	}
	if err := st.EnsureIndexes(ctx); err != nil {
		_ = st.Close(ctx)
		return nil, err
	}
	return st, nil
}

// databaseIn returns what stands between the hosts of a connection string and its
// options.
func databaseIn(uri string) string {
	_, rest, _ := strings.Cut(uri, "://")
	rest, _, _ = strings.Cut(rest, "?")
	_, database, _ := strings.Cut(rest, "/")
	return database
}
