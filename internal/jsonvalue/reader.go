package jsonvalue

import (
	"fmt"
	"strconv"
	"unsafe"
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

func (r *Reader) value(depth int) any {
	switch c := r.space(); {
	case c == '"':
		if b, ok := r.textBytes(); ok {
			return r.s.texts.value(b)
		}
	case c == '{':
		return r.object(depth)
	case c == '[':
		return r.array(depth)
	case c == '-' || c >= '0' && c <= '9':
		start := r.pos
		if r.number() {
			return r.parseInt(start)
		}
		return r.parseFloat(start)
	case c == 't':
		return r.word("true")
	case c == 'f':
		r.word("false")
		return false
	case c == 'n':
		r.word("null")
	default:
		r.unexpected("a value")
	}
	return nil
}

// next is More for values that are read whole: it reads the comma or the closing
// byte and reports whether a member or element follows.
func (r *Reader) next(first bool, closing byte) bool {
	if r.err != nil {
		return false
	}
	switch c := r.space(); {
	case c == closing:
		r.pos++
		return false
	case first:
		return true
	case c == ',':
		r.pos++
		if r.space() == closing {
			r.unexpected("a value")
			return false
		}
		return true
	}
	r.unexpected("a comma or " + string(closing))
	return false
}

func (r *Reader) object(depth int) any {
	if depth == MaxDepth {
		r.Fail(ErrDepth, "")
		return nil
	}
	r.pos++
	m := make(map[string]any)
	for n := 0; r.next(n == 0, '}'); n++ {
		start := r.pos
		key := r.rawKey()
		if r.err != nil {
			return nil
		}
		m[key] = r.value(depth + 1)
		if len(m) == n {
			r.pos = start
			r.Fail(ErrDuplicateKey, strconv.Quote(key))
		}
	}
	return m
}

func (r *Reader) array(depth int) any {
	if depth == MaxDepth {
		r.Fail(ErrDepth, "")
		return nil
	}
	r.pos++
	base := len(r.s.stack)
	for first := true; r.next(first, ']'); first = false {
		v := r.value(depth + 1)
		r.s.stack = append(r.s.stack, v)
	}
	list := make([]any, len(r.s.stack)-base)
	copy(list, r.s.stack[base:])
	r.s.stack = r.s.stack[:base]
	return list
}

// skipValue checks the next value like value, without building it. Duplicate
// keys need a set, which value has for free: out of order objects are read.
func (r *Reader) skipValue(depth int) {
	switch c := r.space(); {
	case c == '"':
		r.textBytes()
	case c == '-' || c >= '0' && c <= '9':
		start := r.pos
		if r.number() {
			r.parseInt(start)
		} else {
			r.parseFloat(start)
		}
	case c == '{' || c == '[':
		r.skipNested(depth)
	default:
		r.value(depth)
	}
}

func (r *Reader) skipNested(depth int) {
	if depth == MaxDepth {
		r.Fail(ErrDepth, "")
		return
	}
	start, object := r.pos, r.data[r.pos] == '{'
	closing := r.data[r.pos] + 2 // in ASCII "]" is "[" + 2, "}" is "{" + 2
	r.pos++
	last := ""
	for first := true; r.next(first, closing); first = false {
		if object {
			key := r.rawKey()
			if !first && key <= last || first && key < last {
				// Not ascending: read the object as a value from its start, which
				// finds duplicates.
				if r.err == nil {
					r.pos = start
					r.object(depth)
				}
				return
			}
			last = key
		}
		r.skipValue(depth + 1)
	}
}

// number reads the longest JSON number and reports whether it is an integer.
func (r *Reader) number() (isInt bool) {
	d, i := r.data, r.pos
	if i < len(d) && d[i] == '-' {
		i++
	}
	first := i
	i = digits(d, i)
	if i == first || d[first] == '0' && i > first+1 {
		r.pos = first
		r.unexpected("a number")
		return false
	}
	isInt = true
	if i < len(d) && d[i] == '.' {
		isInt = false
		from := i + 1
		if i = digits(d, from); i == from {
			r.pos = i
			r.unexpected("a digit")
			return false
		}
	}
	if i < len(d) && (d[i] == 'e' || d[i] == 'E') {
		isInt = false
		if i++; i < len(d) && (d[i] == '+' || d[i] == '-') {
			i++
		}
		from := i
		if i = digits(d, from); i == from {
			r.pos = i
			r.unexpected("a digit")
			return false
		}
	}
	r.pos = i
	return isInt
}

func digits(d []byte, i int) int {
	for i < len(d) && d[i] >= '0' && d[i] <= '9' {
		i++
	}
	return i
}

// parseInt converts the integer between start and the current place.
func (r *Reader) parseInt(start int) int64 {
	if r.err != nil {
		return 0
	}
	b := r.data[start:r.pos]
	if len(b) < 19 { // cannot overflow
		var n int64
		neg := b[0] == '-'
		if neg {
			b = b[1:]
		}
		for _, c := range b {
			n = n*10 + int64(c-'0')
		}
		if neg {
			n = -n
		}
		return n
	}
	n, err := strconv.ParseInt(view(b), 10, 64)
	if err != nil {
		r.pos = start
		r.Fail(ErrNumber, string(b))
	}
	return n
}

func (r *Reader) parseFloat(start int) float64 {
	if r.err != nil {
		return 0
	}
	b := r.data[start:r.pos]
	f, err := strconv.ParseFloat(view(b), 64)
	if err != nil {
		r.pos = start
		r.Fail(ErrNumber, string(b))
	}
	return f
}

// view is b as a string without a copy, for calls that do not keep it.
func view(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }
