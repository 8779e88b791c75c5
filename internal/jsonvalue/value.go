package jsonvalue

import "strconv"

// value reads the next value of any type, depth levels below the top.
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
