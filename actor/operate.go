package actor

import (
	"context"
	"time"
)

// Lag is the age of the oldest due entry per kind; zero: nothing is due.
type Lag struct {
	Inbox, Outbox, Spawns, Timers time.Duration
}

// Lag measures by the store how far the work of this process's shards is behind.
func (r *Runtime) Lag(ctx context.Context) (Lag, error) { return Lag{}, errSkeleton }

// WaitIdle waits until nothing of the own shards is queued, running, undelivered
// or unspawned, and no timer is due. Held executions, timers in the future and
// entries that back off after a failed delivery are not waited for.
func (r *Runtime) WaitIdle(ctx context.Context) error { return errSkeleton }

// Ready reports whether the runtime runs and its store answered lately; the error
// says what is wrong: ErrUnavailable, ErrDraining, or what Run returned.
func (r *Runtime) Ready(ctx context.Context) error { return errSkeleton }

// Stats counts since New; the gauges are of now.
type Stats struct {
	Active     int   // executions in memory
	Pending    int   // calls queued or running
	Shards     int   // shards that this process serves
	Steps      int64 // steps that reached a commit
	Commits    int64 // writes that they took
	Conflicts  int64 // commits that lost a race
	Loads      int64 // cold loads
	Parked     int64 // executions parked by the runtime
	Passivated int64
}

// Stats returns the counters. It does no I/O.
func (r *Runtime) Stats() Stats { return Stats{} }
