package stm

import "github.com/durachart/durachart/statechart"

// transition reads the item "from" into the state d, in whose body it stands.
func (p *parser) transition(d *statechart.StateDecl) {
	t := p.peek()
	tr := &statechart.TransitionDecl{Order: p.m.order, Doc: p.doc(t), Pos: p.src.at(t)}
	p.m.order++
	p.next()
	if from := p.peek(); p.word("self") {
		tr.From = statechart.Ref{Self: true, Pos: p.src.at(from)}
	} else {
		tr.From = p.target()
	}
	tr.Internal = p.word("internal")
	switch t := p.peek(); {
	case p.word("select"):
		p.choice(tr, p.src.at(t))
	case p.word("join"):
		p.join(tr, p.src.at(t))
	default:
		if p.word("to") {
			tr.Targets = p.targets()
		}
		p.trigger(tr)
		tr.Guards = p.guardClauses()
		tr.Do = p.doClause()
	}
	d.Transitions = append(d.Transitions, tr)
}

// trigger reads [ Trigger ]. "on" before enter, exit or activity begins the next
// item (S92).
func (p *parser) trigger(tr *statechart.TransitionDecl) {
	switch {
	case p.isWord("on") && !isHook(p.ahead(1)):
		p.next()
		tr.Events = p.eventList("|")
	case p.word("after"):
		tr.After = p.delay()
	case p.word("always"):
		tr.Always = true
	}
}

// choice reads what follows "select".
func (p *parser) choice(tr *statechart.TransitionDecl, pos statechart.Pos) {
	c := &statechart.ChoiceDecl{Pos: pos}
	tr.Choice = c
	switch t := p.peek(); {
	case t.kind == tokStr:
		c.Expr = p.expr()
	case t.isHandler():
		c.Call = p.call()
	default:
		p.expected("a selector: the name of a handler, or an expression in quotes")
	}
	if p.word("returns") {
		c.HasReturns = true
		p.want("{", `after "returns"`)
		for !p.punct("}") {
			c.Returns = append(c.Returns, p.value())
			p.punct(",")
		}
	}
	p.trigger(tr)
	tr.Guards = p.guardClauses()
	p.want("{", "before the branches")
	for !p.punct("}") {
		if p.word("else") {
			c.Else = p.branchTarget()
			p.want("}", `after the branch "else", which is the last`)
			break
		}
		b := statechart.BranchDecl{Pos: p.src.at(p.peek())}
		b.Value = p.value()
		b.Target = *p.branchTarget()
		c.Branches = append(c.Branches, b)
	}
	tr.Do = p.doClause()
}

func (p *parser) branchTarget() *statechart.Ref {
	p.wantWord("to", "and the target of the branch")
	r := p.target()
	return &r
}

// join reads what follows "join".
func (p *parser) join(tr *statechart.TransitionDecl, pos statechart.Pos) {
	j := &statechart.JoinDecl{Join: p.count(pos)}
	p.wantWord("to", "and the target when the join passes")
	j.To = p.target()
	p.wantWord("else", "and the target when it does not")
	p.wantWord("to", `after "else"`)
	j.Else = p.target()
	tr.Join = j
	tr.Do = p.doClause()
}
