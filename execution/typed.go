package execution

import (
	"encoding/json"
	"reflect"
	"strings"

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

func (e *valueError) Error() string { return "context: " + plainText(e.err) }
func (e *valueError) Unwrap() error { return e.err }

// act runs an action over a typed context and merges back what it wrote (S73).
func act[C any](c *call, f func(Ctx, *Scope[C]) error, known keySet) error {
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
	return merge[C](c.m, after, known)
}

// merge replaces the keys of after in the context, and removes those that a C
// decoded from the context before the call writes and after lacks. Keys that C
// does not know stay.
func merge[C any](m *machine, after map[string]any, known keySet) error {
	old := m.context.value()
	gone, mine := false, false
	for key := range old {
		if _, ok := after[key]; !ok {
			gone = true
			mine = mine || known.may(key)
		}
	}
	switch {
	case !gone && jsonvalue.Identical(old, after), known.all:
	case !mine:
		keep(after, old, nil)
	default:
		var c C
		decodeContext(m, &c)
		before, err := jsonvalue.ObjectOf(any(c))
		if err != nil {
			return &valueError{err}
		}
		keep(after, old, before)
	}
	m.context.replace(after)
	return nil
}

// keep copies to after what only old has, but for the keys of before.
func keep(after, old, before map[string]any) {
	for key, v := range old {
		_, written := after[key]
		_, wrote := before[key]
		if !written && !wrote {
			after[key] = v
		}
	}
}

// keySet is which keys values of a type may write. It is found once, when the
// handler is made: most contexts hold keys that a handler's type does not know, and
// then it spares the step to decode the context a second time to see what is whose.
type keySet struct {
	all   bool // a map of the untyped form: every key is its own
	known map[string]bool
}

// may reports whether a value of the type may write key.
func (k keySet) may(key string) bool { return k.known == nil || k.known[key] }

var (
	untypedContext = reflect.TypeFor[map[string]any]()
	jsonMarshaler  = reflect.TypeFor[json.Marshaler]()
)

func keysOf(t reflect.Type) keySet {
	switch {
	case t == untypedContext:
		return keySet{all: true}
	case t.Kind() != reflect.Struct || reflect.PointerTo(t).Implements(jsonMarshaler):
		return keySet{} // anything
	}
	k := keySet{known: map[string]bool{}}
	if !k.add(t) {
		return keySet{}
	}
	return k
}

// add adds the keys of a struct. It reports false if they cannot be told.
func (k keySet) add(t reflect.Type) bool {
	for f := range t.Fields() {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if f.Anonymous && name == "" {
			inner := f.Type
			if inner.Kind() == reflect.Pointer {
				inner = inner.Elem()
			}
			if inner == t || inner.Kind() != reflect.Struct || reflect.PointerTo(inner).Implements(jsonMarshaler) || !k.add(inner) {
				return false
			}
			continue
		}
		if name == "" {
			name = f.Name
		}
		k.known[name] = true
	}
	return true
}
