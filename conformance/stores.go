package main

import (
	"context"
	"errors"
	"time"

	"github.com/google/uuid"

	"github.com/durachart/durachart/internal/mongotest"
	"github.com/durachart/durachart/store"
	"github.com/durachart/durachart/store/memstore"
	"github.com/durachart/durachart/store/mongostore"
)

// storeOpener makes an empty store for one test.
type storeOpener func(ctx context.Context) (st store.Store, free func(), err error)

// worlds returns the opener of the chosen mode and store.
func (o *options) worlds() opener {
	switch {
	case o.mode == modeDirect:
		return openDirect
	case o.store == "memory":
		return o.openDurable(openMemory)
	default:
		return o.openDurable(o.openMongo)
	}
}

func openMemory(context.Context) (store.Store, func(), error) {
	st := &memstore.Store{}
	return st, func() { _ = st.Close(context.Background()) }, nil
}

// openMongo makes a database of its own, which free drops.
func (o *options) openMongo(ctx context.Context) (store.Store, func(), error) {
	database := "conformance_" + uuid.NewString()[:8]
	st, err := mongostore.Open(ctx, o.mongo, mongostore.Options{Database: database})
	if err != nil {
		return nil, nil, err
	}
	free := func() {
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		defer cancel()
		_ = errors.Join(st.Close(ctx), mongotest.Drop(ctx, o.mongo, database))
	}
	if err := st.EnsureIndexes(ctx); err != nil {
		free()
		return nil, nil, err
	}
	return st, free, nil
}
