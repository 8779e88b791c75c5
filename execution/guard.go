package execution

import (
	"github.com/durachart/durachart/internal/jsonvalue"
	"github.com/durachart/durachart/statechart"
)

// holds evaluates one guard of a transition. One that fails counts as false and
// raises one error per transition and step (S41).
func (m *machine) holds(g *statechart.Guard, t *statechart.Transition) bool {
	var ok bool
	var f *fault
	if g.Expr != nil {
		ok, f = m.test(g.Expr)
	} else {
		ok, f = m.pred(g.Pred, t.Source)
	}
	if f != nil {
		m.guardFault(f, t)
		return false
	}
	return ok
}

func (m *machine) guardFault(f *fault, t *statechart.Transition) {
	if _, again := m.faulted[t]; again {
		return
	}
	if m.faulted == nil {
		m.faulted = map[*statechart.Transition]struct{}{}
	}
	m.faulted[t] = struct{}{}
	m.raiseFault(f, t.Source)
}

func (m *machine) test(e *statechart.Expr) (bool, *fault) {
	ok, err := e.Program().Test(m.vars(nil))
	if err != nil {
		return false, expressionFault(err, "when")
	}
	return ok, nil
}

// pred evaluates a where predicate over the data of the event (S69).
func (m *machine) pred(p statechart.Pred, s *statechart.State) (bool, *fault) {
	switch p := p.(type) {
	case statechart.AndPred:
		for _, x := range p {
			if ok, f := m.pred(x, s); !ok || f != nil {
				return false, f
			}
		}
		return true, nil
	case statechart.OrPred:
		for _, x := range p {
			if ok, f := m.pred(x, s); ok || f != nil {
				return ok, f
			}
		}
		return false, nil
	case statechart.NotPred:
		ok, f := m.pred(p.X, s)
		return !ok && f == nil, f
	case *statechart.ComparePred:
		return m.compare(p), nil
	case *statechart.NamedPred:
		return m.named(p, s)
	}
	return false, nil
}

func (m *machine) named(p *statechart.NamedPred, s *statechart.State) (bool, *fault) {
	if g := p.Guard; g != nil {
		if g.Expr != nil {
			return m.test(g.Expr)
		}
		return m.pred(g.Pred, s)
	}
	name := m.chart.Handler(p.Name)
	h := m.host.Handlers.find(name)
	if h == nil || h.guard == nil {
		return false, &fault{kind: kindGuard, action: name, message: "no such guard is registered"}
	}
	c := &call{m: m, name: name, state: s, reading: true}
	var ok bool
	err := m.guarded(c, func() (err error) {
		ok, err = h.guard(c)
		return err
	})
	c.over = true
	if err != nil {
		return false, callFault(c, kindGuard, err)
	}
	return ok, nil
}

// compare compares a field of the data with a literal. An absent field makes it
// false, whatever the operator.
func (m *machine) compare(p *statechart.ComparePred) bool {
	v, ok := jsonvalue.Get(m.eventData(), p.Field)
	if !ok {
		return false
	}
	switch p.Op {
	case "==":
		return jsonvalue.Equal(v, p.Value)
	case "!=":
		return !jsonvalue.Equal(v, p.Value)
	case "in":
		return jsonvalue.In(v, p.Value)
	}
	order, ok := jsonvalue.Compare(v, p.Value)
	if !ok {
		return false
	}
	switch p.Op {
	case "<":
		return order < 0
	case "<=":
		return order <= 0
	case ">":
		return order > 0
	case ">=":
		return order >= 0
	}
	return false
}

// choose evaluates the selector of a choice and returns the target of the branch
// that it picks, nil if there is none (S12).
func (m *machine) choose(t *statechart.Transition) *statechart.State {
	text, f := m.selector(t.Choice, t.Source)
	if f == nil {
		for i := range t.Choice.Branches {
			if t.Choice.Branches[i].Text == text {
				return t.Choice.Branches[i].Target
			}
		}
		if t.Choice.Else != nil {
			return t.Choice.Else
		}
		f = &fault{kind: kindSelector, action: "select", message: "no branch for " + jsonText(text)}
	}
	m.guardFault(f, t)
	return nil
}

func (m *machine) selector(c *statechart.Choice, s *statechart.State) (string, *fault) {
	if c.Expr != nil {
		v, f := m.eval(c.Expr, "select", nil)
		if f != nil {
			return "", f
		}
		text, ok := jsonvalue.Text(v)
		if !ok {
			return "", &fault{kind: kindSelector, action: "select", message: jsonvalue.TypeName(v) + " picks no branch"}
		}
		return text, nil
	}
	name := m.chart.Handler(c.Call.Name)
	h := m.host.Handlers.find(name)
	if h == nil || h.pick == nil {
		return "", &fault{kind: kindSelector, action: name, message: "no such selector is registered"}
	}
	call := &call{m: m, name: name, inputs: c.Call.Inputs, state: s, reading: true}
	var text string
	err := m.guarded(call, func() (err error) {
		text, err = h.pick(call)
		return err
	})
	call.over = true
	if err != nil {
		return "", callFault(call, kindSelector, err)
	}
	return text, nil
}
