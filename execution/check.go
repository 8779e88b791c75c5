package execution

import (
	"fmt"

	"github.com/durachart/durachart/statechart"
)

// Check reports every handler that chart, or a chart that it brings along, names
// and handlers lack, or have as another kind: code unbound_handler (S72). It
// returns nil or [statechart.Problems].
func Check(chart *statechart.Chart, handlers Handlers) error {
	c := checker{handlers: handlers, seen: map[*statechart.Chart]bool{}, told: map[string]bool{}}
	c.check(chart)
	if len(c.problems) == 0 {
		return nil
	}
	return c.problems
}

// checker goes through charts in document order, each only once.
type checker struct {
	handlers Handlers
	chart    *statechart.Chart
	seen     map[*statechart.Chart]bool
	told     map[string]bool // one problem for a kind and name
	problems statechart.Problems
}

func (c *checker) check(chart *statechart.Chart) {
	if c.seen[chart] {
		return
	}
	c.seen[chart] = true
	c.chart = chart
	for _, s := range chart.States() {
		c.actions(s, s.OnEnter, s.OnExit, s.Finalize)
		if s.Initial != nil {
			c.actions(s, s.Initial.Do)
		}
		if s.Default != nil {
			c.actions(s, s.Default.Do)
		}
		for _, t := range s.Transitions {
			c.transition(s, t)
		}
	}
	for _, inner := range chart.Charts() {
		c.check(inner)
	}
}

func (c *checker) transition(s *statechart.State, t *statechart.Transition) {
	c.actions(s, t.Do)
	for _, g := range t.Guards {
		c.pred(s, g.Pred)
	}
	if t.Choice != nil && t.Choice.Call != nil {
		call := t.Choice.Call
		c.need("selector", call.Name, s, call.Pos, func(h *handler) bool { return h.pick != nil })
	}
}

func (c *checker) actions(s *statechart.State, lists ...[]statechart.Action) {
	for _, list := range lists {
		for _, a := range list {
			if call, ok := a.(*statechart.CallAction); ok {
				c.need("action", call.Name, s, call.Pos, func(h *handler) bool { return h.act != nil })
			}
		}
	}
}

func (c *checker) pred(s *statechart.State, p statechart.Pred) {
	switch p := p.(type) {
	case statechart.AndPred:
		for _, x := range p {
			c.pred(s, x)
		}
	case statechart.OrPred:
		for _, x := range p {
			c.pred(s, x)
		}
	case statechart.NotPred:
		c.pred(s, p.X)
	case *statechart.NamedPred:
		if p.Guard != nil {
			c.pred(s, p.Guard.Pred)
			return
		}
		c.need("guard", p.Name, s, p.Pos, func(h *handler) bool { return h.guard != nil })
	}
}

func (c *checker) need(kind, name string, s *statechart.State, pos statechart.Pos, is func(*handler) bool) {
	registered := c.chart.Handler(name)
	message := ""
	switch h := c.handlers.find(registered); {
	case h == nil:
		message = fmt.Sprintf("no %s %q is registered", kind, registered)
	case !is(h):
		message = fmt.Sprintf("%q is registered, but it is no %s", registered, kind)
	}
	if message == "" || c.told[message] {
		return
	}
	c.told[message] = true
	c.problems = append(c.problems, statechart.Problem{
		Code: "unbound_handler", Severity: statechart.Error, Pos: pos, Path: s.Path,
		Message: message + ", as " + c.chart.Name() + " wants",
	})
}
