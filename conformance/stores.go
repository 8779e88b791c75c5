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

// worlds returns the opener of the chosen mode and store, and what frees that which
// the tests share.
func (o *options) worlds() (open opener, closeAll func()) {
	switch {
	case o.mode == modeDirect:
		return openDirect, func() {}
	case o.store == "memory":
		return o.openDurable(openMemory), func() {}
	}
	db := &database{uri: o.mongo, name: "conformance_" + uuid.NewString()[:8]}
	return o.openDurable(db.open), db.close
}

func openMemory(context.Context) (store.Store, func(), error) {
	st := &memstore.Store{}
	return st, func() { _ = st.Close(context.Background()) }, nil
}

// database is the database of a run: tests use it one after the other, each
// leaving it empty.
type database struct {
	uri, name string
	st        *mongostore.Store
}

func (d *database) open(ctx context.Context) (store.Store, func(), error) {
	if d.st == nil {
		st, err := mongostore.Open(ctx, d.uri, mongostore.Options{Database: d.name})
		if err != nil {
			return nil, nil, err
		}
		d.st = st
		if err := st.EnsureIndexes(ctx); err != nil {
			return nil, nil, err
		}
	}
	return d.st, d.empty, nil
}

func (d *database) empty() {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	if err := mongotest.Empty(ctx, d.uri, d.name, "executions", "dead_letters"); err != nil {
		d.close() // the next test gets a new one
		d.name += "_"
	}
}

func (d *database) close() {
	if d.st == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	_ = errors.Join(d.st.Close(ctx), mongotest.Drop(ctx, d.uri, d.name))
	d.st = nil
}
