package lease

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"time"

	"github.com/durachart/durachart/store"
)

// DefaultTTL is how long a lease lives that is not renewed.
const DefaultTTL = 15 * time.Second

// Config says what a Service leases. The zero value of a field is its default.
type Config struct {
	// Store keeps the leases. Its calls must end when their context does. Required.
	Store store.Shards

	// Owner is the token of this start of this process; no other process, and no
	// earlier start, may have the same (D58). Required; NewOwner makes one.
	Owner string
	// Name says to people who the owner is. Default: Owner.
	Name string
	// Shards is the number of shards that the store has. Required.
	Shards int
	// TTL is how long a lease lives that is not renewed, and so how long the work of
	// a process that died lies still. Shorter is more writes, and less patience with
	// a store that is slow. At least 3 s, at most 12 h. Default 15 s.
	TTL time.Duration

	// Gained is called with shards, in ascending order, that this process has from now
	// on: Holds is true for them already. It is called by Run's goroutine, which renews
	// no lease meanwhile: it must be quick, and wait for nothing. Default: not called.
	Gained func(shards []int)

	// Lost is called with shards, in ascending order, that this process has no more:
	// Holds is false for them already. It must return when nothing runs in them any
	// more, or soon after ctx ends, which is a quarter of the ttl later: before anybody
	// else can have them, unless another has them already.
	//
	// It is called on a goroutine of its own. Calls for different shards may overlap
	// each other and calls of Gained; for one shard they do not: Gained and Lost come
	// in turns, Gained first, and after Lost a shard is neither given to another
	// process nor gained again before that call has returned. Run does not return
	// while calls of Lost run. Default: not called.
	Lost func(ctx context.Context, shards []int)

	// Heard is called with the server's clock as each reply of the store told it, right
	// after the reply arrived, by Run's goroutine (D12). Default: not called.
	Heard func(server time.Time)

	// Observe gets an Event for each thing done, from Run's goroutine. It must not
	// block. Default: none.
	Observe func(Event)
	// Logger gets what an operator should know. Default: nothing is logged.
	Logger *slog.Logger

	// Jitter returns a duration between half of d and d. Default: drawn evenly.
	Jitter func(d time.Duration) time.Duration
}

// NewOwner returns an owner token for this start of the process called name (D58).
func NewOwner(name string) string { return name + ":" + store.NewCommitID() }

// withDefaults returns a copy with every zero field set.
func (c Config) withDefaults() Config {
	if c.Name == "" {
		c.Name = c.Owner
	}
	if c.TTL == 0 {
		c.TTL = DefaultTTL
	}
	if c.Gained == nil {
		c.Gained = func([]int) {}
	}
	if c.Lost == nil {
		c.Lost = func(context.Context, []int) {}
	}
	if c.Heard == nil {
		c.Heard = func(time.Time) {}
	}
	if c.Observe == nil {
		c.Observe = func(Event) {}
	}
	if c.Logger == nil {
		c.Logger = slog.New(slog.DiscardHandler)
	}
	if c.Jitter == nil {
		c.Jitter = func(d time.Duration) time.Duration { return d/2 + rand.N(d/2+1) }
	}
	return c
}

// validate names every mistake at once.
func (c Config) validate() error {
	var wrong []error
	refuse := func(bad bool, format string, args ...any) {
		if bad {
			wrong = append(wrong, fmt.Errorf(format, args...))
		}
	}
	refuse(c.Store == nil, "Store is required")
	refuse(c.Shards < 1 || c.Shards > store.MaxShards, "Shards %d is not within 1 to %d", c.Shards, store.MaxShards)
	refuse(c.TTL < store.MinLeaseTTL || c.TTL > maxTTL, "TTL %v is not within %v to %v", c.TTL, store.MinLeaseTTL, maxTTL)
	if err := store.CheckWorker(&store.Worker{Owner: c.Owner, Name: c.Name, StartedAt: time.Unix(0, 0)}, DefaultTTL); err != nil {
		wrong = append(wrong, fmt.Errorf("in Owner or Name: %w", err))
	}
	if len(wrong) == 0 {
		return nil
	}
	return fmt.Errorf("%w: %w", ErrInvalidConfig, errors.Join(wrong...))
}

// maxTTL leaves room for a worker entry of twice the ttl, at most a day.
const maxTTL = 12 * time.Hour
