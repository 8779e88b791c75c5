package jsonvalue

import (
	"unicode/utf16"
	"unicode/utf8"
)

// textBytes reads a text and returns its decoded bytes, which are valid until
// the next text is read.
func (r *Reader) textBytes() ([]byte, bool) {
	if r.err != nil {
		return nil, false
	}
	if r.space() != '"' {
		r.wrongType("a text")
		return nil, false
	}
	start := r.pos + 1
	ascii := true
	for i := start; i < len(r.data); i++ {
		switch c := r.data[i]; {
		case c == '"':
			b := r.data[start:i]
			if !ascii && !utf8.Valid(b) {
				r.Fail(ErrText, "")
				return nil, false
			}
			r.pos = i + 1
			return b, true
		case c == '\\':
			return r.escapedText(start)
		case c < ' ':
			r.pos = i
			r.Fail(ErrSyntax, "control character in a text")
			return nil, false
		case c >= utf8.RuneSelf:
			ascii = false
		}
	}
	r.pos = len(r.data)
	r.unexpected(`a closing '"'`)
	return nil, false
}

// escapedText reads the text that starts behind its quote at start into scratch.
func (r *Reader) escapedText(start int) ([]byte, bool) {
	out, d := r.s.text[:0], r.data
	defer func() { r.s.text = out }()
	for i := start; i < len(d); {
		c := d[i]
		switch {
		case c == '"':
			if !utf8.Valid(out) {
				r.Fail(ErrText, "")
				return nil, false
			}
			r.pos = i + 1
			return out, true
		case c < ' ':
			r.pos = i
			r.Fail(ErrSyntax, "control character in a text")
			return nil, false
		case c != '\\':
			out = append(out, c)
			i++
			continue
		}
		r.pos = i
		if i+1 < len(d) && d[i+1] == 'u' {
			ru, n := r.unicodeEscape(i)
			if n == 0 {
				return nil, false
			}
			out = utf8.AppendRune(out, ru)
			i += n
			continue
		}
		plain := byte(0)
		if i+1 < len(d) {
			plain = unescape(d[i+1])
		}
		if plain == 0 {
			r.Fail(ErrSyntax, "unknown escape")
			return nil, false
		}
		out = append(out, plain)
		i += 2
	}
	r.pos = len(d)
	r.unexpected(`a closing '"'`)
	return nil, false
}

func unescape(c byte) byte {
	switch c {
	case '"', '\\', '/':
		return c
	case 'b':
		return '\b'
	case 'f':
		return '\f'
	case 'n':
		return '\n'
	case 'r':
		return '\r'
	case 't':
		return '\t'
	}
	return 0
}

// unicodeEscape reads \uXXXX at i, joined with the low surrogate that has to
// follow a high one, and returns its length, 0 after a failure.
func (r *Reader) unicodeEscape(i int) (rune, int) {
	ru := hex4(r.data, i)
	if ru < 0 {
		r.Fail(ErrSyntax, "unknown escape")
		return 0, 0
	}
	if !utf16.IsSurrogate(ru) {
		return ru, 6
	}
	if joined := utf16.DecodeRune(ru, hex4(r.data, i+6)); joined != utf8.RuneError {
		return joined, 12
	}
	r.Fail(ErrText, "lone surrogate")
	return 0, 0
}

// hex4 returns XXXX of \uXXXX at i, or -1.
func hex4(d []byte, i int) rune {
	if len(d)-i < 6 || d[i] != '\\' || d[i+1] != 'u' {
		return -1
	}
	var ru rune
	for _, c := range d[i+2 : i+6] {
		switch {
		case c >= '0' && c <= '9':
			c -= '0'
		case c >= 'a' && c <= 'f':
			c -= 'a' - 10
		case c >= 'A' && c <= 'F':
			c -= 'A' - 10
		default:
			return -1
		}
		ru = ru<<4 | rune(c)
	}
	return ru
}
