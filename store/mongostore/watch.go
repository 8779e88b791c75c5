package mongostore

import (
	"context"
	"fmt"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
	"go.mongodb.org/mongo-driver/v2/mongo/options"

	"github.com/durachart/durachart/internal/logkey"
	"github.com/durachart/durachart/store"
)

// watchAwait is how long the server keeps one request for changes before it says
// that there are none. It paces the stream: a deadline on the context would kill it.
const watchAwait = time.Second

// Watch implements [store.Watcher]: a change stream that matches inserts and changes
// of wake_at, and nothing else (D68). After any error the stream is discarded and
// reopened at now, by ourselves: the driver would resume it where that may be gone.
func (s *Store) Watch(ctx context.Context, hint func(id string)) error {
	return store.OpError("watch", "", s.watch(ctx, hint))
}

func (s *Store) watch(ctx context.Context, hint func(id string)) error {
	if ctx.Err() != nil {
		return nil
	}
	if err := s.gate.enter(); err != nil {
		return err
	}
	defer s.gate.leave()
	// A deadline in the middle of a request would kill a stream, so it has none.
	ctx, cancel := s.gate.untilClosing(ctx)
	defer cancel()

	for backoff := firstBackoff; ; backoff = min(2*backoff, lastBackoff) {
		err := s.follow(ctx, hint, func() { backoff = firstBackoff })
		if s.gate.isClosed() {
			return store.ErrClosed
		}
		if ctx.Err() != nil {
			return nil
		}
		f := judged(err)
		if refused(f) {
			return f
		}
		s.log.Debug("wake hints are interrupted", logkey.Error, f, logkey.Delay, backoff)
		if pause(ctx, jitter(backoff)) != nil && !s.gate.isClosed() {
			return nil
		}
	}
}

// refused reports whether asking again is of no use.
func refused(f *failure) bool { return f.sentinel != store.ErrUnavailable }

// follow reads one stream until it fails.
func (s *Store) follow(ctx context.Context, hint func(id string), works func()) error {
	kind, err := s.kind(ctx)
	if err != nil {
		return err
	}
	if kind == kindStandalone {
		return &failure{sentinel: store.ErrUnsupported, text: "a standalone server gives no hints", cause: store.ErrUnsupported}
	}
	opts := options.ChangeStream().SetMaxAwaitTime(watchAwait)
	// A change stream reads what a majority has, and is refused otherwise.
	stream, err := s.coll.decided.Watch(ctx, watchPipeline(), opts)
	if err != nil {
		return translate(err)
	}
	defer func() { _ = stream.Close(context.WithoutCancel(ctx)) }() // it is discarded either way
	works()
	for stream.Next(ctx) {
		if id, ok := stream.Current.Lookup("documentKey", fID).StringValueOK(); ok {
			hint(id)
		}
	}
	if err := stream.Err(); err != nil {
		return translate(err)
	}
	return &failure{sentinel: store.ErrUnavailable, text: "the stream has ended", cause: fmt.Errorf("end of stream")}
}

// watchPipeline keeps the stream small: the changes that wake, and of them the key.
func watchPipeline() mongo.Pipeline {
	return mongo.Pipeline{
		{{Key: "$match", Value: bson.D{{Key: "$or", Value: bson.A{
			bson.D{{Key: "operationType", Value: "insert"}},
			bson.D{{Key: "updateDescription.updatedFields." + fWakeAt, Value: bson.D{{Key: "$exists", Value: true}}}},
		}}}}},
		{{Key: "$project", Value: bson.D{{Key: "documentKey", Value: 1}}}},
	}
}
