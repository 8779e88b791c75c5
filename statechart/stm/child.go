package stm

import "github.com/durachart/durachart/statechart"

// childItem reads a state of any kind. It is a child before its body is read, so
// that an error in there does not lose it.
func (p *parser) childItem(b *bodyItems, t token) {
	doc := p.doc(t)
	owner := p.pos
	p.next()
	name := p.ref("the name of the state")
	c := &statechart.StateDecl{Name: name.text, Doc: doc, Pos: p.src.at(name)}
	b.decl.Children = append(b.decl.Children, c)
	switch t.text {
	case "state":
		c.Kind = statechart.Atomic
	case "parallel":
		c.Kind = statechart.Parallel
	case "orthogonal":
		c.Kind = statechart.Orthogonal
	case "final":
		c.Kind = statechart.Final
		p.final(c, owner)
		return
	case "history":
		c.Kind = statechart.History
		p.history(c)
		return
	}
	p.body(c, owner)
}

func (p *parser) final(c *statechart.StateDecl, owner int) {
	o := p.peek()
	if o.kind == tokStr || o.isName() && !(o.text == "no" && p.ahead(1).is(tokWord, "history")) {
		p.next()
		c.Outcome, c.OutcomePos = o.text, p.src.at(o)
	}
	if p.isPunct("{") {
		p.body(c, owner)
	}
}

func (p *parser) history(c *statechart.StateDecl) {
	c.Deep = p.word("deep")
	t := p.peek()
	if p.word("to") {
		c.Default = p.entry(p.src.at(t))
	}
}

func (p *parser) invoke(pos statechart.Pos) *statechart.InvokeDecl {
	owner := p.pos - 1
	inv := &statechart.InvokeDecl{Pos: pos}
	if t := p.peek(); t.isHandler() || t.kind == tokStr { // quoted: a chart may have any name of S2
		inv.Chart = p.machineName(p.next().text)
	}
	if p.word("version") {
		inv.Version = p.str("a version in quotes")
	}
	if p.word("for") {
		inv.Var = p.name("a loop variable").text
		p.wantWord("in", "after the loop variable")
		inv.In = p.path("a path of the context")
		if p.word("limit") {
			inv.Limit = p.limit()
		}
		if t := p.peek(); p.word("join") {
			j := p.count(p.src.at(t))
			inv.Join = &j
		}
	}
	if p.isPunct("{") {
		inv.Body = &statechart.Definition{
			Root: &statechart.StateDecl{Kind: statechart.Compound, Pos: pos}, Pos: pos,
		}
		p.body(inv.Body.Root, owner)
	}
	return inv
}

func (p *parser) limit() *int {
	t := p.peek()
	n, ok := p.value().(int64)
	if !ok || int64(int(n)) != n {
		p.fail(t, "expected a number of children after \"limit\"", "")
	}
	limit := int(n)
	return &limit
}

// count reads a Count.
func (p *parser) count(pos statechart.Pos) statechart.Join {
	t := p.peek()
	switch {
	case p.word("all"):
		return statechart.Join{Policy: statechart.JoinAll, Pos: pos}
	case p.word("any"):
		return statechart.Join{Policy: statechart.JoinAny, Pos: pos}
	case t.kind == tokInt:
		n, _ := p.value().(int64)
		return statechart.Join{Policy: statechart.JoinCount, N: clampInt(n), Pos: pos}
	}
	p.expected(`all, any or a number after "join"`)
	return statechart.Join{}
}

// clampInt keeps a count within int32: every larger one is as much too large.
func clampInt(n int64) int { return int(max(min(n, 1<<31-1), -1<<31)) }
