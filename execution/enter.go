package execution

import "github.com/durachart/durachart/statechart"

// entrySet is what a microstep enters (S30).
type entrySet struct {
	states   stateSet
	initial  stateSet            // compounds whose initial is used
	defaults []*statechart.State // histories whose "to" is used
}

func (e *entrySet) reset() {
	e.states.clear()
	e.initial.clear()
	e.defaults = e.defaults[:0]
}

// plan fills the entry set for transitions with these domains.
func (e *entrySet) plan(m *machine, list []chosen, domains []*statechart.State) {
	for i, c := range list {
		if d := domains[i]; d != nil {
			e.addAll(m, c.targets, d, 0)
		}
	}
	for _, d := range domains {
		if d != nil && d.Kind == statechart.Parallel {
			e.addRegions(m, d)
		}
	}
	e.close(m)
}

// planStart fills the entry set for the start of the execution (S33).
func (e *entrySet) planStart(m *machine) {
	e.reset()
	e.states.add(m.root)
	e.close(m)
}

// addAll adds targets and their ancestors below d.
func (e *entrySet) addAll(m *machine, targets []*statechart.State, d *statechart.State, depth int) {
	for _, t := range targets {
		if t.Kind == statechart.History {
			e.addHistory(m, t, d, depth)
		} else {
			e.addUpTo(m, t, d)
		}
	}
}

func (e *entrySet) addUpTo(m *machine, s, d *statechart.State) {
	for ; s != d && s != nil && !m.active.has(s); s = s.Parent {
		e.states.add(s)
	}
}

// addHistory adds what a history state stands for, and remembers which initial or
// "to" that uses, for their actions.
func (e *entrySet) addHistory(m *machine, h, d *statechart.State, depth int) {
	switch {
	case m.recorded(h.Path) != nil || depth == maxExpand:
		for _, s := range m.expand(nil, []*statechart.State{h}, depth) {
			e.addUpTo(m, s, d)
		}
	case h.Default != nil:
		e.defaults = append(e.defaults, h)
		e.addAll(m, h.Default.Targets, d, depth+1)
	case h.Parent.Initial != nil:
		e.initial.add(h.Parent)
		e.addAll(m, h.Parent.Initial.Targets, d, depth+1)
	default:
		e.addRegions(m, h.Parent)
		e.addUpTo(m, h.Parent, d)
	}
}

// addRegions adds the regions of a parallel that neither stay active nor are
// entered already.
func (e *entrySet) addRegions(m *machine, p *statechart.State) {
	for _, r := range p.Children {
		if r.Kind != statechart.History && !m.active.has(r) {
			e.states.add(r)
		}
	}
}

// close adds children until every compound has one and every parallel all. One
// pass in document order is enough: what is added lies behind.
func (e *entrySet) close(m *machine) {
	for i := e.states.next(0); i >= 0; i = e.states.next(i + 1) {
		s := m.chart.States()[i]
		switch s.Kind {
		case statechart.Compound:
			if !e.states.any(s.Index+1, s.Last) {
				e.initial.add(s)
				e.addAll(m, s.Initial.Targets, s, 0)
			}
		case statechart.Parallel:
			e.addRegions(m, s)
		}
	}
}

// enterAll enters the entry set in document order.
func (m *machine) enterAll() {
	for i := m.entry.states.next(0); i >= 0; i = m.entry.states.next(i + 1) {
		m.enter(m.chart.States()[i])
	}
}

// enter enters one state (S31).
func (m *machine) enter(s *statechart.State) {
	m.active.add(s)
	m.moved, m.entered = true, true
	m.out.EntrySeq++
	entry := m.out.EntrySeq
	m.linePath("enter", s)
	if len(s.OnEnter) > 0 {
		m.run(s.OnEnter, s)
	}
	m.armTimers(s, entry)
	if s.Kind == statechart.Orthogonal || s.Kind == statechart.Invoking {
		m.opening = append(m.opening, s)
	}
	if m.entry.initial.has(s) && len(s.Initial.Do) > 0 {
		m.run(s.Initial.Do, s)
	}
	for _, h := range m.entry.defaults {
		if h.Parent == s && len(h.Default.Do) > 0 {
			m.run(h.Default.Do, s)
		}
	}
	if s.Kind == statechart.Final {
		m.reachFinal(s)
	}
}
