package jsonvalue

import (
	"strconv"
	"unsafe"
)

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
