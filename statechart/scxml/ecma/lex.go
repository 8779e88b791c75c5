package ecma

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// ErrSyntax reports a text that is no ECMAScript expression.
var ErrSyntax = errors.New("ecma: no expression")

// ErrUnsupported reports a valid expression that this package does not read.
var ErrUnsupported = errors.New("ecma: unsupported expression")

type tokenKind uint8

const (
	end tokenKind = iota
	number
	text
	word
	punct
)

type token struct {
	kind tokenKind
	text string // source form; of a text its value
}

// puncts are longest first.
var puncts = []string{
	"===", "!==", "==", "!=", "<=", ">=", "&&", "||",
	"(", ")", "[", "]", "{", "}", ".", ",", "?", ":", "<", ">", "+", "-", "*", "/", "%", "!",
}

func lex(src string) ([]token, error) {
	var out []token
	for rest := src; ; {
		rest = strings.TrimLeftFunc(rest, unicode.IsSpace)
		if rest == "" {
			return append(out, token{kind: end}), nil
		}
		tok, n, err := next(rest)
		if err != nil {
			return nil, err
		}
		out = append(out, tok)
		rest = rest[n:]
	}
}

func next(s string) (token, int, error) {
	r, _ := utf8.DecodeRuneInString(s)
	switch {
	case r == '\'' || r == '"':
		return lexText(s)
	case r >= '0' && r <= '9' || r == '.' && len(s) > 1 && s[1] >= '0' && s[1] <= '9':
		return lexNumber(s)
	case isWordStart(r):
		n := strings.IndexFunc(s, func(r rune) bool { return !isWordStart(r) && !unicode.IsDigit(r) })
		if n < 0 {
			n = len(s)
		}
		return token{word, s[:n]}, n, nil
	}
	for _, p := range puncts {
		if strings.HasPrefix(s, p) {
			return token{punct, p}, len(p), nil
		}
	}
	return token{}, 0, fmt.Errorf("%w: unexpected %q", ErrSyntax, r)
}

func isWordStart(r rune) bool { return r == '_' || r == '$' || unicode.IsLetter(r) }

func lexNumber(s string) (token, int, error) {
	n := 0
	for n < len(s) && (strings.ContainsRune("0123456789.eExXabcdefABCDEF", rune(s[n])) ||
		(s[n] == '+' || s[n] == '-') && (s[n-1] == 'e' || s[n-1] == 'E')) {
		n++
	}
	if _, err := strconv.ParseInt(s[:n], 0, 64); err == nil && !strings.HasPrefix(s, "0o") {
		return token{number, s[:n]}, n, nil
	}
	f, err := strconv.ParseFloat(s[:n], 64)
	if err != nil {
		return token{}, 0, fmt.Errorf("%w: number %q", ErrSyntax, s[:n])
	}
	return token{number, formatFloat(f)}, n, nil
}

func formatFloat(f float64) string {
	s := strconv.FormatFloat(f, 'g', -1, 64)
	if !strings.ContainsAny(s, ".e") {
		s += ".0"
	}
	return s
}

func lexText(s string) (token, int, error) {
	quote, i := s[0], 1
	var b strings.Builder
	for i < len(s) && s[i] != quote {
		if s[i] != '\\' {
			b.WriteByte(s[i])
			i++
			continue
		}
		r, _, tail, err := strconv.UnquoteChar(s[i:], quote)
		if err != nil { // ECMAScript lets any other character stand for itself
			if i+1 >= len(s) {
				break
			}
			b.WriteByte(s[i+1])
			i += 2
			continue
		}
		b.WriteRune(r)
		i = len(s) - len(tail)
	}
	if i >= len(s) {
		return token{}, 0, fmt.Errorf("%w: text without an end", ErrSyntax)
	}
	return token{text, b.String()}, i + 1, nil
}
