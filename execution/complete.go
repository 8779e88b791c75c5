package execution

import "github.com/durachart/durachart/statechart"

// complete reports whether a compound or parallel state is complete (S32): a
// compound whose active child is final, a parallel whose regions are all complete.
func (m *machine) complete(s *statechart.State) bool {
	switch s.Kind {
	case statechart.Compound:
		i := m.active.next(s.Index + 1)
		if i < 0 || i > s.Last {
			return false
		}
		c := m.chart.States()[i] // a child: children stand before their descendants
		return c.Parent == s && c.Kind == statechart.Final
	case statechart.Parallel:
		for _, r := range s.Children {
			if r.Kind != statechart.History && !(m.active.has(r) && m.complete(r)) {
				return false
			}
		}
		return true
	}
	return false
}

// reachFinal ends the execution if f is a child of its root, else raises the
// completion of its parent, and of the parallels around that this completes.
func (m *machine) reachFinal(f *statechart.State) {
	p := f.Parent
	if p == m.root {
		m.final = f
		return
	}
	m.raiseOwn(p.DoneEvent, m.completionData(f))
	for p != m.root {
		g := p.Parent
		if g.Kind != statechart.Parallel || !m.complete(g) {
			return
		}
		m.raiseOwn(g.DoneEvent, emptyObject)
		p = g
	}
}
