package execution

import "github.com/durachart/durachart/statechart"

// microstep takes transitions without conflict together (S31).
func (m *machine) microstep(list []chosen) {
	var spans [4]span
	var states [4]*statechart.State
	exits, domains := spans[:0], states[:0]
	for _, c := range list {
		if len(c.targets) > 0 {
			// By the record before the microstep (S28); the entry set below goes by
			// what is recorded in it.
			targets := m.effective(c.targets)
			d := m.domain(c.t, targets)
			exits = exitSpans(d, c.t.Source, targets, exits)
			domains = append(domains, d)
		} else {
			domains = append(domains, nil)
		}
	}
	m.exitAll(exits)
	m.runDo(list)
	if len(exits) > 0 {
		m.entry.reset()
		m.entry.plan(m, list, domains)
		m.enterAll()
	}
}

func (m *machine) runDo(list []chosen) {
	for _, c := range list {
		if len(c.t.Do) > 0 {
			m.run(c.t.Do, c.t.Source)
		}
	}
}

// exitAll records history for all states of the exit sets, then exits them in
// reverse document order.
func (m *machine) exitAll(spans []span) {
	for _, sp := range spans {
		for i := m.active.next(sp.lo); i >= 0 && i <= sp.hi; i = m.active.next(i + 1) {
			m.record(m.chart.States()[i])
		}
	}
	if len(spans) > 1 {
		m.exitMany(spans)
		return
	}
	for _, sp := range spans {
		for i := m.active.prev(sp.hi); i >= sp.lo; i = m.active.prev(i - 1) {
			m.exit(m.chart.States()[i])
		}
	}
}

// exitMany exits the states of several spans, which may lie in each other.
func (m *machine) exitMany(spans []span) {
	for i := m.active.prev(len(m.chart.States()) - 1); i >= 0; i = m.active.prev(i - 1) {
		for _, sp := range spans {
			if sp.lo <= i && i <= sp.hi {
				m.exit(m.chart.States()[i])
				break
			}
		}
	}
}

// exit exits one state: hook, timers, site, configuration (S31).
func (m *machine) exit(s *statechart.State) {
	m.linePath("exit", s)
	if len(s.OnExit) > 0 {
		m.run(s.OnExit, s)
	}
	m.leave(s, ModeStop)
}

// leave is exit without the hook.
func (m *machine) leave(s *statechart.State, mode CancelMode) {
	m.dropTimers(s)
	m.dropSite(s, mode)
	m.active.remove(s)
	m.moved = true
}
