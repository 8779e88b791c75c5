package jsonvalue

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
