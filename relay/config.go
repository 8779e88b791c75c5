package relay

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

// Config says what a Relay works on. The zero value of a field is its default.
type Config struct {
	// Source is the store. Required.
	Source Source
	// Target receives. Required.
	Target Target
	// Births makes children. Required.
	Births Births

	// Shards returns the shards that this process owns now; only they are polled.
	// It must be quick. Call Wake after they grew. Required.
	Shards func() []int

	// Sink takes events without a target, in order per source. Nil returns from it
	// acknowledge the event; errors are judged as in Target.Deliver. Default: such
	// an event is a dead letter with reason "no_target".
	Sink func(ctx context.Context, source string, e store.OutboxEntry) error

	// Await is called when the store did not answer, with the error, and returns
	// nil when it is worth asking again, or ctx's error. The runtime passes its
	// shared prober. Default: a back-off with jitter from 100 ms to 500 ms.
	Await func(ctx context.Context, err error) error

	// Hinted reports whether wake hints flow, so that polling may rest longer (D40).
	// Default: they do not.
	Hinted func() bool

	// Clock returns the server time, as a lower bound (D12). Default time.Now.
	Clock func() time.Time
	// Jitter returns a duration between half of d and one and a half of d.
	// Default: drawn evenly.
	Jitter func(d time.Duration) time.Duration
	// Logger gets what an operator should know. Default: nothing is logged.
	Logger *slog.Logger
	// Observe gets an Event for each thing done. It must not block and may be
	// called from several goroutines at once. Default: none.
	Observe func(Event)

	// Batch bounds the entries that go to one target together, and the statements
	// of one bulk write. Larger is more throughput and a longer wait for the first
	// of a batch. Default 64.
	Batch int
	// Bytes bounds the events that go to one target together; a single one may be
	// larger. It must not exceed what one push may carry. Default 512 KiB.
	Bytes int
	// Slots bounds the bulk writes of one kind (creations, pushes, acks) that are
	// under way at once. More slots mean smaller batches. Default 2.
	Slots int
	// Parallel bounds the local deliveries, and likewise the births, at one time.
	// Each is a goroutine. Default 256.
	Parallel int
	// Memory bounds the entries held in memory. What comes beyond it is read from
	// the store when there is room. Default 65,536.
	Memory int
	// Timeout bounds one local delivery, control operation or birth. Default 30 s.
	Timeout time.Duration

	// Grace is the store's grace: how long after its commit an entry stays hidden
	// from polls (D43). Default 5 s.
	Grace time.Duration
	// Attempts is how often a delivery is tried before it is dead. Default 20.
	Attempts int
	// BackoffMin and BackoffMax bound the wait after a failed attempt; it doubles
	// with each and varies by half. Defaults 1 s and 5 min.
	BackoffMin, BackoffMax time.Duration
	// PollMin and PollMax bound the interval of polls; it doubles while nothing is
	// found (D40). Defaults 100 ms and 2 s, or 5 s while Hinted.
	PollMin, PollMax time.Duration
	// Page bounds the executions of one poll query. Default 256.
	Page int
	// Entries is how many entries of one execution a page carries (the store's bound,
	// or less): with that many there may be more. It also bounds the entries of one
	// read of one execution. Default 64.
	Entries int
	// Exclude bounds the ids of one poll query that are in hand. Default 1,000.
	Exclude int
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
	if c.Observe == nil {
		c.Observe = func(Event) {}
	}
	if c.Hinted == nil {
		c.Hinted = func() bool { return false }
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
		{"Batch", &c.Batch, 64},
		{"Bytes", &c.Bytes, 512 << 10},
		{"Slots", &c.Slots, 2},
		{"Parallel", &c.Parallel, 256},
		{"Memory", &c.Memory, 65_536},
		{"Attempts", &c.Attempts, 20},
		{"Page", &c.Page, 256},
		{"Entries", &c.Entries, 64},
		{"Exclude", &c.Exclude, 1000},
	}
}

func (c *Config) durations() []field[time.Duration] {
	return []field[time.Duration]{
		{"Timeout", &c.Timeout, 30 * time.Second},
		{"Grace", &c.Grace, 5 * time.Second},
		{"BackoffMin", &c.BackoffMin, time.Second},
		{"BackoffMax", &c.BackoffMax, 5 * time.Minute},
		{"PollMin", &c.PollMin, 100 * time.Millisecond},
		{"PollMax", &c.PollMax, 2 * time.Second},
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
	bad(c.Births == nil, "Births is required")
	bad(c.Shards == nil, "Shards is required")
	for _, f := range c.sizes() {
		bad(*f.value < 0, f.name+" is negative")
	}
	for _, f := range c.durations() {
		bad(*f.value < 0, f.name+" is negative")
	}
	bad(c.BackoffMax < c.BackoffMin, "BackoffMax is below BackoffMin")
	bad(c.PollMax < c.PollMin, "PollMax is below PollMin")
	return errors.Join(errs...)
}
