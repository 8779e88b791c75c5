package timer

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"time"

	"github.com/durachart/durachart/internal/backoff"
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
	// Fire is called by one goroutine, so what it posts is posted in due order; timers
	// of one execution must be applied in that order. Further batches follow while done
	// is outstanding for earlier ones, up to Config.Parallel timers in all, never two
	// of the same execution and name. It may wait for room until ctx ends, which holds up
	// all other timers. ctx ends with Run; then done is still to be called. Fire must not
	// keep due. Shard and Version of a timer that a commit told (Armed) are zero.
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

	// Exclude bounds the ids of one query that are left out because their timers failed
	// to fire, and wait. Default 1,000.
	Exclude int

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
	// Page bounds the executions of one query; it must not exceed the store's bound
	// (store.Limits.DuePage). Larger pages are fewer queries when much is due, and more
	// timers read twice. Default 5,000.
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
	if c.Await == nil {
		c.Await = func(ctx context.Context, _ error) error {
			return backoff.Wait(ctx, 2*c.Jitter(125*time.Millisecond), nil)
		}
	}
	for _, f := range c.sizes() {
		if *f.value == 0 {
			*f.value = f.standard
		}
	}
	for _, f := range c.durations() {
		if *f.value == 0 {
			*f.value = f.standard
		}
	}
	return c
}

// field is a numeric field of a Config.
type field[T any] struct {
	name     string
	value    *T
	standard T
}

func (c *Config) sizes() []field[int] {
	return []field[int]{
		{"Held", &c.Held, 100_000},
		{"Page", &c.Page, 5000},
		{"Exclude", &c.Exclude, 1000},
		{"Batch", &c.Batch, 1000},
		{"Parallel", &c.Parallel, 4000},
	}
}

func (c *Config) durations() []field[time.Duration] {
	return []field[time.Duration]{
		{"Horizon", &c.Horizon, 2 * time.Minute},
		{"BackoffMin", &c.BackoffMin, time.Second},
		{"BackoffMax", &c.BackoffMax, time.Minute},
	}
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
	for _, f := range c.sizes() {
		bad(*f.value < 0, f.name+" is negative")
	}
	for _, f := range c.durations() {
		bad(*f.value < 0, f.name+" is negative")
	}
	bad(c.BackoffMax < c.BackoffMin, "BackoffMax is below BackoffMin")
	return errors.Join(errs...)
}
