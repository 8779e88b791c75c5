package actor

import (
	"context"

	"github.com/durachart/durachart/store"
)

// Names of the store's list vocabulary.
type (
	Filter           = store.Filter
	Page             = store.Page
	Order            = store.Order
	DeadLetter       = store.DeadLetter
	DeadLetterFilter = store.DeadLetterFilter
	DeadLetterPage   = store.DeadLetterPage
)

// The orders of a list.
const (
	ByID        = store.ByID
	NewestFirst = store.NewestFirst
)

// ListPage is a part of a list of executions.
type ListPage struct {
	Items []Execution
	Next  string // cursor of the next page; empty on the last one
}

// Get reads one execution from the store. ErrNotFound.
func (r *Runtime) Get(ctx context.Context, id string) (Execution, error) {
	return Execution{}, errSkeleton
}

// List returns one page of the executions that match f. A Page.Limit of 0 means
// 100. ErrInvalidArgument for a cursor of another filter or order.
func (r *Runtime) List(ctx context.Context, f Filter, p Page) (ListPage, error) {
	return ListPage{}, errSkeleton
}

// Count counts the executions that match f and stops at limit; 0 means 100,000.
func (r *Runtime) Count(ctx context.Context, f Filter, limit int) (int, error) {
	return 0, errSkeleton
}

// Trace returns the trace ring of one execution, oldest first; empty for an
// unknown execution and where Config.Trace was off.
func (r *Runtime) Trace(ctx context.Context, id string) ([]TraceStep, error) {
	return nil, errSkeleton
}

// Condition is what Wait waits for.
type Condition func(Execution) bool

// Ended holds for an execution that has ended.
func Ended() Condition { return Execution.Ended }

// InState holds while the state of that path is active, or one below it.
func InState(path string) Condition { return func(Execution) bool { return false } }

// HasStatus holds in one of those statuses.
func HasStatus(statuses ...Status) Condition { return func(Execution) bool { return false } }

// Wait waits until cond holds and returns the execution as it was then; a nil
// cond means Ended. It works across processes. A state that is active only
// between two looks may be missed.
//
// It returns ErrEnded beside the execution if that has ended and cond does not
// hold, ErrNotFound, and the error of ctx.
func (r *Runtime) Wait(ctx context.Context, id string, cond Condition) (Execution, error) {
	return Execution{}, errSkeleton
}
