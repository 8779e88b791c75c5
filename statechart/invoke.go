package statechart

import "slices"

// invoke takes over what an invoke state runs (S63). Its version is fixed later,
// when all charts are known.
func (c *compiler) invoke(s *State, d *StateDecl) {
	in := d.Invoke
	pos := or(in.Pos, s.Pos)
	s.Invoke = &Invoke{Chart: in.Chart, Version: in.Version, Pos: in.Pos}
	c.text("version", in.Version, pos, s)
	c.fanOut(s, in, pos)
	switch {
	case in.Chart == "" && in.Body == nil:
		c.fail("invoke_without_chart", pos, s, "%s invokes neither a chart by name nor an inline body", label(s))
	case in.Chart != "" && in.Body != nil:
		c.fail("invoke_without_chart", pos, s, "%s invokes %q and has an inline body: only one can run", label(s), in.Chart)
	case in.Body != nil:
		c.inlineChart(s, in.Body)
	default:
		c.invokedName(s, in.Chart, pos)
	}
}

// fanOut takes over "for v in path limit n join count".
func (c *compiler) fanOut(s *State, in *InvokeDecl, pos Pos) {
	if in.Join != nil {
		j := *in.Join
		s.Join = &j
	}
	if in.Var == "" && in.In == nil {
		if in.Limit != nil {
			c.fail("syntax", pos, s, "limit needs a collection: for … in …")
		}
		if in.Join != nil {
			c.fail("join_misplaced", or(in.Join.Pos, pos), s, "a single child has nothing to join")
			s.Join = nil
		}
		return
	}
	s.Invoke.Var, s.Invoke.In = in.Var, slices.Clone(in.In)
	if !isName(in.Var) {
		c.fail("bad_name", pos, s, "the name %q of a loop variable must be a word that is not reserved", in.Var)
	}
	c.path(in.In, pos, s)
	if in.Join != nil {
		c.joinCount(s, *in.Join, or(in.Join.Pos, pos))
	}
	if in.Limit != nil {
		if s.Invoke.Limit = *in.Limit; *in.Limit < 1 {
			c.fail("syntax", pos, s, "limit must be at least 1")
		}
	}
}

// invokedName checks the name of an invoked chart. It is no name of S2 alone: an
// import brings charts in as alias.name.
func (c *compiler) invokedName(s *State, name string, pos Pos) {
	if c.machine(name) != nil || c.importedChart(name) != nil {
		return
	}
	c.text("chart name", name, pos, s)
	p := c.warn("unknown_chart", pos, s, "no chart %q is in the file or imported: it must be registered", name)
	p.Hint = c.didYouMean(name, func(yield func(string) bool) {
		o := c.outermost().def
		for n := range sortedKeys(o.Machines) {
			if !yield(n) {
				return
			}
		}
		for n := range sortedKeys(o.Charts) {
			if !yield(n) {
				return
			}
		}
	})
}

func (c *compiler) machine(name string) *Definition { return c.outermost().def.Machines[name] }

func (c *compiler) importedChart(name string) *Chart { return c.outermost().def.Charts[name] }

// inlineChart compiles the body of an invoke (S63).
func (c *compiler) inlineChart(s *State, body *Definition) {
	in := c.newCompiler(body)
	in.outer, in.prefix = c, c.prefix+s.Path+"#"
	in.chart.name = c.chart.name + "#" + s.Path
	s.Invoke.Chart, s.Invoke.Inline = in.chart.name, in.chart
	for o := c; o != nil; o = o.outer {
		if o.def == in.def || in.depth() > maxDepth {
			c.fail("too_large", s.Pos, s, "inline charts are nested more than %d deep", maxDepth)
			return
		}
	}
	c.inline = append(c.inline, in)
	in.compile()
}

// depth counts the charts around an inline one.
func (c *compiler) depth() int {
	n := 0
	for o := c.outer; o != nil; o = o.outer {
		n++
	}
	return n
}
