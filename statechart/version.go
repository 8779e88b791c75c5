package statechart

// fixVersions gives every chart its version, and every invoke of a known chart
// the name and version of that (S13, S63).
func (s *session) fixVersions() {
	for _, c := range s.order {
		c.pinInvokes()
	}
}

// pinInvokes resolves the names that c invokes to machines of its file and to
// imported charts.
func (c *compiler) pinInvokes() {
	seen := make(map[*Chart]bool)
	for _, in := range c.withInline() {
		for _, s := range in.chart.states {
			if s.Invoke == nil {
				continue
			}
			target := s.Invoke.Inline
			if m := c.machine(s.Invoke.Chart); m != nil {
				target = c.compiled[m].chart
			} else if imported := c.importedChart(s.Invoke.Chart); imported != nil {
				target = imported
			}
			if target == nil {
				continue
			}
			s.Invoke.Chart, s.Invoke.Version = target.name, target.version
			if !seen[target] && target != c.chart {
				seen[target] = true
				c.chart.charts = append(c.chart.charts, target)
			}
		}
		in.chart.version = c.chart.version
	}
}

// withInline returns c and the compilers of its inline charts, at any depth.
func (c *compiler) withInline() []*compiler {
	all := []*compiler{c}
	for _, in := range c.inline {
		all = append(all, in.withInline()...)
	}
	return all
}
