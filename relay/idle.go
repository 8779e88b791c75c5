package relay

import (
	"context"
	"time"

	"github.com/durachart/durachart/internal/backoff"
	"github.com/durachart/durachart/store"
)

// Pending is the number of entries and spawns in memory that are not carried out and
// acknowledged.
func (r *Relay) Pending() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.count
}

// WaitIdle returns nil at an instant when nothing is in memory and the store has no
// outbox entry and no spawn in the shards of this process, due or not. Otherwise it
// waits, and returns ctx's error when ctx ends.
func (r *Relay) WaitIdle(ctx context.Context) error {
	rest := backoff.Doubling{Min: r.cfg.PollMin, Max: r.cfg.PollMax}
	for {
		if err := r.waitEmpty(ctx); err != nil {
			return err
		}
		left, err := r.leftInStore(ctx)
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil:
			if err := r.cfg.Await(ctx, err); err != nil {
				return err
			}
			continue
		case !left && r.Pending() == 0:
			return nil
		}
		// Somebody else's grace has to pass first, or a back-off of an earlier owner.
		if err := backoff.Wait(ctx, rest.Next(), nil); err != nil {
			return ctx.Err()
		}
	}
}

// waitEmpty waits until nothing is in memory.
func (r *Relay) waitEmpty(ctx context.Context) error {
	r.mu.Lock()
	if r.count == 0 {
		r.mu.Unlock()
		return ctx.Err()
	}
	empty := make(chan struct{})
	r.idle = append(r.idle, empty)
	r.mu.Unlock()
	select {
	case <-empty:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// leftInStore reports whether the store has entries or spawns of the own shards.
func (r *Relay) leftInStore(ctx context.Context) (bool, error) {
	q := store.PollQuery{Shards: r.cfg.Shards(), Until: store.FarFuture, Limit: 1}
	if len(q.Shards) == 0 {
		return false, nil
	}
	spawns, err := r.cfg.Source.PollSpawns(ctx, q)
	if err != nil || len(spawns) > 0 {
		return true, err
	}
	outboxes, err := r.cfg.Source.PollOutbox(ctx, q)
	return len(outboxes) > 0, err
}

// Lag is the age of the oldest due work of the own shards: how long ago it became
// due. Zero: nothing is due.
type Lag struct {
	Outbox, Spawns time.Duration
}

// Lag asks the store and the memory for the oldest due entries that it can see: those
// in memory, and one page of each poll.
func (r *Relay) Lag(ctx context.Context) (Lag, error) {
	now := r.now()
	var lag Lag
	older := func(d *time.Duration, at time.Time) { *d = max(*d, now.Sub(at)) }
	r.locked(func() {
		for _, o := range r.origins {
			for _, p := range o.parcels {
				older(&lag.Outbox, p.At)
			}
			for _, u := range o.unborn {
				older(&lag.Spawns, u.At)
			}
		}
	})
	q := store.PollQuery{Shards: r.cfg.Shards(), Until: now, Limit: r.cfg.Page}
	if len(q.Shards) == 0 {
		return lag, nil
	}
	spawns, err := r.cfg.Source.PollSpawns(ctx, q)
	if err != nil {
		return lag, err
	}
	outboxes, err := r.cfg.Source.PollOutbox(ctx, q)
	for _, w := range spawns {
		for _, e := range w.Spawns {
			older(&lag.Spawns, e.At)
		}
	}
	for _, w := range outboxes {
		for _, e := range w.Outbox {
			older(&lag.Outbox, e.At)
		}
	}
	return lag, err
}
