package timer

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"time"

	"github.com/durachart/durachart/store"
)

// Source is the part of a store that the service needs.
type Source interface {
	DueTimers(ctx context.Context, q store.PollQuery) ([]store.DueTimer, error)
}

// Target is the runtime as the one that applies due timers.
type Target interface {
	// Fire applies due timers, which come in due order, at most Config.Batch of
	// them, and calls done exactly once for each, from any goroutine, before or after
	// it returns:
	//
	//	nil          it was applied, or the execution has no such timer any more
	//	ErrNotOwned  another process owns the shard now; the timer is forgotten here
	//	any other    it is fired again after a back-off
	//
	// Fire is called by one goroutine at a time; further batches follow while done is
	// outstanding for earlier ones, up to Config.Parallel timers in all, never two of
	// the same execution and name. It may wait for room until ctx ends. Timers of one
	// execution that are due together are in one call, in due order, and must be
	// applied in that order. ctx ends with Run; then done is still to be called. Fire
	// must not keep due.
	Fire(ctx context.Context, due []store.DueTimer, done func(t store.DueTimer, err error))
}

// Config says what a Service works on. The zero value of a field is its default.
type Config struct {
	// Source is the store. Required.
	Source Source
	// Target applies due timers. Required.
	Target Target
	// Shards returns the shards that this process owns now; only their timers are
	// read and fired. It must be quick. Call Refill after they grew. Required.
	Shards func() []int

	// Await is called when the store did not answer, with the error, and returns
	// nil when it is worth asking again, or ctx's error. The runtime passes its
	// shared prober. Default: a back-off with jitter from 100 ms to 500 ms.
	Await func(ctx context.Context, err error) error

	// Clock returns the server time as a lower bound (D12); it must go on at the
	// pace of the monotonic clock. Default time.Now.
	Clock func() time.Time
	// Jitter returns a duration between half of d and one and a half of d.
	// Default: drawn evenly.
	Jitter func(d time.Duration) time.Duration
	// Logger gets what an operator should know. Default: nothing is logged.
	Logger *slog.Logger

	// Horizon is how far ahead timers are held in memory. The store is asked every
	// half of it. Longer asks less often and holds more. Default 2 min.
	Horizon time.Duration
	// Held bounds the timers in memory, about 200 bytes each. When they are more,
	// the horizon is shorter. Default 100,000.
	Held int
	// Page bounds the executions of one query. Default 10,000.
	Page int
	// Batch bounds the timers of one Fire. Default 1,000.
	Batch int
	// Parallel bounds the timers that are being fired at one time. Default 4,000.
	Parallel int
	// BackoffMin and BackoffMax bound the wait after a failed fire; it doubles with
	// each. Defaults 1 s and 1 min.
	BackoffMin, BackoffMax time.Duration
}

// withDefaults returns a copy with every zero field set.
func (c Config) withDefaults() Config {
	if c.Clock == nil {
		c.Clock = time.Now
	}
	if c.Jitter == nil {
		c.Jitter = func(d time.Duration) time.Duration { return d/2 + rand.N(d+1) }
	}
	if c.Logger == nil {
		c.Logger = slog.New(slog.DiscardHandler)
	}
	for p, v := range map[*int]int{&c.Held: 100_000, &c.Page: 10_000, &c.Batch: 1000, &c.Parallel: 4000} {
		if *p == 0 {
			*p = v
		}
	}
	for p, v := range map[*time.Duration]time.Duration{
		&c.Horizon: 2 * time.Minute, &c.BackoffMin: time.Second, &c.BackoffMax: time.Minute,
	} {
		if *p == 0 {
			*p = v
		}
	}
	return c
}

// validate names every mistake at once.
func (c Config) validate() error {
	var errs []error
	bad := func(wrong bool, what string) {
		if wrong {
			errs = append(errs, fmt.Errorf("%w: %s", ErrInvalidConfig, what))
		}
	}
	bad(c.Source == nil, "Source is required")
	bad(c.Target == nil, "Target is required")
	bad(c.Shards == nil, "Shards is required")
	for name, n := range map[string]int{"Held": c.Held, "Page": c.Page, "Batch": c.Batch, "Parallel": c.Parallel} {
		bad(n < 0, name+" is negative")
	}
	bad(c.Horizon < 0, "Horizon is negative")
	bad(c.BackoffMin < 0, "BackoffMin is negative")
	bad(c.BackoffMax < c.BackoffMin, "BackoffMax is below BackoffMin")
	return errors.Join(errs...)
}
