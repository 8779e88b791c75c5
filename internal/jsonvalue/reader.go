package jsonvalue

import (
	"fmt"
	"strconv"
)

// Reader reads JSON piece by piece, for records whose fields are known:
//
//	r := jsonvalue.NewReader(data)
//	r.BeginObject()
//	for r.More() {
//		switch r.Key() {
//		case "id":
//			s.ID = r.Text()
//		default:
//			s.extra = append(s.extra, r.Raw())
//		}
//	}
//	r.EndObject()
//	return r.End()
//
// The first error stays: from then on More is false and every method returns the
// zero value, so only End needs a check. A Reader is as strict as [Decode],
// duplicate keys included. It reads data and never keeps or changes it.
type Reader struct {
	data []byte
	pos  int
	err  error
	s    *scratch
}

// level is an array or object that is open.
type level struct {
	object  bool
	started bool // More has been true once
	start   int  // object: offset of its first key
	last    string
	seen    map[string]struct{} // object: all keys, once they were out of order
}

// NewReader returns a Reader at the start of data.
func NewReader(data []byte) *Reader {
	return &Reader{data: data, s: scratches.Get().(*scratch)}
}

// Err returns the first error so far.
func (r *Reader) Err() error { return r.err }

// Fail makes reason the error of the reader at the place where it stands, for
// callers whose own rules are violated. It does nothing after another error.
func (r *Reader) Fail(reason error, detail string) {
	if r.err == nil {
		r.err = &Error{Reason: reason, Offset: r.pos, Detail: detail}
	}
}

// End reports the first error, or that something follows the value. The Reader
// is of no use afterwards.
func (r *Reader) End() error {
	if r.err == nil {
		if r.space(); r.pos < len(r.data) {
			r.Fail(ErrSyntax, "something follows the value")
		} else if len(r.s.opened) > 0 {
			r.Fail(ErrSyntax, "not closed")
		}
	}
	if r.s != nil {
		r.s.release()
		r.s = nil
	}
	return r.err
}

// space skips blanks and returns the byte that follows, 0 at the end.
func (r *Reader) space() byte {
	for r.pos < len(r.data) {
		c := r.data[r.pos]
		if c > ' ' || c != ' ' && c != '\n' && c != '\t' && c != '\r' {
			return c
		}
		r.pos++
	}
	return 0
}

func (r *Reader) unexpected(want string) {
	if r.err != nil {
		return
	}
	if r.pos >= len(r.data) {
		r.Fail(ErrSyntax, "unexpected end, want "+want)
		return
	}
	r.Fail(ErrSyntax, fmt.Sprintf("unexpected %q, want %s", r.data[r.pos], want))
}

// Null reads a null if one is next and reports whether it did.
func (r *Reader) Null() bool {
	if r.err != nil || r.space() != 'n' {
		return false
	}
	return r.word("null")
}

func (r *Reader) word(w string) bool {
	if len(r.data)-r.pos < len(w) || string(r.data[r.pos:r.pos+len(w)]) != w {
		r.unexpected("a value")
		return false
	}
	r.pos += len(w)
	return true
}

// Bool reads true or false.
func (r *Reader) Bool() bool {
	if r.err != nil {
		return false
	}
	switch r.space() {
	case 't':
		return r.word("true")
	case 'f':
		r.word("false")
	default:
		r.wrongType("true or false")
	}
	return false
}

// Int reads an integer.
func (r *Reader) Int() int64 {
	if r.err != nil {
		return 0
	}
	if c := r.space(); c != '-' && (c < '0' || c > '9') {
		r.wrongType("an integer")
		return 0
	}
	start := r.pos
	isInt := r.number()
	if r.err == nil && !isInt {
		r.pos = start
		r.wrongType("an integer")
	}
	return r.parseInt(start)
}

// Text reads a text.
func (r *Reader) Text() string {
	if b, ok := r.textBytes(); ok {
		return r.s.texts.key(b)
	}
	return ""
}

// TextOrNull reads a text or null; ok is false for null.
func (r *Reader) TextOrNull() (text string, ok bool) {
	if r.Null() {
		return "", false
	}
	text = r.Text()
	return text, r.err == nil
}

// Object reads a whole object as a value.
func (r *Reader) Object() map[string]any {
	if r.err == nil && r.space() != '{' {
		r.wrongType("an object")
	}
	m, _ := r.Value().(map[string]any)
	return m
}

