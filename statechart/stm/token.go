package stm

import "github.com/durachart/durachart/statechart"

// tokenKind is the kind of a token (S88).
type tokenKind uint8

const (
	tokEOF      tokenKind = iota
	tokWord               // state
	tokDotted             // acme.child
	tokStr                // "a text"; text is what it means
	tokInt                // -5
	tokFloat              // 1.5e3
	tokDuration           // 90s
	tokOther              // 5x, é: nothing of the language
	tokPunct              // { } == and so on
)

// token is one token of a file. Its text is a part of the source but for Str.
type token struct {
	kind  tokenKind
	first bool // the first on its line
	line  int32
	col   int32
	start int32 // offset in the source
	end   int32
	docs  int32 // how many lines of doc comments stand before it
	text  string
}

func (t token) is(kind tokenKind, text string) bool { return t.kind == kind && t.text == text }

// isPath reports whether t can be a CPath: a Word, a Dotted or a Str.
func (t token) isPath() bool { return t.kind == tokWord || t.kind == tokDotted || t.kind == tokStr }

// isKey reports whether t can be a Key.
func (t token) isKey() bool { return t.kind == tokWord || t.kind == tokStr }

func (t token) isName() bool { return t.kind == tokWord && !reserved[t.text] }

// isHandler reports whether t can be a Handler: a Name or a Dotted.
func (t token) isHandler() bool { return t.isName() || t.kind == tokDotted }

func (s *source) at(t token) statechart.Pos {
	return statechart.Pos{File: s.name, Line: int(t.line), Column: int(t.col)}
}

// show is how messages call t.
func (s *source) show(t token) string {
	switch t.kind {
	case tokEOF:
		return "the end"
	case tokStr:
		return s.text[t.start:t.end]
	}
	return `"` + t.text + `"`
}
