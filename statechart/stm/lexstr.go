package stm

import (
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// str reads a Str and returns what it means (S89). What is wrong in it is
// reported and read as best it can.
func (l *lexer) str() string {
	start, startCol := l.i, l.col
	l.i++
	l.col++
	// The usual text has no escape and is a part of the source.
	for i := l.i; i < len(l.text); i++ {
		switch l.text[i] {
		case '"':
			s := l.text[l.i:i]
			l.col += int32(utf8.RuneCountInString(s)) + 1
			l.i = i + 1
			return s
		case '\\', '\n':
			return l.escapedStr(start, startCol)
		}
	}
	return l.escapedStr(start, startCol)
}

func (l *lexer) escapedStr(start int, startCol int32) string {
	var b strings.Builder
	for l.i < len(l.text) && l.text[l.i] != '\n' {
		switch c := l.text[l.i]; c {
		case '"':
			l.i++
			l.col++
			return b.String()
		case '\\':
			l.escape(&b)
		default:
			r, n := utf8.DecodeRuneInString(l.text[l.i:])
			b.WriteRune(r)
			l.i += n
			l.col++
		}
	}
	s := strings.TrimSuffix(b.String(), "\r")
	pos := l.src.pos(start)
	pos.Column = int(startCol)
	if l.out.unclosed == nil {
		l.out.unclosed = make(map[int32]bool)
	}
	l.out.unclosed[l.line] = true
	l.report(pos, "this text is not closed on its line", `texts end with " on the line where they begin`)
	return s
}

// escape reads the escape that begins at the backslash.
func (l *lexer) escape(b *strings.Builder) {
	pos := l.src.pos(l.i)
	rest := l.text[l.i+1:]
	if eol := strings.IndexByte(rest, '\n'); eol >= 0 {
		rest = rest[:eol]
	}
	r, n := readEscape(rest)
	if n == 0 {
		l.report(pos, `unknown escape in a text`, `\\ stands for a backslash`)
		r = '\\'
	}
	b.WriteRune(r)
	l.i += n + 1
	l.col += int32(n) + 1
}

// readEscape reads what follows a backslash and returns its character and its
// length, 0 if it is none.
func readEscape(s string) (rune, int) {
	if s == "" {
		return 0, 0
	}
	switch s[0] {
	case '"', '\'', '\\', '/':
		return rune(s[0]), 1
	case 'n':
		return '\n', 1
	case 'r':
		return '\r', 1
	case 't':
		return '\t', 1
	case 'b':
		return '\b', 1
	case 'f':
		return '\f', 1
	case 'a':
		return '\a', 1
	case 'v':
		return '\v', 1
	case 'x':
		return readHex(s, 2)
	case 'u':
		r, n := readHex(s, 4)
		if !utf16.IsSurrogate(r) {
			return r, n
		}
		if len(s) > 6 && s[5] == '\\' && s[6] == 'u' {
			low, _ := readHex(s[6:], 4)
			if joined := utf16.DecodeRune(r, low); joined != utf8.RuneError {
				return joined, 11
			}
		}
		return 0, 0
	case 'U':
		r, n := readHex(s, 8)
		if !utf8.ValidRune(r) {
			return 0, 0
		}
		return r, n
	}
	return readOctal(s)
}

// readHex reads exactly n hex digits behind the letter at s[0].
func readHex(s string, n int) (rune, int) {
	if len(s) < n+1 {
		return 0, 0
	}
	var r rune
	for _, c := range []byte(s[1 : n+1]) {
		switch {
		case isDigit(c):
			c -= '0'
		case 'a' <= c && c <= 'f':
			c -= 'a' - 10
		case 'A' <= c && c <= 'F':
			c -= 'A' - 10
		default:
			return 0, 0
		}
		if r >= 1<<24 { // beyond Unicode anyway, and must not overflow
			return 0, 0
		}
		r = r<<4 | rune(c)
	}
	return r, n + 1
}

// readOctal reads one to three octal digits.
func readOctal(s string) (rune, int) {
	var r rune
	n := 0
	for n < len(s) && n < 3 && '0' <= s[n] && s[n] <= '7' {
		r = r<<3 | rune(s[n]-'0')
		n++
	}
	return r, n
}
