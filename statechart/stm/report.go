package stm

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/durachart/durachart/statechart"
)

// Report returns the problems in their text form (S100): each with the line that
// it is about and a hint if there is one. It is empty without problems.
func (f *File) Report() string {
	var b strings.Builder
	for _, p := range f.Problems {
		f.format(&b, p)
	}
	return b.String()
}

// Format returns the text form of one problem of the file.
func (f *File) Format(p statechart.Problem) string {
	var b strings.Builder
	f.format(&b, p)
	return b.String()
}

func (f *File) format(b *strings.Builder, p statechart.Problem) {
	b.WriteString(p.String())
	b.WriteByte('\n')
	if src := f.sources[p.Pos.File]; src != nil && p.Pos.Known() {
		excerpt(b, src, p.Pos)
	}
	if p.Hint != "" {
		fmt.Fprintf(b, "   hint: %s\n", p.Hint)
	}
}

// excerpt writes the line of pos and marks the token that begins there.
func excerpt(b *strings.Builder, src *source, pos statechart.Pos) {
	line := src.line(pos.Line)
	number := fmt.Sprintf("%5d", pos.Line)
	fmt.Fprintf(b, "%s | %s\n", number, line)
	fmt.Fprintf(b, "%s | ", strings.Repeat(" ", len(number)))
	before, rest := line, ""
	for i, n := 0, 1; i < len(line); n++ {
		if n == pos.Column {
			before, rest = line[:i], line[i:]
			break
		}
		_, size := utf8.DecodeRuneInString(line[i:])
		i += size
	}
	for _, r := range before {
		if r == '\t' {
			b.WriteRune(r) // so that the mark stands below, however wide a tab is
		} else {
			b.WriteByte(' ')
		}
	}
	b.WriteString(strings.Repeat("^", max(1, width(rest))))
	b.WriteByte('\n')
}

// width returns how many characters the token at the start of text has.
func width(text string) int {
	toks := lex(newSource("", text), func(statechart.Pos, string, string) {})
	t := toks.list[0]
	if t.is(tokPunct, ".") && len(toks.list) > 1 && toks.list[1].start == t.end {
		t.end = toks.list[1].end // a target that begins with a dot
	}
	return utf8.RuneCountInString(text[:t.end])
}
