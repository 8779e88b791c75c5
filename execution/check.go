package execution

import (
	"fmt"

	"github.com/durachart/durachart/statechart"
)

// Check reports every handler that chart, or a chart that it brings along, names
// and handlers lack, or have as another kind: code unbound_handler (S72). It
// returns nil or [statechart.Problems].
func Check(chart *statechart.Chart, handlers Handlers) error {
	c := checker{handlers: handlers, seen: map[*statechart.Chart]bool{}}
	c.check(chart)
	if len(c.problems) == 0 {
		return nil
	}
	return c.problems
}

// checker goes through a chart and those that it brings along, each once.
type checker struct {
	handlers Handlers
	seen     map[*statechart.Chart]bool
	problems statechart.Problems
}

func (c *checker) check(chart *statechart.Chart) {
	if c.seen[chart] {
		return
	}
	c.seen[chart] = true
	for _, use := range chart.Handlers() {
		h := c.handlers.find(use.Handler)
		if h != nil && h.is(use.Kind) {
			continue
		}
		message := fmt.Sprintf("%s needs the %s %q, which is not registered", chart.Name(), use.Kind, use.Handler)
		if h != nil {
			message = fmt.Sprintf("%s needs the %s %q, but what is registered is none", chart.Name(), use.Kind, use.Handler)
		}
		c.problems = append(c.problems, statechart.Problem{
			Code: "unbound_handler", Severity: statechart.Error, Pos: use.Pos, Path: use.State.Path, Message: message,
		})
	}
	for _, inner := range chart.Charts() {
		c.check(inner)
	}
}

func (h *handler) is(kind statechart.HandlerKind) bool {
	switch kind {
	case statechart.ActionHandler:
		return h.act != nil
	case statechart.GuardHandler:
		return h.guard != nil
	default:
		return h.pick != nil
	}
}
