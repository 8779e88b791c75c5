package statechart

// misplaced reports items that the kind of s cannot have (S5), and what the
// front end could not keep.
func (c *compiler) misplaced(s *State, d *StateDecl) {
	for _, item := range d.Misplaced {
		c.itemMisplaced(item.Name, or(item.Pos, s.Pos), s)
	}
	for _, item := range d.Duplicates {
		c.fail("duplicate", or(item.Pos, s.Pos), s, "%s says %q twice", label(s), item.Name)
	}
	if d.OnActivity != nil {
		c.fail("activity_dropped", or(*d.OnActivity, s.Pos), s, "there is no activity hook").
			Hint = "for an event that does not move the state write a transition without a target, for work that lasts as long as the state an invoke"
	}
	if d.NoHistory != nil {
		c.warn("no_history_ignored", or(*d.NoHistory, s.Pos), s, `"no history" means nothing: history is only where a history state says so`)
	}
	for _, item := range itemsOf(d) {
		if !c.canHave(s, item.Name) {
			c.itemMisplaced(item.Name, or(item.Pos, s.Pos), s)
		}
	}
	c.softMisplaced(s, d)
}

func (c *compiler) itemMisplaced(item string, pos Pos, s *State) {
	what := article(s.Kind) + " state"
	if s.Parent == nil {
		what = "a machine"
	}
	p := c.fail("item_misplaced", pos, s, "%q cannot stand in the body of %s", item, what)
	if item == "timeout" && c.chart.profile == ProfileSCXML {
		p.Message = `under profile scxml there is no "timeout"`
		p.Hint = "send a delayed event instead"
	}
}

// itemsOf lists the items of d that not every kind can have.
func itemsOf(d *StateDecl) []Item {
	var items []Item
	add := func(name string, there bool, pos Pos) {
		if there {
			items = append(items, Item{name, pos})
		}
	}
	if d.Initial != nil {
		add("initial", true, d.Initial.Pos)
	}
	if d.Timeout != nil {
		add("timeout", true, d.Timeout.Pos)
	}
	if len(d.Defer) > 0 {
		add("defer", true, d.Defer[0].Pos)
	}
	if len(d.Carry) > 0 {
		add("carry", true, d.Carry[0].Pos)
	}
	if d.Invoke != nil {
		add("invoke", true, d.Invoke.Pos)
	}
	if d.Default != nil {
		add("to", true, d.Default.Pos)
	}
	add("on enter", len(d.OnEnter) > 0, Pos{})
	add("on exit", len(d.OnExit) > 0, Pos{})
	add("autoforward", d.Autoforward, Pos{})
	add("finalize", len(d.Finalize) > 0, Pos{})
	add("resting", d.Resting, Pos{})
	add("deep", d.Deep, Pos{})
	return items
}

// canHave is S5.
func (c *compiler) canHave(s *State, item string) bool {
	broken := s.Kind == Invoking && len(s.Children) > 0 // said already: invoke_on_composite
	switch item {
	case "initial":
		return s.Kind == Compound || broken
	case "timeout":
		return s.Kind != Final && s.Kind != History && c.chart.profile != ProfileSCXML
	case "defer":
		return s.Kind != Final && s.Kind != History
	case "carry":
		return s.Kind == Compound || s.Kind == Final
	case "invoke", "autoforward", "finalize":
		return s.Kind == Invoking
	case "resting":
		return s.Kind == Atomic || s.Kind == Orthogonal || s.Kind == Invoking
	case "to", "deep":
		return s.Kind == History
	default: // hooks
		return s.Kind != History
	}
}

// softMisplaced reports items that have no meaning here, but do no harm.
func (c *compiler) softMisplaced(s *State, d *StateDecl) {
	if d.Outcome != "" && s.Kind != Final {
		pos := or(d.OutcomePos, s.Pos)
		if len(s.Children) > 0 {
			c.warn("outcome_on_composite", pos, s, "an outcome on %s means nothing: its finals have outcomes", label(s))
		} else {
			c.warn("outcome_on_nonterminal", pos, s, "an outcome on %s means nothing: it is not final", label(s))
		}
	}
	if d.WithPos != nil && s.Kind != Invoking && !(s.Parent != nil && s.Parent.Kind == Orthogonal) {
		c.warn("with_unused", or(*d.WithPos, s.Pos), s, `"with" on %s means nothing: it runs no child execution`, label(s))
	}
}
