package store

import (
	"context"
	"time"
)

// Store is everything that a runtime needs of its database.
type Store interface {
	Executions
	Inbox
	Outbox
	Spawns
	Timers
	Traces
	Lister
	Shards
	DeadLetters
	Counters

	// Ready probes the server, makes or checks the meta and shard records (D1)
	// and verifies the Required indexes (D41).
	//
	// It returns ErrMisconfigured if the meta record differs from the options or
	// a Required index is missing, ErrUnsupported if the server fails the probe,
	// and ErrUnavailable if it cannot be reached. It may be called again; racing
	// first calls make one meta record and N shards.
	Ready(ctx context.Context) (Info, error)

	// Close waits for running calls until ctx ends. It is idempotent; every later
	// call of any method is ErrClosed and opens nothing.
	Close(ctx context.Context) error
}

// Executions creates, loads and commits executions.
type Executions interface {
	// Create inserts c in full or not at all (D14).
	//
	// It returns ErrExists (an *ExistsError) if an execution of that id exists;
	// nothing of it changes. Others: ErrTooLarge, ErrUncertain.
	Create(ctx context.Context, c Creation) error

	// Load returns the execution without its arrays (D16). ErrNotFound.
	Load(ctx context.Context, id string) (Execution, error)

	// LoadForEvent is Load plus which of eventIDs are processed and the first
	// inbox entries, all of one instant, in one round trip (D16). ErrNotFound.
	LoadForEvent(ctx context.Context, id string, eventIDs []string, inbox int) (Loaded, error)

	// Commit applies c in full or not at all (D17).
	//
	// It returns ErrConflict (a *ConflictError) if the execution is no longer at
	// c.Version, or if one of c.Handled is processed already: load it and decide
	// again. It returns ErrUncertain if the reply was lost and reading back did
	// not settle it: repeat the step with the same event ids, and hand nothing of
	// it to a relay. After any other error nothing was written: ErrBackpressure,
	// ErrTooLarge, ErrNotFound.
	//
	// Of several commits from one version exactly one succeeds.
	Commit(ctx context.Context, c Commit) error

	// IsProcessed reports whether eventID is in the dedupe ring of id. It is
	// false, without an error, for an unknown execution.
	IsProcessed(ctx context.Context, id, eventID string) (bool, error)

	// Purge deletes up to limit expired, drained executions (D73). Several
	// processes may purge at once. Nothing live is ever deleted.
	Purge(ctx context.Context, now time.Time, limit int) (Purged, error)
}

// Inbox accepts events durably and gives them back in the order of arrival.
type Inbox interface {
	// Push appends entries durably and in order; a duplicate is success and is
	// listed (D30, D31). It touches neither the version nor UpdatedAt, so it never
	// makes a commit conflict.
	//
	// ErrNotFound, ErrEnded, ErrBackpressure, ErrTooLarge, ErrUncertain. Beside an
	// error, Pushed.Added and Pushed.Duplicates tell how many of the first entries
	// were taken.
	Push(ctx context.Context, p Push) (Pushed, error)

	// ReadInbox returns the first entries in array order, deferred ones too.
	// ErrNotFound.
	ReadInbox(ctx context.Context, id string, limit int) ([]InboxEntry, error)

	// PollInbox returns executions of q.Shards with an entry due, in no order (D37).
	PollInbox(ctx context.Context, q PollQuery) ([]Waiting, error)

	// DeferInbox hides all entries from the poll until then; a no-op unless the
	// execution is at version (D34).
	DeferInbox(ctx context.Context, id string, version int64, until time.Time) error

	// DropInbox removes entries without applying them; absent ones are ignored.
	// It is only for entries that are in the dead letters, stale, or processed (D35).
	DropInbox(ctx context.Context, id string, eventIDs []string) error

	// CountTry raises the attempts of an entry to n, never lowers them; an absent
	// entry is a no-op (D36).
	CountTry(ctx context.Context, id, eventID string, n int) error
}

// Outbox holds what committed steps gave out and nobody has delivered yet.
type Outbox interface {
	// PollOutbox returns executions of q.Shards with an entry due, each with its
	// first entries in seq order, due or not.
	PollOutbox(ctx context.Context, q PollQuery) ([]Outgoing, error)

	// PendingOutbox returns the waiting entries of one execution, oldest first.
	// ErrNotFound.
	PendingOutbox(ctx context.Context, id string, limit int) ([]OutboxEntry, error)

	// AckOutbox removes exactly the named entries; twice, or unknown, is harmless (D46).
	AckOutbox(ctx context.Context, acks []Ack) error

	// RetryOutbox records a failed delivery and moves At of the entry and of all
	// later entries for the same target (D47); an acked entry is a no-op.
	RetryOutbox(ctx context.Context, r Retry) error
}

// Spawns holds the children that committed steps asked for and nobody has
// created yet. The contracts are those of [Outbox].
type Spawns interface {
	PollSpawns(ctx context.Context, q PollQuery) ([]Outgoing, error)
	PendingSpawns(ctx context.Context, id string, limit int) ([]SpawnEntry, error)
	AckSpawns(ctx context.Context, acks []Ack) error

	// RetrySpawn is RetryOutbox for one spawn; it moves At of its own entry only.
	RetrySpawn(ctx context.Context, r Retry) error
}

