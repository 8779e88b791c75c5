package actor

import (
	"errors"
	"fmt"
	"log/slog"
	"os"
	"time"

	"github.com/durachart/durachart/execution"
	"github.com/durachart/durachart/statechart"
	"github.com/durachart/durachart/store"
)

// Config says what a Runtime runs, and on what. The zero value of a field is its
// default.
type Config struct {
	// Store keeps the executions. The Runtime does not close it. Required.
	Store store.Store

	// Charts are the charts that this process can run; the charts that they bring
	// along (statechart.Chart.Charts) are registered with them. Several versions
	// of a name may be given, the last one given is the newest; two different
	// charts under one name and version are refused. Required.
	Charts []*statechart.Chart

	// Handlers are the Go actions, guards and selectors that the charts name. New
	// reports every one that is missing (S72).
	Handlers execution.Handlers

	// Limits bound what one step and one execution may use.
	Limits execution.Limits

	// Logger gets what an operator should know. Default: nothing is logged.
	Logger *slog.Logger

	// Name says in leases and logs who this process is. Default: the host name.
	Name string

	// Clock tells the time that decides what is due and that steps see. Give one
	// where time is not that of the world, as in a simulation. Default: the clock of
	// the store's server, as a lower bound (D12), so that several processes agree.
	Clock func() time.Time

	// Trace keeps the trace of each step in the store's trace ring, where Trace
	// reads it. It costs CPU for each step and space in each record.
	Trace bool

	// MailboxSize bounds the calls that wait for one execution. A larger one hides
	// a slow execution longer. Default 64.
	MailboxSize int

	// FailWhenFull makes a call to a full mailbox fail with ErrMailboxFull at
	// once. Default: it waits for room, in order, until its context ends.
	FailWhenFull bool

	// CommitBatch bounds the events that go into one write of one execution, 1 to
	// 16. A larger batch is more throughput for a busy execution, and more work
	// done again when a write loses a race. Default 16.
	CommitBatch int

	// Concurrency bounds the steps that touch the store at the same time. Each one
	// that waits for the store holds a goroutine. Default 256.
	Concurrency int

	// IdleAfter is how long an execution stays in memory without work. Longer
	// spares reads, and costs about 3 KiB each. Default 1 minute.
	IdleAfter time.Duration

	// MaxActive bounds the executions in memory: beyond it idle ones make room.
	// Default 50,000.
	MaxActive int

	// Tries is how often one event may fail to reach a commit before its execution
	// is parked (D36). Default 3.
	Tries int

	// PollMin and PollMax bound the interval at which the store is asked for work
	// that other processes left; it doubles from PollMin while nothing is found
	// (D40). Defaults 100 ms and 2 s.
	PollMin, PollMax time.Duration

	// DrainTimeout bounds how long Run goes on after its context has ended, to
	// finish what is queued. What is not finished then stays in the store.
	// Default 10 s; NoDrain means not at all.
	DrainTimeout time.Duration
}

// NoDrain as Config.DrainTimeout makes Run return as soon as its context ends.
const NoDrain = time.Duration(-1)

// maxCommitBatch is what a store takes in one commit by default (storage
// specification, section 13).
const maxCommitBatch = 16

// withDefaults returns a copy with every zero field set.
func (c Config) withDefaults() Config {
	if c.Logger == nil {
		c.Logger = slog.New(slog.DiscardHandler)
	}
	if c.Name == "" {
		c.Name, _ = os.Hostname()
	}
	setDefault(&c.MailboxSize, 64)
	setDefault(&c.CommitBatch, maxCommitBatch)
	setDefault(&c.Concurrency, 256)
	setDefault(&c.MaxActive, 50_000)
	setDefault(&c.Tries, 3)
	setDefault(&c.IdleAfter, time.Minute)
	setDefault(&c.PollMin, 100*time.Millisecond)
	setDefault(&c.PollMax, 2*time.Second)
	setDefault(&c.DrainTimeout, 10*time.Second)
	return c
}

func setDefault[T int | time.Duration](p *T, v T) {
	if *p == 0 {
		*p = v
	}
}

// validate names every mistake in a config that has its defaults.
func (c Config) validate() []error {
	var wrong []error
	refuse := func(bad bool, format string, args ...any) {
		if bad {
			wrong = append(wrong, fmt.Errorf(format, args...))
		}
	}
	refuse(c.Store == nil, "Store is required")
	refuse(len(c.Charts) == 0, "Charts is required")
	refuse(c.MailboxSize < 1, "MailboxSize %d is not positive", c.MailboxSize)
	refuse(c.CommitBatch < 1 || c.CommitBatch > maxCommitBatch, "CommitBatch %d is not within 1 to %d", c.CommitBatch, maxCommitBatch)
	refuse(c.Concurrency < 1, "Concurrency %d is not positive", c.Concurrency)
	refuse(c.MaxActive < 1, "MaxActive %d is not positive", c.MaxActive)
	refuse(c.Tries < 1, "Tries %d is not positive", c.Tries)
	refuse(c.IdleAfter < time.Millisecond, "IdleAfter %v is less than 1 ms", c.IdleAfter)
	refuse(c.PollMin < time.Millisecond, "PollMin %v is less than 1 ms", c.PollMin)
	refuse(c.PollMax < c.PollMin, "PollMax %v is less than PollMin %v", c.PollMax, c.PollMin)
	refuse(c.DrainTimeout < 0 && c.DrainTimeout != NoDrain, "DrainTimeout %v is negative", c.DrainTimeout)
	return wrong
}

// invalidConfig joins mistakes to one ErrInvalidConfig; nil without mistakes.
func invalidConfig(wrong []error) error {
	if len(wrong) == 0 {
		return nil
	}
	return fmt.Errorf("%w: %w", ErrInvalidConfig, errors.Join(wrong...))
}
