package jsonvalue

import "sync"

// MaxDepth is how deep values may be nested: a text or number has depth 0, [] 1.
const MaxDepth = 64

// Decode reads one JSON value that fills data, as strictly as S20 says. Errors
// match [ErrInvalid]. The value shares no memory with data.
func Decode(data []byte) (any, error) {
	r := NewReader(data)
	v := r.Value()
	if err := r.End(); err != nil {
		return nil, err
	}
	return v, nil
}

// DecodeObject is [Decode] for data that must be an object, as contexts and the
// data of events are. Anything else is [ErrType].
func DecodeObject(data []byte) (map[string]any, error) {
	r := NewReader(data)
	m := r.Object()
	if err := r.End(); err != nil {
		return nil, err
	}
	return m, nil
}

// scratch is what a Reader needs beside its input. It is pooled, because its
// text cache is what makes keys and other repeated texts free of allocation.
type scratch struct {
	texts  textCache
	stack  []any  // elements of arrays that are still open
	text   []byte // a text with escapes
	opened []level
}

var scratches = sync.Pool{New: func() any { return new(scratch) }}

// maxKeptStack bounds what a pooled scratch keeps alive after a large value.
const maxKeptStack = 4096

func (s *scratch) release() {
	clear(s.stack[:cap(s.stack)])
	if cap(s.stack) > maxKeptStack {
		s.stack = nil
	}
	if cap(s.text) > maxKeptStack {
		s.text = nil
	}
	s.stack, s.text, s.opened = s.stack[:0], s.text[:0], s.opened[:0]
	scratches.Put(s)
}
