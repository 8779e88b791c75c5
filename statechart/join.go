package statechart

// joinTargets takes over "join … to X else to Y": a transition on the completion
// of its source (S59).
func (c *compiler) joinTargets(t *Transition, d *JoinDecl, sc scope) {
	if d.To.Text == "" || d.Else.Text == "" {
		c.fail("syntax", or(d.Join.Pos, sc.pos), sc.state, "a join needs both ways: to … else to …")
		return
	}
	if x := c.reach("unknown_state", d.To, t.Source, sc); x != nil {
		t.Targets = []*State{x}
	}
	t.JoinElse = c.reach("unknown_state", d.Else, t.Source, sc)
	s := t.Source
	if s == nil || s.Kind == Final || s.Kind == History {
		return
	}
	pos := or(d.Join.Pos, sc.pos)
	if s.Kind != Orthogonal && !(s.Kind == Invoking && s.Invoke.Var != "") {
		c.fail("join_misplaced", pos, s, "%s has no children to join", label(s)).
			Hint = "only an orthogonal state and an invoke for each item have several"
		return
	}
	t.Events = []Descriptor{{Name: s.DoneEvent, Exact: true, State: s, Pos: d.Join.Pos}}
	if len(t.Guards) > 0 {
		c.fail("syntax", sc.pos, s, "a join has no conditions: it is decided by its children")
	}
	c.policy(s, d.Join, pos)
	c.joinCount(s, d.Join, pos)
}

// joinCount checks the number of a join.
func (c *compiler) joinCount(s *State, j Join, pos Pos) {
	if j.Policy != JoinCount {
		return
	}
	if j.N < 1 {
		c.fail("join_count", pos, s, "a join needs at least 1 child, not %d", j.N)
	} else if n := len(s.Children); s.Kind == Orthogonal && j.N > n {
		c.fail("join_count", pos, s, "%s has only %d regions, so %d of them never pass", label(s), n, j.N)
	}
}

// policy sets the join policy of s. All that is said about one state must agree.
func (c *compiler) policy(s *State, j Join, pos Pos) {
	if s.Join == nil {
		s.Join = &j
		return
	}
	if s.Join.needs() != j.needs() {
		c.fail("join_conflict", pos, s, "%s is joined by another policy elsewhere", label(s))
	}
}

// needs is how many children must pass; 0 means all.
func (j *Join) needs() int {
	switch j.Policy {
	case JoinAny:
		return 1
	case JoinCount:
		return j.N
	default:
		return 0
	}
}
