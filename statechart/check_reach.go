package statechart

// checkReach reports states that nothing enters. A transition counts whether or
// not its source is ever active, but not if it begins inside its target: that is
// active then already.
func (c *compiler) checkReach() {
	r := reach{entered: c.newFlags()}
	r.enter(c.chart.Root())
	for _, m := range c.moves {
		for _, t := range m.everyTarget() {
			if !t.Contains(m.Source) {
				r.enter(t)
			}
		}
	}
	for _, s := range c.twins {
		r.enter(s)
	}
	r.run()
	for _, s := range c.chart.states[1:] {
		if !r.entered[s.Index] && s.Kind != History && r.entered[s.Parent.Index] {
			c.warn("unreachable", s.Pos, s, "nothing enters %s", label(s))
		}
	}
}

// everyTarget lists all targets that resolved: fixed ones, branches, else.
func (t *Transition) everyTarget() []*State {
	all := append([]*State(nil), t.Targets...)
	if t.JoinElse != nil {
		all = append(all, t.JoinElse)
	}
	if t.Choice != nil {
		for _, b := range t.Choice.Branches {
			if b.Target != nil {
				all = append(all, b.Target)
			}
		}
		if t.Choice.Else != nil {
			all = append(all, t.Choice.Else)
		}
	}
	return all
}

// reach follows entries: of ancestors, of what a state enters by default.
type reach struct {
	entered flags
	queue   []*State
}

func (r *reach) enter(s *State) {
	for ; s != nil && !r.entered[s.Index]; s = s.Parent {
		r.entered[s.Index] = true
		r.queue = append(r.queue, s)
	}
}

func (r *reach) run() {
	for len(r.queue) > 0 {
		s := r.queue[0]
		r.queue = r.queue[1:]
		for _, e := range []*Entry{s.Initial, s.Default} {
			if e != nil {
				for _, t := range e.Targets {
					r.enter(t)
				}
			}
		}
		if s.Kind == Parallel || s.Kind == Orthogonal || s.Kind == Invoking { // the last: invoke_on_composite
			for _, k := range s.Children {
				if k.Kind != History {
					r.enter(k)
				}
			}
		}
	}
}

// checkHistory finds history states that nothing asks for, or that have no
// answer.
func (c *compiler) checkHistory() {
	used := c.newFlags()
	for _, m := range c.moves {
		for _, t := range m.everyTarget() {
			used[t.Index] = true
		}
	}
	for _, s := range c.chart.states {
		if s.Initial != nil {
			for _, t := range s.Initial.Targets {
				used[t.Index] = true
			}
		}
	}
	for i, s := range c.chart.states {
		if s.Kind != History || s.Parent == nil {
			continue
		}
		if !used[i] {
			c.warn("history_unused", s.Pos, s, "no transition goes to the history state %s", label(s))
		}
		if c.decls[i].Default == nil && !defaults(s) {
			c.fail("history_no_default", s.Pos, s, "nothing says what %s stands for before anything is recorded", label(s)).
				Hint = `say "to" and a state`
		}
	}
}

// defaults reports whether the initial of its parent can stand in for the
// history state h. A parallel state has none, and an initial that leads to h
// leads nowhere.
func defaults(h *State) bool {
	if h.Parent.Kind == Parallel {
		return false
	}
	if h.Parent.Initial != nil {
		for _, t := range h.Parent.Initial.Targets {
			if t == h {
				return false
			}
		}
	}
	return true
}
