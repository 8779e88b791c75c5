package execution

import (
	"encoding/json"

	"github.com/durachart/durachart/internal/jsonvalue"
)

// cached is a decoded context that a snapshot keeps along with its text. A fan-out
// reads one item for each child that it starts (S61): without it, starting n
// children would decode a list of n items n times. Other executions keep none: a
// decoded context is many times larger than its text.
type cached struct {
	text json.RawMessage // what obj was decoded from
	obj  map[string]any
}

// of returns what is kept for text, or nil.
func (c *cached) of(text json.RawMessage) map[string]any {
	if c == nil || len(text) == 0 || len(text) != len(c.text) || &text[0] != &c.text[0] {
		return nil
	}
	return c.obj
}

// keepItems keeps the decoded context if the next steps need it.
func (m *machine) keepItems() {
	kept := m.out.items
	m.out.items = nil
	if m.context.obj == nil {
		return
	}
	for i := range m.out.Sites {
		if s := &m.out.Sites[i]; s.Kind == SiteEach && s.Next < s.Total {
			if kept.of(m.out.Context) == nil {
				kept = &cached{text: m.out.Context, obj: m.context.obj}
			}
			m.out.items = kept
			return
		}
	}
}

// userData is the context of the execution during a step. It is text, a value, or
// both; each is made from the other when it is first needed. Values are shared
// and never changed in place.
type userData struct {
	text  json.RawMessage // valid unless dirty
	obj   map[string]any  // or nil
	dirty bool            // obj is newer than text
}

func (u *userData) value() map[string]any {
	if u.obj == nil {
		u.obj, _ = jsonvalue.DecodeObject(orEmpty(u.text))
		if u.obj == nil {
			u.obj = map[string]any{}
		}
	}
	return u.obj
}

// bytes returns the canonical text.
func (u *userData) bytes() (json.RawMessage, error) {
	if u.dirty {
		text, err := jsonvalue.Encode(u.obj)
		if err != nil {
			return nil, err
		}
		u.text, u.dirty = text, false
	}
	return orEmpty(u.text), nil
}

// set writes v at path. It fails if something other than an object is in the way,
// or if the context would be nested too deep.
func (u *userData) set(path []string, v any) error {
	if err := jsonvalue.Check(v, len(path)); err != nil {
		return err
	}
	obj, err := jsonvalue.With(u.value(), path, v)
	if err != nil {
		return err
	}
	u.obj, u.dirty = obj, true
	return nil
}

// replace makes obj the context.
func (u *userData) replace(obj map[string]any) {
	u.obj, u.dirty = obj, true
}
