package statechart

import (
	"fmt"
	"maps"
	"slices"
)

// namedGuard is a declared guard. It is compiled when a transition first needs
// it: a guard of a file may speak of states that only one of its machines has.
type namedGuard struct {
	decl    *Guard
	pending bool // being compiled: meeting it again is a circle
	size    int  // comparisons, those of the guards that it names included
}

// maxPred bounds the comparisons of a predicate: guards that name each other may
// double with each, and nothing else bounds their cost at run time.
const maxPred = 10_000

// size counts the comparisons in p, and no further than to maxPred.
func (c *compiler) size(p Pred) int {
	n := 0
	add := func(ps []Pred) {
		for _, q := range ps {
			n = min(n+c.size(q), maxPred+1)
		}
	}
	switch p := p.(type) {
	case AndPred:
		add(p)
	case OrPred:
		add(p)
	case NotPred:
		n = c.size(p.X)
	case *ComparePred:
		n = 1
	case *NamedPred:
		if n = 1; p.Guard != nil && p.Guard.Pred != nil {
			n = c.outermost().named[p.Name].size
		}
	}
	return n
}

// guards compiles the conditions of a transition.
func (c *compiler) guards(list []*Guard, sc scope) []*Guard {
	var out []*Guard
	for _, g := range list {
		if g == nil || (g.Pred == nil && g.Expr == nil) {
			c.fail("syntax", sc.pos, sc.state, "a condition is empty")
			continue
		}
		out = append(out, c.condition(g, sc))
	}
	return out
}

func (c *compiler) condition(g *Guard, sc scope) *Guard {
	sc.pos, sc.bool = or(g.Pos, sc.pos), true
	out := &Guard{Name: g.Name, Doc: docText(g.Doc), Pos: g.Pos}
	if g.Expr != nil {
		out.Expr = c.expr(g.Expr, sc)
	} else {
		out.Pred = c.pred(g.Pred, sc)
	}
	return out
}

// pred checks a predicate and finds the guards that it names.
func (c *compiler) pred(p Pred, sc scope) Pred {
	switch p := p.(type) {
	case AndPred:
		return c.and(p, sc)
	case OrPred:
		return c.or(p, sc)
	case NotPred:
		return NotPred{c.pred(p.X, sc)}
	case *ComparePred:
		if p != nil {
			return c.compare(p, sc)
		}
	case *NamedPred:
		if p != nil {
			return &NamedPred{Name: p.Name, Pos: p.Pos, Guard: c.namedGuard(p, sc)}
		}
	}
	c.fail("syntax", sc.pos, sc.state, "a predicate is empty")
	return AndPred{}
}

// and flattens a conjunction, so that its brackets make no difference.
func (c *compiler) and(ps AndPred, sc scope) Pred {
	var flat AndPred
	for _, p := range c.preds(ps, sc) {
		if inner, ok := p.(AndPred); ok {
			flat = append(flat, inner...)
		} else {
			flat = append(flat, p)
		}
	}
	if len(flat) == 1 {
		return flat[0]
	}
	return flat
}

// or flattens a disjunction.
func (c *compiler) or(ps OrPred, sc scope) Pred {
	var flat OrPred
	for _, p := range c.preds(ps, sc) {
		if inner, ok := p.(OrPred); ok {
			flat = append(flat, inner...)
		} else {
			flat = append(flat, p)
		}
	}
	if len(flat) == 1 {
		return flat[0]
	}
	return flat
}

func (c *compiler) preds(ps []Pred, sc scope) []Pred {
	if len(ps) == 0 {
		c.fail("syntax", sc.pos, sc.state, "a predicate joins nothing")
	}
	out := make([]Pred, len(ps))
	for i, p := range ps {
		out[i] = c.pred(p, sc)
	}
	return out
}

func (c *compiler) compare(p *ComparePred, sc scope) Pred {
	pos := or(p.Pos, sc.pos)
	c.path(p.Field, pos, sc.state)
	if !isOperator(p.Op) {
		c.fail("syntax", pos, sc.state, "there is no operator %q", p.Op).Hint = "the operators are == != < <= > >= in"
	}
	value := c.literal(p.Value, fmt.Sprintf("what %q is compared with", joinPath(p.Field)), pos, sc.state)
	return &ComparePred{Field: slices.Clone(p.Field), Op: p.Op, Value: value, Pos: p.Pos}
}

func isOperator(op string) bool {
	switch op {
	case "==", "!=", "<", "<=", ">", ">=", "in":
		return true
	}
	return false
}

// namedGuard returns what the chart declares under the name, or nil for the Go
// guard of that name.
func (c *compiler) namedGuard(p *NamedPred, sc scope) *Guard {
	pos := or(p.Pos, sc.pos)
	n := c.outermost().named[p.Name]
	if n == nil {
		c.useBinding(p.Name)
		if !isName(p.Name) {
			c.fail("bad_name", pos, sc.state, "the name %q of a guard must be a word that is not reserved", p.Name)
		}
		return nil
	}
	c.usage.used[c.declaration("guard", n.decl.Name, n.decl.Pos)] = true
	return c.compileGuard(n)
}

// compileGuard compiles a declared guard once a chart. Its In looks for states
// from the root.
func (c *compiler) compileGuard(n *namedGuard) *Guard {
	if g := c.ready[n]; g != nil {
		return g
	}
	root := c.chart.states[0]
	if n.pending {
		c.fail("bad_expression", n.decl.Pos, root, "the guard %q asks for itself", n.decl.Name)
		return n.decl
	}
	n.pending = true
	g := c.condition(n.decl, scope{state: root, pos: n.decl.Pos})
	n.pending = false
	if n.size = c.size(g.Pred); n.size > maxPred {
		c.fail("too_large", n.decl.Pos, root, "the guard %q compares more than %d times, with all the guards that it names", g.Name, maxPred)
	}
	if c.ready == nil {
		c.ready = make(map[*namedGuard]*Guard)
	}
	c.ready[n] = g
	return g
}

// keepUsed gives the chart the guards and bindings that it or one of its inline
// charts uses, and no others: those of a file are for all its machines.
func (c *compiler) keepUsed() {
	for _, g := range c.outermost().def.Guards {
		if g == nil {
			continue
		}
		n := c.outermost().named[g.Name]
		for _, in := range c.withInline() {
			if ready := in.ready[n]; ready != nil && n.decl == g {
				c.chart.guards = append(c.chart.guards, ready)
				break
			}
		}
	}
	if c.outer == nil {
		maps.DeleteFunc(c.chart.handlers, func(name, _ string) bool { return !c.bound[name] })
	}
}

// useBinding counts a use of the name of a Go handler.
func (c *compiler) useBinding(name string) {
	top := c.outermost()
	if d, ok := top.bindings[name]; ok {
		c.usage.used[d] = true
		top.bound[name] = true
	}
}
