package execution

import "time"

// Destinations of [Scope.Send] besides execution ids.
const (
	Self     = ""           // this execution
	Parent   = "#_parent"   // the execution that waits for this one
	Children = "#_children" // the live children of all sites
)

// Scope is what an action sees and may do (S72). It is valid during the call
// only.
type Scope[C any] struct {
	c       *call
	context *C
}

// Event returns the event whose selection led to the action (S36).
func (s *Scope[C]) Event() Event { return s.c.event() }

// Context returns the user data, decoded for this call. What the action writes
// into it is merged back when it returns nil (S73): keys that C knows are
// replaced or removed, others stay.
func (s *Scope[C]) Context() *C {
	if s.context == nil {
		s.context = new(C)
		decodeContext(s.c.m, s.context)
	}
	return s.context
}

// Input returns an input of the call, nil if the chart gives none of that name:
// a bool, int64, float64, string or []any.
func (s *Scope[C]) Input(name string) any { return s.c.input(name) }

// Key is the idempotency key of this call: the same for every repetition of the
// step (S74, P5).
func (s *Scope[C]) Key() string { return s.c.key() }

// Now is the time of the step, in milliseconds, constant throughout it.
func (s *Scope[C]) Now() time.Time { return s.c.now() }

// ID is the id of the execution.
func (s *Scope[C]) ID() string { return s.c.id() }

// In reports whether the state with that path is active in this execution, as it
// is in the middle of the step.
func (s *Scope[C]) In(path string) bool { return s.c.in(path) }

// Raise appends an internal event; it is handled in this step. data is a JSON
// object as for [NewEvent]. It returns ErrInvalidEvent for a reserved or
// malformed name and for data that cannot be stored.
func (s *Scope[C]) Raise(name string, data any) error { return s.c.raise(name, data) }

// Send emits an external event to an execution, to [Self], [Parent] or
// [Children]. It returns ErrInvalidEvent as Raise does, ErrNoReceiver if there is
// no parent. Whether an id exists is not known here: what cannot be delivered
// becomes a dead letter.
func (s *Scope[C]) Send(to, name string, data any) error { return s.c.send(to, name, data) }

// SendAfter is Send after a delay; zero is due at once. A pending one with the
// same send id is replaced (S50); an empty id is none.
func (s *Scope[C]) SendAfter(d time.Duration, id, to, name string, data any) error {
	return s.c.sendAfter(d, id, to, name, data)
}

// CancelSend drops the pending delayed send with that id; an unknown id is no
// error.
func (s *Scope[C]) CancelSend(id string) { s.c.cancelSend(id) }

// Log adds a line to the trace.
func (s *Scope[C]) Log(text string) { s.c.log(text) }

// View is what a guard or selector sees (S72). Nothing in it changes anything.
type View[C any] struct{ c *call }

// Event returns the event that is being selected for.
func (v View[C]) Event() Event { return v.c.event() }

// Context returns a copy of the user data.
func (v View[C]) Context() C {
	var c C
	decodeContext(v.c.m, &c)
	return c
}

// Input returns an input of the call, nil if the chart gives none of that name.
func (v View[C]) Input(name string) any { return v.c.input(name) }

// Now is the time of the step.
func (v View[C]) Now() time.Time { return v.c.now() }

// In reports whether the state with that path is active in this execution.
func (v View[C]) In(path string) bool { return v.c.in(path) }
