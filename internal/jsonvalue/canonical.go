package jsonvalue

import (
	"bytes"
	"unicode/utf8"
)

// Canonical returns the canonical form of the JSON text raw, checked like
// [Decode]. If raw is canonical already it is returned itself, without a copy.
func Canonical(raw []byte) ([]byte, error) {
	if isCanonical(raw) {
		return raw, nil
	}
	v, err := Decode(raw)
	if err != nil {
		return nil, err
	}
	return Encode(v)
}

// CanonicalObject is [Canonical] for a text that must be an object; empty raw
// means {}.
func CanonicalObject(raw []byte) ([]byte, error) {
	if len(raw) == 0 {
		return []byte("{}"), nil
	}
	out, err := Canonical(raw)
	if err == nil && out[0] != '{' {
		return nil, &Error{Reason: ErrType, Offset: 0, Detail: "want an object"}
	}
	return out, err
}

// isCanonical reports whether raw is a valid value in canonical form. It may say
// no where a closer look would say yes, but never the reverse.
func isCanonical(raw []byte) bool {
	r := NewReader(raw)
	ok := r.canonical(0) && r.pos == len(raw)
	r.End()
	return ok
}

func (r *Reader) canonical(depth int) bool {
	if r.pos >= len(r.data) {
		return false
	}
	start := r.pos
	switch c := r.data[start]; {
	case c == '"':
		_, _, ok := r.canonicalText()
		return ok
	case c == '-' || c >= '0' && c <= '9':
		return r.canonicalNumber(start)
	case c == '{' || c == '[':
		return depth < MaxDepth && r.canonicalNested(depth)
	case c == 't', c == 'f', c == 'n':
		r.value(depth)
		return r.err == nil
	}
	return false
}

func (r *Reader) canonicalNumber(start int) bool {
	if r.number() {
		n := r.parseInt(start)
		return r.err == nil && (n != 0 || r.data[start] != '-')
	}
	f := r.parseFloat(start)
	if r.err != nil {
		return false
	}
	var buf [32]byte
	return bytes.Equal(AppendFloat(buf[:0], f), r.data[start:r.pos])
}

// canonicalNested checks an object or array: no blanks, keys ascending.
func (r *Reader) canonicalNested(depth int) bool {
	object := r.data[r.pos] == '{'
	closing := r.data[r.pos] + 2
	r.pos++
	var last []byte
	for first := true; ; first = false {
		if r.pos >= len(r.data) {
			return false
		}
		if r.data[r.pos] == closing {
			r.pos++
			return true
		}
		if !first {
			if r.data[r.pos] != ',' {
				return false
			}
			r.pos++
		}
		if object {
			key, ok := r.canonicalKey()
			if !ok || !first && bytes.Compare(key, last) <= 0 {
				return false
			}
			last = key
		}
		if !r.canonical(depth + 1) {
			return false
		}
	}
}

// canonicalKey reads a key and its colon. Keys with escapes are left to the slow
// way: their order is that of the decoded text.
func (r *Reader) canonicalKey() ([]byte, bool) {
	if r.pos >= len(r.data) || r.data[r.pos] != '"' {
		return nil, false
	}
	key, escaped, ok := r.canonicalText()
	if !ok || escaped || r.pos >= len(r.data) || r.data[r.pos] != ':' {
		return nil, false
	}
	r.pos++
	return key, true
}

// canonicalText reads a text that holds no escape but the ones that we write.
func (r *Reader) canonicalText() (raw []byte, escaped, ok bool) {
	start, d := r.pos+1, r.data
	ascii := true
	for i := start; i < len(d); i++ {
		switch c := d[i]; {
		case c == '"':
			raw = d[start:i]
			r.pos = i + 1
			return raw, escaped, ascii || utf8.Valid(raw)
		case c == '\\':
			n := canonicalEscape(d[i:])
			if n == 0 {
				return nil, true, false
			}
			escaped = true
			i += n - 1
		case c < ' ':
			return nil, false, false
		case c >= utf8.RuneSelf:
			ascii = false
		}
	}
	return nil, false, false
}

// canonicalEscape returns the length of the escape at the start of d if it is the
// one that [Append] writes for its character, else 0.
func canonicalEscape(d []byte) int {
	if len(d) < 2 {
		return 0
	}
	switch d[1] {
	case '"', '\\', 'n', 'r', 't':
		return 2
	}
	ru := hex4(d, 0)
	if ru < 0 || ru >= ' ' {
		return 0
	}
	var buf [6]byte
	if want := appendEscape(buf[:0], byte(ru)); !bytes.HasPrefix(d, want) {
		return 0
	}
	return 6
}
