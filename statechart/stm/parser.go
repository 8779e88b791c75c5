package stm

import (
	"fmt"

	"github.com/durachart/durachart/statechart"
)

// parser reads a range of the tokens of a unit. Names that it meets mean what
// they mean in that unit, parameters of the fragment that it expands aside.
type parser struct {
	*unit
	pos    int // index of the next token
	end    int // index behind the last one
	depth  int // braces that are open
	nested int // bodies, predicates and lists that are open, to bound recursion
	docs   int32
	bodies []body // open ones, innermost last
	closed []body // the others so far

	m        *machine   // what is made
	env      *expansion // fragment that is expanded, or nil
	lost     bool       // a syntax error was met since the last item that was whole
	line     int32      // of the last syntax error
	unclosed bool       // a missing closing brace was reported
}

// body is where a body stands, to say which brace is missing.
type body struct {
	owner int // index of the keyword before it
	brace int
	end   int // index of the closing brace, or of what stands in its place
}

// maxNested bounds the recursion of the parser. Charts are nested 32 deep at
// most, values 64.
const maxNested = 200

// syntaxError unwinds the parser to the item that it reads.
type syntaxError struct{}

func (p *parser) peek() token { return p.ahead(0) }

// ahead returns the token n behind the next one, tokEOF beyond the range.
func (p *parser) ahead(n int) token {
	if p.pos+n < p.end {
		return p.toks.list[p.pos+n]
	}
	t := p.toks.list[p.end]
	t.kind = tokEOF
	return t
}

func (p *parser) next() token {
	t := p.peek()
	if t.kind == tokEOF {
		return t
	}
	p.pos++
	if t.kind == tokPunct {
		switch t.text {
		case "{":
			p.depth++
		case "}":
			p.depth--
		}
	}
	return t
}

func (p *parser) done() bool { return p.pos >= p.end }

// isWord reports whether the keyword is next.
func (p *parser) isWord(word string) bool { return p.peek().is(tokWord, word) }

func (p *parser) isPunct(punct string) bool { return p.peek().is(tokPunct, punct) }

// word reads the keyword if it is next.
func (p *parser) word(word string) bool {
	if p.isWord(word) {
		p.next()
		return true
	}
	return false
}

func (p *parser) punct(punct string) bool {
	if p.isPunct(punct) {
		p.next()
		return true
	}
	return false
}

// want reads the punctuation or fails.
func (p *parser) want(punct, where string) token {
	t := p.peek()
	if !p.punct(punct) {
		p.expected(fmt.Sprintf("%q %s", punct, where))
	}
	return t
}

func (p *parser) wantWord(word, where string) {
	if !p.word(word) {
		p.expected(fmt.Sprintf("%q %s", word, where))
	}
}

// expected fails at the next token.
func (p *parser) expected(what string) {
	t := p.peek()
	p.fail(t, fmt.Sprintf("expected %s, not %s", what, p.src.show(t)), hintFor(t))
}

// expectedName is expected for places where a name is wanted.
func (p *parser) expectedName(what string) {
	t := p.peek()
	hint := hintFor(t)
	if t.kind == tokWord && reserved[t.text] {
		hint = fmt.Sprintf("%q is a reserved word: as a name it stands in quotes", t.text)
	}
	p.fail(t, fmt.Sprintf("expected %s, not %s", what, p.src.show(t)), hint)
}

// hintFor explains tokens that people from other languages write.
func hintFor(t token) string {
	switch {
	case t.is(tokPunct, "->"), t.is(tokPunct, "=>"):
		return `a transition is written "from A to B on E"`
	case t.is(tokOther, "'"):
		return `texts stand in double quotes`
	case t.is(tokOther, "&"):
		return `write "and"`
	case t.is(tokPunct, "|"):
		return `between conditions write "or"`
	case t.is(tokOther, "!"):
		return `write "not"`
	case t.kind == tokOther && t.text[0] >= 0x80:
		return "names with other characters than ASCII letters, digits and _ stand in quotes"
	}
	return ""
}

// fail reports a syntax error at t and leaves the item.
func (p *parser) fail(t token, message, hint string) {
	p.syntax(t, message, hint)
	panic(syntaxError{})
}

// syntax reports a syntax error, unless it is one more on a line where nothing
// was understood since the last, or the line before ends inside a text, which
// has swallowed who knows what.
func (p *parser) syntax(t token, message, hint string) {
	swallowed := p.toks.unclosed[p.toks.list[max(p.pos-1, 0)].line]
	if !swallowed && (!p.lost || t.line != p.line) {
		p.problem(statechart.Error, "syntax", p.src.at(t), message, hint)
	}
	p.lost, p.line = true, t.line
}

// guarded runs read and reports whether it went through without a syntax error.
func (p *parser) guarded(read func()) (ok bool) {
	nested := p.nested
	defer func() {
		if r := recover(); r != nil {
			if _, is := r.(syntaxError); !is {
				panic(r)
			}
			p.nested, ok = nested, false
		}
	}()
	read()
	p.lost = false
	return true
}

// deeper counts a level of nesting and fails when there are too many.
func (p *parser) deeper() {
	if p.nested++; p.nested > maxNested {
		p.problem(statechart.Error, "too_large", p.src.at(p.peek()), "this is nested too deep", "")
		p.lost, p.line = true, p.peek().line
		panic(syntaxError{})
	}
}

func (p *parser) shallower() { p.nested-- }

// doc returns the doc comment before t.
func (p *parser) doc(t token) string {
	text := joinDoc(p.toks.docs[p.docs:t.docs])
	p.docs = t.docs
	return text
}

// recover skips to the next item of the body at depth, or to its closing brace,
// after an error in the item that began at start.
func (p *parser) recover(start, depth int) {
	began := p.toks.list[min(start, p.end)]
	if p.pos == start {
		p.next()
	}
	for !p.done() {
		t := p.peek()
		switch {
		case t.is(tokPunct, "}") && p.depth <= depth:
			return
		case p.beginsItem(t) && p.depth == depth, p.beginsItem(t) && t.first && t.col <= began.col:
			p.depth = depth
			return
		case t.is(tokPunct, "{"), t.is(tokWord, "state"), t.is(tokWord, "final"):
			p.lostFlow, p.lostStates = true, true
		case t.is(tokWord, "from"):
			p.lostFlow = true
		}
		p.next()
	}
}

// beginsItem reports whether t probably begins an item. Words that can continue
// one count only at the start of a line.
func (p *parser) beginsItem(t token) bool {
	if t.kind != tokWord {
		return false
	}
	continues, ok := itemKeywords[t.text]
	if !ok {
		return false
	}
	return !continues || t.first || t.text == "on" && isHook(p.ahead(1))
}

func isHook(t token) bool {
	return t.is(tokWord, "enter") || t.is(tokWord, "exit") || t.is(tokWord, "activity")
}
