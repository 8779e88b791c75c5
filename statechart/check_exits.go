package statechart

// checkExits finds states that an execution enters and never leaves:
// dead_end and invoke_no_exit; and invoke_automatic_exit.
func (c *compiler) checkExits() {
	left := c.newFlags()
	taken := c.completionsTaken()
	for _, m := range c.moves {
		s := m.Source
		if m.leads() {
			left[s.Index] = true
		}
		if m.Always && m.unguarded() && (s.Kind == Invoking || s.Kind == Orthogonal) {
			c.fail("invoke_automatic_exit", m.Pos, s, "%s would be left at once: its children never run", label(s)).
				Hint = "leave out the trigger: the transition is then taken when the children have finished"
		}
	}
	for _, s := range c.twins {
		left[s.Index], taken[s.Index] = true, true
	}
	left.inherit(c.chart.states)
	for _, s := range c.chart.states {
		switch {
		case s.Resting, s.Parent == nil, s.Parent.Kind == Orthogonal: // the last is a region_shape
		case s.Kind == Atomic && !left[s.Index]:
			c.fail("dead_end", s.Pos, s, "nothing leads out of %s", label(s)).
				Hint = `add a transition, make it final, or say "resting" if staying there is meant`
		case (s.Kind == Orthogonal || s.Kind == Invoking) && !taken[s.Index] && !c.broken(s):
			c.fail("invoke_no_exit", s.Pos, s, "no transition takes the completion of %s, %s", label(s), s.DoneEvent).
				Hint = `add a transition without a trigger, or say "resting" if staying there is meant`
		}
	}
}

// completionsTaken tells of which states a transition takes the completion: one
// of their own or of an ancestor in their execution.
func (c *compiler) completionsTaken() flags {
	taken, byState, byInvoke := c.newFlags(), c.newFlags(), c.newFlags()
	for _, m := range c.moves {
		s := m.Source
		if m.decl.Join != nil {
			taken[s.Index] = true
		}
		for _, d := range m.Events {
			switch {
			case d.Exact:
				if d.State.DoneEvent == d.Name && s.Contains(d.State) {
					taken[d.State.Index] = true
				}
			case d.Name == "*", d.Name == "done":
				byState[s.Index], byInvoke[s.Index] = true, true
			case d.Name == "done.state":
				byState[s.Index] = true
			case d.Name == "done.invoke":
				byInvoke[s.Index] = true
			}
		}
	}
	byState.inherit(c.chart.states)
	byInvoke.inherit(c.chart.states)
	for i, s := range c.chart.states {
		if s.Kind == Orthogonal && byState[i] || s.Kind == Invoking && byInvoke[i] {
			taken[i] = true
		}
	}
	return taken
}

// broken reports whether s is an invoke state with children, which was said.
func (c *compiler) broken(s *State) bool { return s.Kind == Invoking && len(s.Children) > 0 }
