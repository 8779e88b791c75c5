package execution

import (
	"encoding/json"
	"errors"
	"fmt"
	"runtime/debug"
	"time"

	"github.com/durachart/durachart/internal/jsonvalue"
	"github.com/durachart/durachart/statechart"
)

// call is one call of a handler, behind its scope or view.
type call struct {
	m       *machine
	name    string // of the handler
	inputs  []statechart.Input
	n       int // number of the action call in the step
	state   *statechart.State
	reading bool // of a guard or selector
	over    bool // the handler has returned
}

// errOver is what a scope answers that was kept beyond its call.
var errOver = errors.New("execution: the call of the action is over")

func (c *call) event() Event   { return c.m.event }
func (c *call) id() string     { return c.m.in.ID }
func (c *call) now() time.Time { return time.UnixMilli(c.m.now).UTC() }
func (c *call) key() string    { return DerivedID(c.m.in.ID, c.m.given.ID, itoa(c.n)) }

func (c *call) input(name string) any {
	for _, in := range c.inputs {
		if in.Key == name {
			return jsonvalue.Clone(in.Value)
		}
	}
	return nil
}

func (c *call) in(path string) bool {
	s := c.m.chart.State(path)
	return s != nil && c.m.active.has(s)
}

func (c *call) log(text string) {
	if !c.over {
		c.m.line("log", word(text))
	}
}

func (c *call) cancelSend(id string) {
	if !c.over {
		c.m.cancelSend(id)
	}
}

// outgoing checks name and data of an event that an action makes.
func (c *call) outgoing(name string, data any) (json.RawMessage, error) {
	if c.over {
		return nil, errOver
	}
	if err := checkName(name, c.m.chart.Profile()); err != nil {
		return nil, err
	}
	obj, err := Object(data)
	if err != nil {
		return nil, fmt.Errorf("event %q: %w", name, err)
	}
	c.m.checkEventSize(obj)
	return obj, nil
}

func (c *call) raise(name string, data any) error {
	obj, err := c.outgoing(name, data)
	if err != nil {
		return err
	}
	c.m.line("raise", word(name))
	c.m.raiseOwn(name, obj)
	return nil
}

func (c *call) target(to string) (Target, string, error) {
	switch to {
	case Self:
		return Target{}, "", nil
	case Parent:
		if c.m.in.ParentID == "" {
			return Target{}, "", fmt.Errorf("%w: there is no parent", ErrNoReceiver)
		}
		return Target{ID: c.m.in.ParentID}, word(c.m.in.ParentID), nil
	case Children:
		return Target{Children: true}, "children", nil
	}
	return Target{ID: to}, word(to), nil
}

func (c *call) send(to, name string, data any) error {
	obj, err := c.outgoing(name, data)
	if err != nil {
		return err
	}
	target, shown, err := c.target(to)
	if err != nil {
		return err
	}
	c.m.sendNow(target, shown, name, obj)
	return nil
}

func (c *call) sendAfter(d time.Duration, id, to, name string, data any) error {
	obj, err := c.outgoing(name, data)
	if err != nil {
		return err
	}
	target, shown, err := c.target(to)
	if err != nil {
		return err
	}
	if id != "" && !statechart.ValidName(id) {
		return fmt.Errorf("send %q as %q: %w: malformed send id", name, id, ErrInvalidEvent)
	}
	if d < 0 || d > c.m.limits.Delay {
		return fmt.Errorf("send %q after %v: %w: delay", name, d, ErrInvalidEvent)
	}
	ms := d.Milliseconds()
	if d%time.Millisecond != 0 {
		ms++ // never early
	}
	c.m.sendLater(c.m.now+ms, id, target, shown, name, obj)
	return nil
}

// panicError is what a handler panicked with.
type panicError struct {
	value any
	stack string
}

func (e *panicError) Error() string { return fmt.Sprint(e.value) }

// contextError says that the context does not fit the type of the handler.
type contextError struct{ err error }

func (e *contextError) Error() string { return "context: " + e.err.Error() }
func (e *contextError) Unwrap() error { return e.err }

// guarded runs a handler and turns its panic into an error.
func (m *machine) guarded(c *call, f func() error) (err error) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case *contextError:
			err = r
		default:
			stack := string(debug.Stack())
			err = &panicError{value: r, stack: stack}
			if m.host.Panicked != nil {
				m.host.Panicked(Panic{Execution: m.in.ID, Event: m.given.ID, Handler: c.name, Value: r, Stack: stack})
			}
		}
	}()
	return f()
}

// callFault describes what a handler returned or panicked with.
func callFault(c *call, kind string, err error) *fault {
	f := &fault{kind: kind, action: c.name, message: errorText(err)}
	var p *panicError
	var v *valueError
	switch {
	case errors.As(err, &p):
		f.kind, f.stack = kindPanic, p.stack
	case errors.As(err, &v):
		f.kind = kindValue
	case errors.Is(err, ErrNoReceiver):
		f.kind = kindSend
	}
	return f
}

// errorText is the text of an error of a handler; a text that panics or is no
// UTF-8 must not harm the step.
func errorText(err error) (text string) {
	defer func() {
		if recover() != nil {
			text = fmt.Sprintf("%T", err)
		}
	}()
	return err.Error()
}

// actionFault is callFault for actions, which may ask to be tried again (S44).
func (m *machine) actionFault(c *call, h *handler, err error) *fault {
	f := callFault(c, kindAction, err)
	if f.kind != kindAction || !isTransient(err) {
		return f
	}
	if attempt := m.host.Attempt + 1; attempt < h.retry.Attempts {
		m.retry = &RetryError{Action: c.name, Key: c.key(), Attempt: attempt, Policy: h.retry, Err: err}
		return nil
	}
	f.kind = kindTransient
	return f
}
