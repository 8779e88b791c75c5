package execution

import "time"

// Ctx is the context that actions get. It has the method set of
// [context.Context] and can be passed where one is wanted; this package itself
// knows nothing of cancellation.
type Ctx interface {
	Deadline() (deadline time.Time, ok bool)
	Done() <-chan struct{}
	Err() error
	Value(key any) any
}

// Host is all that a step may ask. It runs Go code for the step, synchronously.
// A step reads it and changes nothing; the same Host may serve many steps, also
// at the same time if what it holds allows it.
type Host struct {
	// Ctx is handed to actions. Nil: one that never ends.
	Ctx Ctx
	// Handlers are the Go actions, guards and selectors.
	Handlers Handlers
	// Charts names the registered charts, for invokes that no file or import of
	// the chart resolves (S63). Nil: there are none.
	Charts Charts
	// Attempt counts the attempts at this event of this execution that ended in
	// ErrRetry (S44). The first step of an event has 0.
	Attempt int
	// Trace asks for Result.Trace.
	Trace bool
	// Panicked, if set, hears of each handler that panicked: an error of kind panic to
	// the chart, and something to look into for people.
	Panicked func(Panic)
	// Limits bound the step.
	Limits Limits
}

// Panic says which handler panicked, and where.
type Panic struct {
	Execution string // id
	Event     string // id of the event of the step
	Handler   string
	Value     any
	Stack     string
}

// Charts answers which registered charts there are (S63).
type Charts interface {
	// Resolve returns the version that a new child of that chart gets: version
	// itself if it is registered, the newest registered one if version is empty.
	// It reports false if there is no such chart.
	Resolve(name, version string) (string, bool)
}

type background struct{}

func (background) Deadline() (time.Time, bool) { return time.Time{}, false }
func (background) Done() <-chan struct{}       { return nil }
func (background) Err() error                  { return nil }
func (background) Value(any) any               { return nil }
