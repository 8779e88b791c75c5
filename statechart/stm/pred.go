package stm

import "github.com/durachart/durachart/statechart"

// guardClauses reads { Guard }.
func (p *parser) guardClauses() []*statechart.Guard {
	var list []*statechart.Guard
	for {
		t := p.peek()
		g := &statechart.Guard{Pos: p.src.at(t)}
		switch {
		case p.word("where"):
			g.Pred = p.pred()
		case p.word("when"):
			g.Expr = p.expr()
		default:
			return list
		}
		list = append(list, g)
	}
}

func (p *parser) pred() statechart.Pred {
	p.deeper()
	defer p.shallower()
	first := p.andPred()
	if !p.isWord("or") {
		return first
	}
	list := statechart.OrPred{first}
	for p.word("or") {
		list = append(list, p.andPred())
	}
	return list
}

func (p *parser) andPred() statechart.Pred {
	first := p.notPred()
	if !p.isWord("and") {
		return first
	}
	list := statechart.AndPred{first}
	for p.word("and") {
		list = append(list, p.notPred())
	}
	return list
}

func (p *parser) notPred() statechart.Pred {
	if p.isWord("not") && !isOperator(p.ahead(1)) {
		p.deeper()
		defer p.shallower()
		p.next()
		return statechart.NotPred{X: p.notPred()}
	}
	return p.atom()
}

// isOperator reports whether t makes the word before it a field (S92).
func isOperator(t token) bool {
	switch t.text {
	case "==", "!=", "<=", ">=", "<", ">":
		return t.kind == tokPunct
	case "in":
		return t.kind == tokWord
	}
	return false
}

func (p *parser) atom() statechart.Pred {
	t := p.peek()
	switch {
	case p.punct("("):
		inner := p.pred()
		p.want(")", "after the condition")
		return inner
	case t.isPath() && isOperator(p.ahead(1)):
		c := &statechart.ComparePred{Field: p.path("a field"), Op: p.next().text, Pos: p.src.at(t)}
		c.Value = p.value()
		return c
	case t.isName():
		p.next()
		return p.namedGuard(t)
	case t.isPath():
		p.next()
		if p.isPunct("=") {
			p.fail(p.peek(), `expected an operator, not "="`, `equality is written "=="`)
		}
		p.expected("an operator: == != < <= > >= in")
	}
	p.expected("a condition")
	return nil
}

// namedGuard reads a bare name: a guard parameter, a declared guard, or a Go
// guard.
func (p *parser) namedGuard(t token) statechart.Pred {
	if p.isPunct("=") {
		p.fail(p.peek(), `expected an operator, not "="`, `equality is written "=="`)
	}
	if a := p.argument(t.text, paramGuard); a != nil {
		return a.guard
	}
	return &statechart.NamedPred{Name: p.guardName(t.text), Pos: p.src.at(t)}
}

// eachNamed calls f for the named guards in a predicate and returns the
// predicate with what f returns instead; if f changes nothing that is pred.
func eachNamed(pred statechart.Pred, f func(*statechart.NamedPred) *statechart.NamedPred) statechart.Pred {
	switch x := pred.(type) {
	case statechart.AndPred:
		out := make(statechart.AndPred, len(x))
		for i := range x {
			out[i] = eachNamed(x[i], f)
		}
		return out
	case statechart.OrPred:
		out := make(statechart.OrPred, len(x))
		for i := range x {
			out[i] = eachNamed(x[i], f)
		}
		return out
	case statechart.NotPred:
		return statechart.NotPred{X: eachNamed(x.X, f)}
	case *statechart.NamedPred:
		return f(x)
	}
	return pred
}

// withoutPos returns a copy of a predicate that has no places.
func withoutPos(pred statechart.Pred) statechart.Pred {
	out := eachNamed(pred, func(n *statechart.NamedPred) *statechart.NamedPred {
		return &statechart.NamedPred{Name: n.Name}
	})
	return eachCompare(out)
}

func eachCompare(pred statechart.Pred) statechart.Pred {
	switch x := pred.(type) {
	case statechart.AndPred:
		for i := range x {
			x[i] = eachCompare(x[i])
		}
	case statechart.OrPred:
		for i := range x {
			x[i] = eachCompare(x[i])
		}
	case statechart.NotPred:
		return statechart.NotPred{X: eachCompare(x.X)}
	case *statechart.ComparePred:
		c := *x
		c.Pos = statechart.Pos{}
		return &c
	}
	return pred
}
