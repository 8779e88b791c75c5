package actor

import (
	"context"
	"errors"
)

var errSkeleton = errors.New("actor: not built yet")

// Runtime runs executions. Make one with New. All methods are safe for concurrent
// use.
//
// Methods that need a running actor (Start, Send, Call, the control operations)
// wait until Run has made the store ready, or their context ends.
type Runtime struct{}

// New checks cfg and returns a Runtime that is not yet running. It does no I/O.
//
// It returns an ErrInvalidConfig that names every mistake at once, charts that
// call handlers which are not registered among them (S72).
func New(cfg Config) (*Runtime, error) { return nil, errSkeleton }

// Run makes the store ready, takes the shards, and runs executions, the relay and
// the timers until ctx ends or Drain is called. Then it drains, for at most
// Config.DrainTimeout, and returns nil.
//
// While the store does not answer it keeps trying. A non-nil error is a failure
// that trying again cannot mend: ErrMisconfigured, ErrUnsupported, or a second
// call of Run.
func (r *Runtime) Run(ctx context.Context) error { return errSkeleton }

// Drain stops the runtime in an orderly way: it refuses new work with
// ErrDraining, finishes what is queued or hands it back to the store, stops the
// relay and the timers, and gives its shards back. When ctx ends first it stops
// what is still running, returns the error of ctx, and the rest stays in the store
// for the next process.
//
// It is idempotent. After it returned no goroutine of the runtime is left, except
// Run returning.
func (r *Runtime) Drain(ctx context.Context) error { return errSkeleton }

// Start creates an execution and runs its first step, in one write. The chart is
// pinned to the version that it starts with.
//
// It returns ErrExists if an execution of that id exists, unless it was made by
// the same RequestID: then it returns its current state with disposition Known.
// Others: ErrUnknownChart, ErrInvalidID, ErrInvalidEvent (of the context),
// ErrTooLarge, ErrUncertain: repeat it with the same RequestID.
func (r *Runtime) Start(ctx context.Context, start StartRequest) (Reply, error) {
	return Reply{}, errSkeleton
}

// Send makes ev durable in the inbox of the execution and returns its event id.
// It is applied soon after. An event id that was sent before is success and adds
// nothing.
//
// ErrNotFound, ErrEnded, ErrInvalidEvent, ErrBackpressure, ErrTooLarge,
// ErrUncertain: repeat it with the same event id; the id is returned beside the
// error too.
func (r *Runtime) Send(ctx context.Context, id string, ev Event) (eventID string, err error) {
	return "", errSkeleton
}

// SendOrStart is Send to the execution start.ID, which it creates if there is
// none. An execution that is made so gets ev after its first step. An execution
// that is there is not changed by start.
func (r *Runtime) SendOrStart(ctx context.Context, start StartRequest, ev Event) (eventID string, err error) {
	return "", errSkeleton
}

// Call applies ev and returns the outcome of its step, after the commit. On a
// held execution it makes ev durable and returns disposition Held. For an event
// id that was applied before it returns the current state with disposition Known.
//
// ErrNotFound, ErrEnded, ErrInvalidEvent, ErrMailboxFull, ErrTooLarge. When ctx
// ends: its bare error if ev was certainly not applied, else ErrUncertain:
// repeat the call with the same event id, which is in Reply.EventID beside the
// error.
func (r *Runtime) Call(ctx context.Context, id string, ev Event) (Reply, error) {
	return Reply{}, errSkeleton
}
