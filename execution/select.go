package execution

import "github.com/durachart/durachart/statechart"

// chosen is a transition that is selected, with its targets: for a choice those
// of its branch, for a join those of the decision.
type chosen struct {
	t       *statechart.Transition
	targets []*statechart.State
}

// selectEvent selects for the event that is seen (S25). held reports whether a
// leaf holds it; that is asked only if the event is open to deferral and routing.
func (m *machine) selectEvent(open bool, r *routing) (list []chosen, held bool) {
	m.visited.clear()
	list = m.picked[:0]
	for i := m.active.next(0); i >= 0; i = m.active.next(i + 1) {
		leaf := m.chart.States()[i]
		if !leaf.IsLeaf() {
			continue
		}
		c, ok := m.walk(leaf, open, r)
		switch {
		case m.stopped():
			return nil, false
		case ok && c.t == nil:
			held = true
		case ok:
			list = append(list, c)
		}
	}
	return m.resolve(list), held
}

// walk goes from s to the execution root. It returns the transition that it
// selects, or a chosen without one if a state on the way defers the event. What
// was walked before for another leaf gives the same again, so the walk ends there.
func (m *machine) walk(s *statechart.State, open bool, r *routing) (chosen, bool) {
	for ; ; s = s.Parent {
		if m.visited.has(s) || open && r.holds(s) {
			return chosen{}, false
		}
		m.visited.add(s)
		if len(s.Transitions) > 0 && !r.blocks(s) {
			for _, t := range s.Transitions {
				if !triggers(t, m.event.Name) {
					continue
				}
				if c, ok := m.enabled(t); ok {
					return c, true
				}
			}
		}
		if open && len(s.Defer) > 0 && matchesAny(s.Defer, m.event.Name) {
			return chosen{}, true
		}
		if s == m.root {
			return chosen{}, false
		}
	}
}

func triggers(t *statechart.Transition, name string) bool {
	return len(t.Events) > 0 && matchesAny(t.Events, name)
}

func matchesAny(ds []statechart.Descriptor, name string) bool {
	for i := range ds {
		if ds[i].Matches(name) {
			return true
		}
	}
	return false
}

// selectAutomatic selects among the always transitions.
func (m *machine) selectAutomatic() []chosen {
	m.visited.clear()
	list := m.picked[:0]
	for i := m.active.next(0); i >= 0; i = m.active.next(i + 1) {
		s := m.chart.States()[i]
		if !s.IsLeaf() {
			continue
		}
		for ; !m.visited.has(s); s = s.Parent {
			m.visited.add(s)
			if c, ok := m.automatic(s); ok {
				list = append(list, c)
				break
			}
			if s == m.root {
				break
			}
		}
	}
	return m.resolve(list)
}

func (m *machine) automatic(s *statechart.State) (chosen, bool) {
	for _, t := range s.Transitions {
		if t.Always {
			if c, ok := m.enabled(t); ok {
				return c, true
			}
		}
	}
	return chosen{}, false
}

// enabled evaluates the guards of a transition whose trigger matches, then its
// choice or join.
func (m *machine) enabled(t *statechart.Transition) (chosen, bool) {
	if m.stopped() {
		return chosen{}, false
	}
	for _, g := range t.Guards {
		if !m.holds(g, t) {
			m.lineReject(t)
			return chosen{}, false
		}
	}
	switch {
	case t.Choice != nil:
		target := m.choose(t)
		if target == nil {
			return chosen{}, false
		}
		return chosen{t, []*statechart.State{target}}, true
	case t.JoinElse != nil && !m.passed():
		return chosen{t, []*statechart.State{t.JoinElse}}, true
	}
	return chosen{t, t.Targets}, true
}

// passed reports whether the completion event that is seen says so (S60).
func (m *machine) passed() bool {
	pass, _ := m.eventData()["pass"].(bool)
	return pass
}
