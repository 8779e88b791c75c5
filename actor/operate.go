package actor

import (
	"context"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/durachart/durachart/store"
)

// Lag is the age of the oldest due entry per kind; zero: nothing is due.
type Lag struct {
	Inbox, Outbox, Spawns, Timers time.Duration
}

// Lag measures by the store how far the work of this process's shards is behind.
func (r *Runtime) Lag(ctx context.Context) (Lag, error) {
	if err := r.enter(ctx); err != nil {
		return Lag{}, err
	}
	out, err := r.relay().Lag(ctx)
	if err != nil {
		return Lag{}, err
	}
	in, err := r.inboxLag(ctx)
	if err != nil {
		return Lag{}, err
	}
	return Lag{Inbox: in, Outbox: out.Outbox, Spawns: out.Spawns, Timers: r.timer().Lag()}, nil
}

// inboxLag is the age of the oldest inbox entry that is due. A poll tells only
// whether there is one as old as it asks for, so the age is found by halving, to a
// tenth or a millisecond.
func (r *Runtime) inboxLag(ctx context.Context) (time.Duration, error) {
	now := r.clock.now()
	older := func(age time.Duration) (bool, error) {
		page, err := r.cfg.Store.PollInbox(ctx, store.PollQuery{Shards: r.ownShards(), Until: now.Add(-age), Limit: 1})
		return len(page) > 0, err
	}
	low, high := time.Duration(0), 10*time.Millisecond
	if due, err := older(low); err != nil || !due {
		return 0, err
	}
	for {
		is, err := older(high)
		if err != nil {
			return 0, err
		}
		if !is {
			break
		}
		low, high = high, 4*high
	}
	for high-low > max(time.Millisecond, low/10) {
		middle := (low + high) / 2
		is, err := older(middle)
		if err != nil {
			return 0, err
		}
		if is {
			low = middle
		} else {
			high = middle
		}
	}
	return low, nil
}

// Ready reports whether the runtime runs and its store answered lately; the error
// says what is wrong: ErrUnavailable, ErrDraining, or what Run returned.
func (r *Runtime) Ready(ctx context.Context) error {
	if err := r.enter(ctx); err != nil {
		return err
	}
	if r.prober.down() {
		return fmt.Errorf("ready: %w", ErrUnavailable)
	}
	return nil
}

// Stats counts since New; the gauges are of now.
type Stats struct {
	Active     int   // executions in memory
	Busy       int   // executions that run, or are about to
	Shards     int   // shards that this process serves
	Steps      int64 // steps that reached a commit
	Commits    int64 // writes that they took
	Conflicts  int64 // commits that lost a race
	Loads      int64 // cold loads
	Parked     int64 // executions parked by the runtime
	Passivated int64 // executions that left memory
}

// counters are the counts of Stats.
type counters struct {
	steps, commits, conflicts, loads, parked atomic.Int64
}

// Stats returns the counters. It does no I/O.
func (r *Runtime) Stats() Stats {
	return Stats{
		Active:     r.gate.Active(),
		Busy:       r.gate.Busy(),
		Shards:     len(r.ownShards()),
		Steps:      r.stats.steps.Load(),
		Commits:    r.stats.commits.Load(),
		Conflicts:  r.stats.conflicts.Load(),
		Loads:      r.stats.loads.Load(),
		Parked:     r.stats.parked.Load(),
		Passivated: r.gate.Passivated(),
	}
}
