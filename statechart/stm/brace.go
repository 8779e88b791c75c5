package stm

import "fmt"

// openBody reads the opening brace. If something else stands before it on the
// line, that is skipped; if it is missing although a body follows, it is taken as
// read; otherwise there is no body.
func (p *parser) openBody(owner int) bool {
	at := p.toks.list[owner]
	if !p.isPunct("{") {
		t := p.peek()
		hint := hintFor(t)
		if t.kind == tokEOF || p.beginsItem(t) || t.is(tokPunct, "}") {
			hint = `an empty body is written "{}"`
		}
		p.syntax(t, fmt.Sprintf(`expected "{", not %s`, p.src.show(t)), hint)
		p.lostFlow, p.lostStates = true, true
		for line := p.toks.list[max(p.pos-1, 0)].line; !p.done() && !p.isPunct("{"); p.next() {
			t := p.peek()
			if t.line != line || t.is(tokPunct, "}") || p.beginsItem(t) {
				if !t.first || t.col <= at.col || t.is(tokPunct, "}") {
					return false
				}
				p.bodies = append(p.bodies, body{owner: owner, brace: p.pos})
				p.depth++
				return true
			}
		}
	}
	if p.isPunct("{") {
		p.bodies = append(p.bodies, body{owner: owner, brace: p.pos})
	}
	return p.punct("{")
}

// closeBody reads the closing brace or says which one is missing.
func (p *parser) closeBody() {
	last := len(p.bodies) - 1
	b := p.bodies[last]
	p.bodies = p.bodies[:last]
	b.end = p.pos
	p.closed = append(p.closed, b)
	p.docs = p.peek().docs
	if p.punct("}") || p.unclosed {
		return
	}
	p.unclosed, p.lost = true, false
	p.lostFlow, p.lostStates = true, true
	if p.toks.unclosed != nil {
		return // a text has swallowed it
	}
	at, open := p.misses(b)
	p.syntax(at, fmt.Sprintf("a closing brace is missing before %s", p.src.show(at)),
		fmt.Sprintf("the brace that opens in line %d is not closed", open.line))
}

// misses guesses which body lacks its brace, and where: the first one that holds a
// line which begins no further in than the keyword of the body does. All that are
// inside got the brace of the body around them. Without such a line it is b, which
// is open at the end.
func (p *parser) misses(b body) (at, open token) {
	for _, c := range p.closed {
		owner := p.toks.list[c.owner]
		for _, t := range p.toks.list[c.brace+1 : c.end] {
			if t.first && t.col <= owner.col && !t.is(tokPunct, "}") {
				return t, p.toks.list[c.brace]
			}
		}
	}
	return p.toks.list[p.end], p.toks.list[b.brace]
}
