package main

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
	"go.mongodb.org/mongo-driver/v2/mongo/options"
	"go.mongodb.org/mongo-driver/v2/mongo/readpref"

	"github.com/durachart/durachart/store"
	"github.com/durachart/durachart/store/memstore"
	"github.com/durachart/durachart/store/mongostore"
)

// backend is what a run works on: a memory store, or a database of its own on a server,
// which is dropped at the end.
type backend struct {
	p        params
	server   string
	commands commands // that the driver sent

	data   *memstore.Store // memory
	client *mongo.Client   // mongo
	db     *mongo.Database
}

func open(ctx context.Context, p params) (*backend, error) {
	b := &backend{p: p}
	if p.store == memory {
		b.data, b.server = new(memstore.Store), memory
		return b, nil
	}
	// As mongostore.Open has it: writes are sent again by the store, not by the driver.
	opts := options.Client().ApplyURI(p.uri).SetRetryWrites(false).SetMaxPoolSize(uint64(max(128, 2*p.clients))).
		SetMonitor(b.commands.monitor())
	if err := opts.Validate(); err != nil {
		return nil, errors.New("the URI cannot be read") // the driver's text quotes it
	}
	client, err := mongo.Connect(opts)
	if err != nil {
		return nil, errors.New("the URI cannot be used")
	}
	b.client, b.db = client, client.Database("durachart_bench_"+random(8))
	if err := b.greet(ctx); err != nil {
		_ = client.Disconnect(context.WithoutCancel(ctx)) // the first error is the one to report
		return nil, err
	}
	return b, nil
}

// greet waits for the server and asks what it is.
func (b *backend) greet(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, 15*time.Second)
	defer cancel()
	if err := b.client.Ping(ctx, readpref.Primary()); err != nil {
		return fmt.Errorf("reach the server: %w", err)
	}
	var build struct {
		Version  string `bson:"version"`
		Secantus string `bson:"secantusVersion"`
	}
	var hello struct {
		SetName string `bson:"setName"`
		Msg     string `bson:"msg"`
	}
	admin := b.client.Database("admin")
	if err := admin.RunCommand(ctx, bson.D{{Key: "buildInfo", Value: 1}}).Decode(&build); err != nil {
		return fmt.Errorf("ask the server for its version: %w", err)
	}
	if err := admin.RunCommand(ctx, bson.D{{Key: "hello", Value: 1}}).Decode(&hello); err != nil {
		return fmt.Errorf("ask the server for its kind: %w", err)
	}
	kind := "standalone"
	switch {
	case hello.Msg == "isdbgrid":
		kind = "sharded"
	case hello.SetName != "":
		kind = "replica set"
	}
	b.server = "MongoDB " + build.Version + ", " + kind
	if build.Secantus != "" {
		b.server = "SecantusDB " + build.Secantus + " (as MongoDB " + build.Version + "), " + kind
	}
	return nil
}

// handle opens the store once more, as another process would.
func (b *backend) handle(ctx context.Context) (store.Store, error) {
	if b.p.store == memory {
		return b.data.Attach(memstore.Options{})
	}
	s, err := mongostore.New(b.client, mongostore.Options{Database: b.db.Name(), Limits: store.Limits{Slots: b.p.slots}})
	if err != nil {
		return nil, err
	}
	if err := s.EnsureIndexes(ctx); err != nil {
		return nil, fmt.Errorf("make the indexes: %w", err)
	}
	if _, err := s.Ready(ctx); err != nil {
		return nil, fmt.Errorf("make the store ready: %w", err)
	}
	return s, nil
}

// close drops what the run has made.
func (b *backend) close() error {
	if b.client == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	return errors.Join(b.db.Drop(ctx), b.client.Disconnect(ctx))
}

// random returns 2n random hex digits.
func random(n int) string {
	bytes := make([]byte, n)
	_, _ = rand.Read(bytes) // never fails
	return hex.EncodeToString(bytes)
}
