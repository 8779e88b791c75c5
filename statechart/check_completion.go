package statechart

import "strings"

// checkCompletions reports triggers on completions that never happen:
// bad_done_trigger.
func (c *compiler) checkCompletions() {
	can := c.completable()
	for _, m := range c.moves {
		for _, d := range m.Events {
			if !d.Exact || m.decl.Join != nil {
				continue
			}
			if why := never(d, can); why != "" {
				p := c.fail("bad_done_trigger", or(d.Pos, m.Pos), m.Source, "%q never comes: %s %s", d.Name, label(d.State), why)
				if len(m.decl.Events) == 0 {
					p.Hint = `without a trigger a transition waits for the completion of its source; say "always" to take it at once`
				}
			}
		}
	}
}

// never says why the completion event d cannot come, or nothing.
func never(d Descriptor, can flags) string {
	s := d.State
	switch {
	case !strings.HasPrefix(d.Name, "done.state."):
		if s.Kind != Invoking {
			return "is no invoke state"
		}
	case s == s.ExecutionRoot:
		return "is the root of its execution, whose completion is the end of it"
	case s.Kind == Invoking:
		return "is an invoke state, whose completion is done.invoke"
	case s.Kind == Compound && !can[s.Index]:
		return "has no final state"
	case s.Kind == Parallel && !can[s.Index]:
		return "has a region that never completes"
	case !can[s.Index]:
		return "is " + article(s.Kind) + " state, which never completes"
	}
	return ""
}

// completable tells which states can complete (S32), or close by their join.
func (c *compiler) completable() flags {
	can := c.newFlags()
	for i := len(c.chart.states) - 1; i >= 0; i-- {
		switch s := c.chart.states[i]; s.Kind {
		case Compound:
			for _, k := range s.Children {
				can[i] = can[i] || k.Kind == Final
			}
		case Parallel:
			can[i] = true
			for _, k := range s.Children {
				switch k.Kind {
				case Compound, Parallel:
					can[i] = can[i] && can[k.Index]
				case Atomic, Orthogonal, Invoking:
					can[i] = false
				}
			}
		case Orthogonal:
			can[i] = true
		}
	}
	return can
}
