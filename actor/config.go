package actor

import (
	"log/slog"
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
