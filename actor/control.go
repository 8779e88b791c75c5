package actor

import "context"

// Option is an option of a control operation.
type Option func(*operation)

type operation struct{ id string }

// OperationID names the operation, so that it can be repeated after ErrUncertain
// without being carried out twice. Without it an id is made.
func OperationID(id string) Option { return func(o *operation) { o.id = id } }

// The control operations go ahead of events that wait (S77). Each returns its
// reply after the commit. Which are allowed in which status is the table of S75:
// otherwise a *StateError, which is ErrEnded for an ended execution, else
// ErrInvalidState. An operation that finds its work already done (suspend of a
// suspended one) succeeds with disposition Applied.

// Cancel asks the chart to clean up and end (S78). reason is an object as for
// Event.Data; it is the data of the chart's cancel event.
func (r *Runtime) Cancel(ctx context.Context, id string, reason any, opts ...Option) (Reply, error) {
	return Reply{}, errSkeleton
}

// Terminate ends the execution and its children at once, without hooks (S79).
func (r *Runtime) Terminate(ctx context.Context, id string, reason any, opts ...Option) (Reply, error) {
	return Reply{}, errSkeleton
}

// Suspend holds the execution and its children: events are kept, timers are off.
func (r *Runtime) Suspend(ctx context.Context, id string, opts ...Option) (Reply, error) {
	return Reply{}, errSkeleton
}

// Resume ends the hold of Suspend, and that of an execution which the runtime
// parked (D70).
func (r *Runtime) Resume(ctx context.Context, id string, opts ...Option) (Reply, error) {
	return Reply{}, errSkeleton
}

// SetState moves the execution to the states of those paths, as an external
// transition of its root would, with all hooks (S80).
func (r *Runtime) SetState(ctx context.Context, id string, targets []string, opts ...Option) (Reply, error) {
	return Reply{}, errSkeleton
}

// Retry takes up a FAILED execution again with the event whose step failed (S81).
func (r *Runtime) Retry(ctx context.Context, id string, opts ...Option) (Reply, error) {
	return Reply{}, errSkeleton
}

// Reset starts the execution anew with the given context, whatever its status
// (S82). userData is an object as for StartRequest.Context.
func (r *Runtime) Reset(ctx context.Context, id string, userData any, opts ...Option) (Reply, error) {
	return Reply{}, errSkeleton
}
