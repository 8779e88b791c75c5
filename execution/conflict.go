package execution

import "github.com/durachart/durachart/statechart"

// resolve drops transitions that are in conflict with others (S27).
func (m *machine) resolve(list []chosen) []chosen {
	if len(list) < 2 {
		return list
	}
	kept := make([]chosen, 0, len(list))
	exits := make([][]span, 0, len(list))
	for _, c := range list {
		spans := m.exits(c)
		wins := true
		for i, k := range kept {
			if m.meet(spans, exits[i]) && !k.t.Source.Above(c.t.Source) {
				wins = false
				break
			}
		}
		if !wins {
			continue
		}
		n := 0
		for i := range kept {
			if !m.meet(spans, exits[i]) {
				kept[n], exits[n] = kept[i], exits[i]
				n++
			}
		}
		kept = append(kept[:n], c)
		exits = append(exits[:n], spans)
	}
	return kept
}

// span is a range of states by index: a state and its descendants, or these
// alone. Two spans of one chart lie in each other or apart.
type span struct{ lo, hi int }

// meet reports whether an active state lies in both.
func (m *machine) meet(a, b []span) bool {
	for _, x := range a {
		for _, y := range b {
			if lo, hi := max(x.lo, y.lo), min(x.hi, y.hi); lo <= hi && m.active.any(lo, hi) {
				return true
			}
		}
	}
	return false
}

// exits returns the exit set of a transition as spans: of these all active states
// are exited (S28). The effective targets go by the record before the microstep.
func (m *machine) exits(c chosen) []span {
	if len(c.targets) == 0 {
		return nil
	}
	targets := m.effective(c.targets)
	return exitSpans(m.domain(c.t, targets), c.t.Source, targets, nil)
}

func exitSpans(domain, source *statechart.State, targets []*statechart.State, spans []span) []span {
	if domain.Kind != statechart.Parallel {
		return append(spans, span{domain.Index + 1, domain.Last})
	}
	for _, region := range domain.Children {
		if region.Contains(source) || anyIn(region, targets) {
			spans = append(spans, span{region.Index, region.Last})
		}
	}
	return spans
}

func anyIn(s *statechart.State, targets []*statechart.State) bool {
	for _, t := range targets {
		if s.Contains(t) {
			return true
		}
	}
	return false
}

// domain returns the domain of a transition with targets (S28).
func (m *machine) domain(t *statechart.Transition, targets []*statechart.State) *statechart.State {
	s := t.Source
	if s == m.root || t.Internal && s.Kind == statechart.Compound && allBelow(s, targets) {
		return s
	}
	for p := s.Parent; p != m.root; p = p.Parent {
		if (p.Kind == statechart.Compound || m.chart.Profile() != statechart.ProfileSCXML) && allBelow(p, targets) {
			return p
		}
	}
	return m.root
}

func allBelow(s *statechart.State, targets []*statechart.State) bool {
	for _, t := range targets {
		if !s.Above(t) {
			return false
		}
	}
	return true
}
