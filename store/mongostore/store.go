package mongostore

import (
	"context"
	"log/slog"
	"sync/atomic"
	"time"

	"go.mongodb.org/mongo-driver/v2/mongo"

	"github.com/durachart/durachart/store"
)

// Store implements [store.Store], [store.BulkCommitter] and [store.Watcher]. Make
// one with [Open] or [New].
type Store struct {
	client *mongo.Client
	owned  bool // the client was built by Open and is closed with the store
	opts   Options
	lim    store.Limits
	log    *slog.Logger

	coll collections
	info atomic.Pointer[store.Info] // nil until the server was asked
	gate gate

	commits *combiner[commitWrite]
	pushes  *combiner[pushWrite]
	creates *combiner[createWrite]

	inboxPace, outboxPace, spawnsPace pace

	unreadable, oversize noted
	metNewer             atomic.Bool // a document of a newer format
}

var (
	_ store.Store         = (*Store)(nil)
	_ store.BulkCommitter = (*Store)(nil)
	_ store.Watcher       = (*Store)(nil)
)

// Close implements [store.Store]. A client that was given to New stays open.
func (s *Store) Close(ctx context.Context) error {
	first, err := s.gate.close(ctx)
	if !first || !s.owned {
		return err
	}
	// What still runs when ctx has ended loses its connection; its callers hear so.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), closeTimeout)
	defer cancel()
	_ = s.client.Disconnect(ctx) // it fails only for a client that is closed already, or out of time
	return err
}

const closeTimeout = 2 * time.Second

// enter is the start of every method. It refuses a closed store and a ctx that is
// over, without any I/O. After nil the gate is to be left.
func (s *Store) enter(ctx context.Context) error {
	if err := s.gate.enter(); err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		s.gate.leave()
		return err
	}
	return nil
}

// begin is enter, and gives a ctx without deadline the operation timeout. The
// caller defers end.
func (s *Store) begin(ctx context.Context) (_ context.Context, end func(), _ error) {
	if err := s.enter(ctx); err != nil {
		return nil, nil, err
	}
	if _, ok := ctx.Deadline(); ok {
		return ctx, s.gate.leave, nil
	}
	ctx, cancel := context.WithTimeout(ctx, s.lim.OpTimeout)
	return ctx, func() { cancel(); s.gate.leave() }, nil
}

// beginOn is begin for a method that names an execution.
func (s *Store) beginOn(ctx context.Context, id string) (context.Context, func(), error) {
	ctx, end, err := s.begin(ctx)
	if err != nil {
		return nil, nil, err
	}
	if err := store.CheckID("id", id); err != nil {
		end()
		return nil, nil, err
	}
	return ctx, end, nil
}
