package jsonvalue

import "unsafe"

// Field is [Reader.Key] for keys that are only compared: the result is valid as
// long as the input is not changed, and must not be kept. It costs no look-up.
func (r *Reader) Field() string {
	if r.err != nil {
		return ""
	}
	start := r.pos
	raw, ok := r.plainKey()
	if !ok {
		r.pos = start
		return r.Key() // escapes, or an error
	}
	l := &r.s.opened[len(r.s.opened)-1]
	if l.seen != nil || raw <= l.last {
		r.pos = start
		return r.Key() // it has to look for duplicates
	}
	l.last = raw
	return raw
}

// plainKey reads a key of printable ASCII without escapes, and its colon.
func (r *Reader) plainKey() (string, bool) {
	if r.space() != '"' {
		return "", false
	}
	start := r.pos + 1
	for i := start; i < len(r.data); i++ {
		switch c := r.data[i]; {
		case c == '"':
			r.pos = i + 1
			if r.space() != ':' {
				return "", false
			}
			r.pos++
			return unsafe.String(unsafe.SliceData(r.data[start:]), i-start), true
		case c == '\\' || c < ' ' || c >= 0x80:
			return "", false
		}
	}
	return "", false
}

// CanonicalObject reads the next value, which must be an object, and returns its
// canonical form as a copy of its own.
func (r *Reader) CanonicalObject() []byte {
	if r.err != nil {
		return nil
	}
	if r.space() != '{' {
		r.wrongType("an object")
		return nil
	}
	start := r.pos
	if r.canonical(len(r.s.opened)) && r.err == nil {
		return append([]byte(nil), r.data[start:r.pos]...)
	}
	r.pos, r.err = start, nil
	v := r.Value()
	if r.err != nil {
		return nil
	}
	out, err := Encode(v)
	if err != nil {
		r.Fail(ErrType, err.Error())
	}
	return out
}
