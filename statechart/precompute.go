package statechart

// precompute fills in what a step would otherwise work out again and again.
func (c *compiler) precompute() {
	for _, s := range c.chart.states {
		if s.Kind == Final && s.Parent != nil {
			if s.Carried = s.Carry; len(s.Carried) == 0 {
				s.Carried = s.Parent.Carry
			}
		}
		if s.IsRegion() {
			s.named = &nameSet{}
		}
	}
	for _, s := range c.chart.states {
		for _, t := range s.Transitions {
			for _, d := range t.Events {
				s.nameInRegions(d)
			}
		}
		for _, d := range s.Defer {
			s.nameInRegions(d)
		}
	}
}

// nameInRegions tells every region around s that its subtree names d (S56).
func (s *State) nameInRegions(d Descriptor) {
	if d.Exact {
		return // a completion event, which is never routed
	}
	for r := s.ExecutionRoot; r.Parent != nil; r = r.Parent.ExecutionRoot {
		r.named.add(d.Name)
	}
}