// wrongType fails with ErrType if a JSON value is next, else with ErrSyntax.
func (r *Reader) wrongType(want string) {
	switch c := r.space(); {
	case c == '{', c == '[', c == '"', c == '-', c >= '0' && c <= '9', c == 't', c == 'f', c == 'n':
		r.Fail(ErrType, "want "+want)
	default:
		r.unexpected(want)
	}
}

// BeginObject reads the brace that opens an object.
func (r *Reader) BeginObject() { r.begin('{', "an object") }

// BeginArray reads the bracket that opens an array.
func (r *Reader) BeginArray() { r.begin('[', "an array") }

func (r *Reader) begin(open byte, want string) {
	if r.err != nil {
		return
	}
	if r.space() != open {
		r.wrongType(want)
		return
	}
	if len(r.s.opened) == MaxDepth {
		r.Fail(ErrDepth, "")
		return
	}
	r.pos++
	r.s.opened = append(r.s.opened, level{object: open == '{', start: r.pos})
}

// EndObject reads the brace that closes the object.
func (r *Reader) EndObject() { r.end('}') }

// EndArray reads the bracket that closes the array.
func (r *Reader) EndArray() { r.end(']') }

func (r *Reader) end(closing byte) {
	if r.err != nil {
		return
	}
	if r.space() != closing {
		r.unexpected(string(closing))
		return
	}
	r.pos++
	r.s.opened = r.s.opened[:len(r.s.opened)-1]
}

// More reports whether another member or element follows in the object or array
// that is open, and reads the comma before it.
func (r *Reader) More() bool {
	if r.err != nil {
		return false
	}
	l := &r.s.opened[len(r.s.opened)-1]
	c := r.space()
	if c == '}' && l.object || c == ']' && !l.object {
		return false
	}
	if l.started {
		if c != ',' {
			r.unexpected("a comma")
			return false
		}
		r.pos++
		if c = r.space(); c == '}' || c == ']' {
			r.unexpected("a value")
			return false
		}
	}
	l.started = true
	if c == 0 && r.pos >= len(r.data) {
		r.unexpected("a value")
		return false
	}
	return true
}

// Key reads the key of the next member and its colon.
func (r *Reader) Key() string {
	start := r.pos
	key := r.rawKey()
	if r.err != nil {
		return ""
	}
	// Keys in ascending order, as we write them, cannot repeat. Only when they
	// are not, all keys are remembered.
	l := &r.s.opened[len(r.s.opened)-1]
	if l.seen == nil && key > l.last {
		l.last = key
		return key
	}
	if l.seen == nil {
		l.seen = r.keysUpTo(l, start)
	}
	if _, twice := l.seen[key]; twice {
		r.pos = start
		r.Fail(ErrDuplicateKey, strconv.Quote(key))
		return ""
	}
	l.seen[key] = struct{}{}
	return key
}

// keysUpTo collects the keys of the open object l that stand before end.
func (r *Reader) keysUpTo(l *level, end int) map[string]struct{} {
	seen := map[string]struct{}{}
	back := *r
	back.pos = l.start
	for back.space() != 0 && back.pos < end {
		if back.data[back.pos] == ',' {
			back.pos++
			continue
		}
		seen[back.rawKey()] = struct{}{}
		back.skipValue(len(r.s.opened))
	}
	return seen
}

// rawKey reads a key and its colon without a check for duplicates.
func (r *Reader) rawKey() string {
	if r.err != nil {
		return ""
	}
	if r.space() != '"' {
		r.unexpected("a key")
		return ""
	}
	start := r.pos
	b, ok := r.textBytes()
	if !ok {
		return ""
	}
	for _, c := range b {
		if c == 0 {
			r.pos = start
			r.Fail(ErrKey, "")
			return ""
		}
	}
	key := r.s.texts.key(b)
	if r.space() != ':' {
		r.unexpected("a colon")
		return ""
	}
	r.pos++
	return key
}

// Raw reads the next value, checks it fully, and returns its bytes, which are
// part of the input.
func (r *Reader) Raw() []byte {
	if r.err != nil {
		return nil
	}
	r.space()
	start := r.pos
	r.skipValue(len(r.s.opened))
	if r.err != nil {
		return nil
	}
	return r.data[start:r.pos]
}

// Value reads the next value, whatever it is.
func (r *Reader) Value() any {
	if r.err != nil {
		return nil
	}
	v := r.value(len(r.s.opened))
	if r.err != nil {
		return nil
	}
	return v
}
