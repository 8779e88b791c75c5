package relay

import (
	"context"

	"github.com/durachart/durachart/store"
)

// Target is the runtime as the receiver of events and commands.
//
// Methods are called from many goroutines at once, but never two at the same time
// for one target id, so that what was emitted first also arrives first.
type Target interface {
	// Owns reports whether this process runs the execution id now, whether or not
	// it exists. It must be quick and must not wait for I/O.
	Owns(id string) bool

	// Deliver applies events, in order, to an execution that Owns, as local calls;
	// events are of any number of sources, at most Config.Batch.
	//
	// It returns when the first taken of them are durable: applied by a commit, or
	// in the inbox (a held execution), or known to have been before. With an error
	// the event events[taken] is the one that was not taken, and what follows was
	// not tried. What the relay then does:
	//
	//	store.ErrNotFound, store.ErrEnded      dead letter at once; a report or command is acknowledged
	//	store.ErrTooLarge, ErrInvalidArgument,
	//	*DeadError                             dead letter at once
	//	store.ErrUnavailable, ErrUncertain,
	//	ErrClosed                              nothing is counted; again when the store answers
	//	ErrNotOwned                            pushes instead
	//	any other                              counts an attempt and backs off
	//
	// It may wait for room, for the store and for steps, until ctx ends, which it
	// does after Config.Timeout; that counts as an attempt. It must not wait for an
	// execution whose own commits are refused for lack of room, or two executions
	// that send to each other would wait for ever: return store.ErrBackpressure.
	// It must not keep events.
	Deliver(ctx context.Context, target string, events []store.InboxEntry) (taken int, err error)

	// Control carries out one operation on a child (D71): op.ID is the id of the
	// operation, op.Event its event. It is called for any target, owned or not (D69).
	// Nil means that it is done or that it has no effect in the state of the child.
	// Errors are judged as in Deliver.
	Control(ctx context.Context, target string, op store.InboxEntry) error
}

// Birth is a child that is to be created.
type Birth struct {
	store.SpawnEntry
	RootID   string // of the parent's family
	Priority int    // of the parent
}

// Births is the runtime as the maker of children.
type Births interface {
	// Build returns the record of the child, complete for store.Create: with its
	// first step done if this process runs the child (Target.Owns), else PENDING with
	// the start event in its inbox. ParentID, RootID, SpawnSeq and Priority are set
	// by the relay. Nothing is stored yet, and perhaps never: Build may be called
	// again for the same birth, here or in another process.
	//
	// Different births are built at the same time, up to Config.Parallel. It may
	// run user actions and take its time until ctx ends. Errors are judged as in
	// Target.Deliver, ErrNotFound, ErrEnded and ErrNotOwned as any other.
	Build(ctx context.Context, b Birth) (store.Creation, error)

	// Born tells that the record c now exists and that this relay created it: arm
	// its timers, and wake it if it is PENDING and run here. The relay has handed
	// over its emits and spawns to itself already. It must be quick. It is not called
	// for a child that another relay created, or that was there already: polls find
	// what is to be done for it.
	Born(c store.Creation)

	// Report returns the inbox entry by which the parent hears that the child will
	// never come: `$finished` FAILED under the child's own report id (D50). cause is
	// never nil. It must be quick.
	Report(b Birth, reason string, cause error) store.InboxEntry
}
