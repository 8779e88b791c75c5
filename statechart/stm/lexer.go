package stm

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/durachart/durachart/statechart"
)

// tokens is a file cut into tokens; the last one is tokEOF.
type tokens struct {
	list     []token
	docs     []string       // lines of doc comments
	unclosed map[int32]bool // lines that end inside a text
}

// lexer cuts a source into tokens. It never fails: what is no token of the
// language is one of kind tokOther, which the parser refuses where it stands, and
// what is wrong inside a text is reported and the text goes on.
type lexer struct {
	src    *source
	text   string
	i      int
	line   int32
	col    int32 // column of the byte at i, counted in characters
	first  bool
	out    tokens
	report func(pos statechart.Pos, message, hint string)
}

func lex(src *source, report func(pos statechart.Pos, message, hint string)) tokens {
	l := &lexer{src: src, text: src.text, line: 1, col: 1, first: true, report: report}
	l.out.list = make([]token, 0, len(src.text)/5+1)
	for l.next() {
	}
	return l.out
}

// next reads one token, after blanks and comments, and reports whether it was
// not the end.
func (l *lexer) next() bool {
	l.skip()
	t := token{first: l.first, line: l.line, col: l.col, start: int32(l.i), docs: int32(len(l.out.docs))}
	l.first = false
	if l.i >= len(l.text) {
		t.end = t.start
		l.out.list = append(l.out.list, t)
		return false
	}
	switch c := l.text[l.i]; {
	case isWordStart(c):
		t.kind = l.word()
	case isDigit(c) || (c == '-' || c == '+') && l.i+1 < len(l.text) && isDigit(l.text[l.i+1]):
		t.kind = l.number()
	case c == '"':
		t.kind, t.text = tokStr, l.str()
	default:
		t.kind = l.punct()
	}
	t.end = int32(l.i)
	if t.kind != tokStr {
		t.text = l.text[t.start:t.end]
		l.col += int32(utf8.RuneCountInString(t.text))
	}
	l.out.list = append(l.out.list, t)
	return true
}

// skip goes over blanks, line ends and comments.
func (l *lexer) skip() {
	for l.i < len(l.text) {
		switch c := l.text[l.i]; {
		case c == '\n':
			l.i++
			l.line++
			l.col, l.first = 1, true
		case c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v':
			l.i++
			l.col++
		case c == '#' || c == '/' && strings.HasPrefix(l.text[l.i:], "//"):
			l.comment()
		default:
			return
		}
	}
}

// comment goes to the end of the line. Three slashes, but not more, make a doc
// comment; a longer row of them is a ruler.
func (l *lexer) comment() {
	end := strings.IndexByte(l.text[l.i:], '\n')
	if end < 0 {
		end = len(l.text) - l.i
	}
	if doc, ok := strings.CutPrefix(l.text[l.i:l.i+end], "///"); ok && !strings.HasPrefix(doc, "/") {
		l.out.docs = append(l.out.docs, strings.TrimRight(strings.TrimPrefix(doc, " "), " \t\r"))
	}
	l.i += end
}

func isWordStart(c byte) bool {
	return c == '_' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func isWordByte(c byte) bool { return isWordStart(c) || isDigit(c) }

// word reads a Word, or Words joined by "." without blanks.
func (l *lexer) word() tokenKind {
	kind := tokWord
	for {
		for l.i < len(l.text) && isWordByte(l.text[l.i]) {
			l.i++
		}
		if l.i+1 >= len(l.text) || l.text[l.i] != '.' || !isWordStart(l.text[l.i+1]) {
			return kind
		}
		kind = tokDotted
		l.i++
	}
}

// number reads an Int, a Float or a Duration; digits that run into letters
// otherwise are tokOther.
func (l *lexer) number() tokenKind {
	kind, signed := tokInt, !isDigit(l.text[l.i])
	if signed {
		l.i++
	}
	l.digits()
	if l.at(0) == '.' && isDigit(l.at(1)) {
		kind = tokFloat
		l.i++
		l.digits()
	}
	if e := l.at(0); e == 'e' || e == 'E' {
		n := 1
		if s := l.at(1); s == '+' || s == '-' {
			n = 2
		}
		if isDigit(l.at(n)) {
			kind = tokFloat
			l.i += n
			l.digits()
		}
	}
	start := l.i
	for isWordByte(l.at(0)) {
		l.i++
	}
	switch unit := l.text[start:l.i]; unit {
	case "":
		return kind
	case "ms", "s", "m", "h", "d":
		if kind == tokInt && !signed {
			return tokDuration
		}
	}
	return tokOther
}

func (l *lexer) digits() {
	for isDigit(l.at(0)) {
		l.i++
	}
}

// at returns the byte n behind the current one, 0 beyond the end.
func (l *lexer) at(n int) byte {
	if l.i+n < len(l.text) {
		return l.text[l.i+n]
	}
	return 0
}

func (l *lexer) punct() tokenKind {
	c := l.text[l.i]
	switch two := l.text[l.i:min(l.i+2, len(l.text))]; two {
	case "==", "!=", "<=", ">=", "->", "=>":
		l.i += 2
		return tokPunct
	}
	if c < utf8.RuneSelf {
		l.i++
		if strings.IndexByte("{}()[],;:=<>|.*?", c) >= 0 {
			return tokPunct
		}
		return tokOther
	}
	// Letters beyond ASCII: take the whole word, to name it in one message.
	for l.i < len(l.text) {
		r, n := utf8.DecodeRuneInString(l.text[l.i:])
		if r < utf8.RuneSelf && !isWordByte(byte(r)) || !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_' {
			if l.text[l.i] == c { // not a letter at all
				l.i += n
			}
			break
		}
		l.i += n
	}
	return tokOther
}

// joinDoc makes one text of the lines of a doc comment.
func joinDoc(lines []string) string { return strings.Join(lines, "\n") }
