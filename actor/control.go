package actor

import (
	"context"
	"fmt"

	"github.com/durachart/durachart/execution"
)

// Option is an option of a control operation.
type Option func(*options)

type options struct{ id string }

// OperationID names the operation, so that it can be repeated after ErrUncertain
// without being carried out twice. Without it an id is made.
func OperationID(id string) Option { return func(o *options) { o.id = id } }

// The control operations go ahead of events that wait (S77). Each returns its
// reply after the commit. Which are allowed in which status is the table of S75:
// otherwise a *StateError, which is ErrEnded for an ended execution, else
// ErrInvalidState. An operation that finds its work already done (suspend of a
// suspended one) succeeds with disposition Applied.

// Cancel asks the chart to clean up and end (S78). reason is an object as for
// Event.Data; it is the data of the chart's cancel event.
func (r *Runtime) Cancel(ctx context.Context, id string, reason any, opts ...Option) (Reply, error) {
	return r.operate(ctx, id, opts, func(op string) (execution.Event, error) {
		return execution.CancelEvent(op, reason)
	})
}

// Terminate ends the execution and its children at once, without hooks (S79).
func (r *Runtime) Terminate(ctx context.Context, id string, reason any, opts ...Option) (Reply, error) {
	return r.operate(ctx, id, opts, func(op string) (execution.Event, error) {
		return execution.TerminateEvent(op, reason)
	})
}

// Suspend holds the execution and its children: events are kept, timers are off.
func (r *Runtime) Suspend(ctx context.Context, id string, opts ...Option) (Reply, error) {
	return r.operate(ctx, id, opts, func(op string) (execution.Event, error) {
		return execution.SuspendEvent(op), nil
	})
}

// Resume ends the hold of Suspend, and that of an execution which the runtime
// parked (D70).
func (r *Runtime) Resume(ctx context.Context, id string, opts ...Option) (Reply, error) {
	return r.operate(ctx, id, opts, func(op string) (execution.Event, error) {
		return execution.ResumeEvent(op), nil
	})
}

// SetState moves the execution to the states of those paths, as an external
// transition of its root would, with all hooks (S80). ErrInvalidEvent if they
// cannot be active together, or are no states.
func (r *Runtime) SetState(ctx context.Context, id string, targets []string, opts ...Option) (Reply, error) {
	return r.operate(ctx, id, opts, func(op string) (execution.Event, error) {
		return execution.SetStateEvent(op, targets), nil
	})
}

// Retry takes up a FAILED execution again with the event whose step failed (S81).
// One that the runtime parked it resumes.
func (r *Runtime) Retry(ctx context.Context, id string, opts ...Option) (Reply, error) {
	return r.operate(ctx, id, opts, func(op string) (execution.Event, error) {
		return execution.Event{ID: op, Name: opRetry}, nil
	})
}

// Reset starts the execution anew with the given context, whatever its status
// (S82). userData is an object as for StartRequest.Context.
func (r *Runtime) Reset(ctx context.Context, id string, userData any, opts ...Option) (Reply, error) {
	return r.operate(ctx, id, opts, func(op string) (execution.Event, error) {
		return execution.ResetEvent(op, userData)
	})
}

// operate has an execution carry out the operation that make returns for an id.
// One that another process runs is operated on from here all the same: the
// compare-and-set decides, and its owner's copy loses (D69).
func (r *Runtime) operate(ctx context.Context, id string, opts []Option, make func(op string) (execution.Event, error)) (Reply, error) {
	if err := checkTarget(id); err != nil {
		return Reply{ID: id}, err
	}
	var o options
	for _, opt := range opts {
		opt(&o)
	}
	op, err := givenOrNew("operation id", o.id)
	if err != nil {
		return Reply{ID: id}, err
	}
	ev, err := make(op)
	if err != nil {
		return Reply{ID: id, EventID: op}, fmt.Errorf("operation %q: %w", op, err)
	}
	if err := r.enter(ctx); err != nil {
		return Reply{ID: id, EventID: op}, err
	}
	return r.do(ctx, id, newRequest(callOperation, ev))
}