// Timers finds what is due.
type Timers interface {
	// DueTimers returns timers due at or before q.Until, earliest first, ties by
	// id and name; a full page is a true prefix by due date (D56). q.Limit counts
	// executions; more than the store's bound of a page (Limits.DuePage) is that bound.
	DueTimers(ctx context.Context, q PollQuery) ([]DueTimer, error)

	// DeleteTimer removes the timer only if it is due exactly at due, and reports
	// whether it did (D57). It is a repair for a timer that nobody can fire.
	// ErrUncertain.
	DeleteTimer(ctx context.Context, id, name string, due time.Time) (bool, error)
}

// Traces reads and repairs the trace ring. Steps are written by Commit.
type Traces interface {
	// AppendTrace adds one step with the next index (D64); step.Index is ignored.
	// It is the only write that is not safe to repeat. ErrNotFound, ErrUncertain.
	AppendTrace(ctx context.Context, id string, step TraceStep) error

	// ReadTrace returns the ring, oldest first; empty for an unknown execution.
	ReadTrace(ctx context.Context, id string) ([]TraceStep, error)
}

// Lister lists executions.
type Lister interface {
	// List returns one page of the executions that match f (D65, D66). A page is
	// full whenever more match; ListPage.Next is empty on the last one.
	// ErrInvalidArgument for a cursor of another filter or order.
	List(ctx context.Context, f Filter, p Page) (ListPage, error)

	// Count counts the matches of f and stops at limit. A limit of 0 means the
	// default of the bounds.
	Count(ctx context.Context, f Filter, limit int) (int, error)
}

// Shards leases shards to processes. Every expiry is decided by the server's
// clock. Correctness never rests on a lease: two owners are slow, not wrong.
type Shards interface {
	// Announce states that w lives for ttl and wants shards (D63). What others stated
	// and has been over for WorkerKept is forgotten.
	Announce(ctx context.Context, w Worker, ttl time.Duration) error

	// Survey returns all leases and workers, each with its liveness by the
	// server's clock.
	Survey(ctx context.Context) (Survey, error)

	// AcquireShards takes those of shards that are free now and returns all that
	// owner holds (D58).
	AcquireShards(ctx context.Context, owner string, shards []int, ttl time.Duration) (Leases, error)

	// RenewShards extends all leases of owner in one write and returns them (D60);
	// ErrLeaseLost, beside the rest, if one of held is gone.
	RenewShards(ctx context.Context, owner string, held []int, ttl time.Duration) (Leases, error)

	// ReleaseShards gives shards back; nil means all of them and the worker entry.
	// Leases of others stay (D62).
	ReleaseShards(ctx context.Context, owner string, shards []int) error
}

// DeadLetters keeps what could not be delivered or applied.
type DeadLetters interface {
	// PutDeadLetters inserts or replaces letters: one letter per id, the last put
	// stands (D49). The store draws DeadLetter.Put.
	PutDeadLetters(ctx context.Context, letters []DeadLetter) error

	// GetDeadLetter returns one letter. ErrNotFound.
	GetDeadLetter(ctx context.Context, id string) (DeadLetter, error)

	// ListDeadLetters returns one page, newest first. ErrInvalidArgument as in List.
	ListDeadLetters(ctx context.Context, f DeadLetterFilter, p Page) (DeadLetterPage, error)

	// RemoveDeadLetter removes the letter only if it is still that put, and reports
	// whether it was there.
	RemoveDeadLetter(ctx context.Context, id, put string) (bool, error)
}

// Counters hands out numbers. Nothing on the commit path uses it.
type Counters interface {
	// NextBlock reserves n numbers and returns the first: unique, increasing, gaps
	// allowed (D67). ErrInvalidArgument for n < 1 and on overflow.
	NextBlock(ctx context.Context, name string, n int64) (first int64, err error)
}

// BulkCommitter is an optional ability, found by assertion. Without it callers
// loop over the single calls. Each method gives one result per item, in order;
// items are independent of each other, and an item that fails does not touch its
// neighbours.
type BulkCommitter interface {
	CommitBatch(ctx context.Context, cs []Commit) []error
	CreateBatch(ctx context.Context, cs []Creation) []error
	PushBatch(ctx context.Context, ps []Push) ([]Pushed, []error)
	// LoadBatch is one trip for a poll page: the fields of LoadForEvent (Seen
	// stays empty), one result per id, in order.
	LoadBatch(ctx context.Context, ids []string, inbox int) ([]Loaded, []error)
}

// Watcher is an optional ability, found by assertion. Without it callers poll.
type Watcher interface {
	// Watch calls hint, one call at a time, with ids that were inserted or pushed
	// to (D68). Hints may be lost, doubled or late. It returns nil when ctx ends,
	// and ErrUnsupported at once where there are no hints.
	Watch(ctx context.Context, hint func(id string)) error
}
