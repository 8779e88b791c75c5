package main

import (
	"context"
	"fmt"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
	"go.mongodb.org/mongo-driver/v2/mongo/options"
	"go.mongodb.org/mongo-driver/v2/mongo/readpref"
	"go.mongodb.org/mongo-driver/v2/mongo/writeconcern"
	"go.mongodb.org/mongo-driver/v2/x/bsonx/bsoncore"

	"github.com/durachart/durachart/execution"
)

// floorRing is the dedupe ring of the store.
const floorRing = 256

// floor measures what the server takes from the raw driver when each event is one
// compare-and-set update, as the store writes it at least: by _id and version, with a
// snapshot of the size that the chart of call has, and one id pushed to the ring. Each of
// n documents is updated twice, as each execution of call gets two events.
func floor(ctx context.Context, b *backend, res *result) error {
	journal := true
	docs := b.db.Collection("floor", options.Collection().
		SetReadPreference(readpref.Primary()).
		SetWriteConcern(&writeconcern.WriteConcern{W: writeconcern.WCMajority, Journal: &journal}))
	data, err := workerSnapshot()
	if err != nil {
		return err
	}
	if err := fillFloor(ctx, docs, b.p.n, data); err != nil {
		return err
	}

	const updates = 2
	watch := b.start()
	latencies, err := b.share(ctx, b.p.n, func(ctx context.Context, i int, record func(time.Duration)) error {
		id := executionID(i)
		for version := int64(1); version <= updates; version++ {
			before := time.Now()
			filter, update := floorUpdate(id, version, data)
			updated, err := docs.UpdateOne(ctx, filter, update)
			if err != nil {
				return err
			}
			if updated.MatchedCount != 1 {
				return fmt.Errorf("%w: %s is not at version %d", errBroken, id, version)
			}
			record(time.Since(before))
		}
		return nil
	})
	watch.stop(res, int64(updates*b.p.n), latencies)
	if err != nil {
		return err
	}
	n, err := docs.CountDocuments(ctx, bson.D{{Key: "version", Value: int64(1 + updates)}})
	if err != nil {
		return err
	}
	if n != int64(b.p.n) {
		return fmt.Errorf("%w: %d of %d documents are at the last version", errBroken, n, b.p.n)
	}
	return nil
}

// workerSnapshot is the data of an execution of call in the middle of its life.
func workerSnapshot() (string, error) {
	chart, now := worker(), time.Now()
	s := execution.New(chart.Name(), chart.Version(), executionID(0), nil)
	host := &execution.Host{Handlers: handlers()}
	started, err := execution.Step(chart, s, execution.StartEvent(s.ID, 1), now, host)
	if err != nil {
		return "", err
	}
	begin, err := execution.NewEvent("begin-0", "begin", nil)
	if err != nil {
		return "", err
	}
	working, err := execution.Step(chart, started.Snapshot, begin, now, host)
	if err != nil {
		return "", err
	}
	return string(working.Snapshot.Encode()), nil
}

func fillFloor(ctx context.Context, docs *mongo.Collection, n int, data string) error {
	const page = 1000
	for first := 0; first < n; first += page {
		var batch []any
		for i := first; i < min(first+page, n); i++ {
			batch = append(batch, bson.D{
				{Key: "_id", Value: executionID(i)}, {Key: "version", Value: int64(1)}, {Key: "commit_id", Value: random(16)},
				{Key: "data", Value: data}, {Key: "processed", Value: bson.A{"start"}},
			})
		}
		if _, err := docs.InsertMany(ctx, batch); err != nil {
			return err
		}
	}
	return nil
}

// floorUpdate is built raw: the floor is the driver at its best.
func floorUpdate(id string, version int64, data string) (filter, update bson.Raw) {
	filter = bson.Raw(bsoncore.NewDocumentBuilder().AppendString("_id", id).AppendInt64("version", version).Build())
	set := bsoncore.NewDocumentBuilder().
		AppendInt64("version", version+1).
		AppendString("commit_id", random(16)).
		AppendString("data", data).Build()
	event := bsoncore.NewArrayBuilder().AppendString(fmt.Sprintf("%s-%d", id, version)).Build()
	ring := bsoncore.NewDocumentBuilder().AppendArray("$each", event).AppendInt32("$slice", -floorRing).Build()
	update = bson.Raw(bsoncore.NewDocumentBuilder().
		AppendDocument("$set", set).
		AppendDocument("$push", bsoncore.NewDocumentBuilder().AppendDocument("processed", ring).Build()).Build())
	return filter, update
}

// executionID names the i-th execution.
func executionID(i int) string { return fmt.Sprintf("ex-%07d", i) }
