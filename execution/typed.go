package execution

import (
	"encoding/json"

	"github.com/durachart/durachart/internal/jsonvalue"
)

// decodeContext decodes the context into c, which the caller owns. It panics with
// a contextError, which the call of the handler turns into an error.
func decodeContext[C any](m *machine, c *C) {
	if untyped, ok := any(c).(*map[string]any); ok {
		*untyped = jsonvalue.CloneObject(m.context.value())
		return
	}
	text, err := m.context.bytes()
	if err == nil {
		err = json.Unmarshal(text, c)
	}
	if err != nil {
		panic(&contextError{err})
	}
}

// valueError says that what a handler wrote cannot be stored.
type valueError struct{ err error }

func (e *valueError) Error() string { return "context: " + e.err.Error() }
func (e *valueError) Unwrap() error { return e.err }

// act runs an action over a typed context and merges back what it wrote (S73).
func act[C any](c *call, f func(Ctx, *Scope[C]) error) error {
	ctx := c.m.host.Ctx
	if ctx == nil {
		ctx = background{}
	}
	s := &Scope[C]{c: c}
	if err := f(ctx, s); err != nil {
		return err
	}
	if s.context == nil {
		return nil
	}
	after, err := jsonvalue.ObjectOf(any(*s.context))
	if err != nil {
		return &valueError{err}
	}
	return merge[C](c.m, after)
}

// merge replaces the keys of after in the context, and removes those that a C
// decoded from the context before the call writes and after lacks. Keys that C
// does not know stay.
func merge[C any](m *machine, after map[string]any) error {
	old := m.context.value()
	gone := 0
	for key := range old {
		if _, ok := after[key]; !ok {
			gone++
		}
	}
	if gone == 0 {
		if !jsonvalue.Identical(old, after) {
			m.context.replace(after)
		}
		return nil
	}
	var before C
	decodeContext(m, &before)
	known, err := jsonvalue.ObjectOf(any(before))
	if err != nil {
		return &valueError{err}
	}
	for key, v := range old {
		_, written := after[key]
		_, wrote := known[key]
		if !written && !wrote {
			after[key] = v
		}
	}
	m.context.replace(after)
	return nil
}
