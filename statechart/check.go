package statechart

// check runs the checks that look at the whole chart (S103). Those that a single
// item or reference fails were made when it was taken over.
//
// A check asks the declarations (move.decl, decls) where a mistake that was
// reported already would make the chart look worse than it is: a transition to an
// unknown state is still a way out.
func (c *compiler) check() {
	c.checkExits()
	c.checkReach()
	c.checkHistory()
	c.checkOrder()
	c.checkRouting()
	c.checkCycles()
	c.checkCompletions()
	c.checkTimeouts()
	c.checkInternal()
	c.checkFields()
	if c.outer == nil && c.undeclared {
		c.warn("events_undeclared", c.def.Pos, nil, "the chart declares no events, so their names cannot be checked")
	}
}

// flags is a set of states.
type flags []bool

func (c *compiler) newFlags() flags { return make(flags, len(c.chart.states)) }

// inherit passes what is set for a state on to all states below it in the same
// execution.
func (f flags) inherit(states []*State) flags {
	for _, s := range states {
		if s != s.ExecutionRoot && f[s.Parent.Index] {
			f[s.Index] = true
		}
	}
	return f
}

// raise passes what is set for a state on to all states above it in the same
// execution.
func (f flags) raise(states []*State) flags {
	for i := len(states) - 1; i > 0; i-- {
		if s := states[i]; f[i] && s != s.ExecutionRoot {
			f[s.Parent.Index] = true
		}
	}
	return f
}

// leads reports whether m has a target, of whatever form.
func (m *move) leads() bool {
	return len(m.decl.Targets) > 0 || m.decl.Choice != nil || m.decl.Join != nil
}

// unguarded reports whether t is taken whenever its trigger matches. A choice is
// if it has a way out for every value.
func (t *Transition) unguarded() bool {
	if len(t.Guards) > 0 {
		return false
	}
	ch := t.Choice
	return ch == nil || ch.Else != nil || len(ch.Returns) > 0
}
