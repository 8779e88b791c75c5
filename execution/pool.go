package execution

import "slices"

// scan is how far a scan of the deferred pool has come (S38).
type scan struct {
	on  bool // interrupted: it goes on at pos
	pos int
}

// hold appends an event to the pool; false means that there is no room (S39).
func (m *machine) hold(e Event) bool {
	if len(m.out.Deferred) >= m.limits.Deferred {
		m.letter(ReasonDeferredFull, e)
		return false
	}
	m.ownPool()
	m.out.Deferred = append(m.out.Deferred, e)
	return true
}

func (m *machine) ownPool() {
	if !m.own.deferred {
		m.own.deferred = true
		m.out.Deferred = slices.Clone(m.out.Deferred)
	}
}

// scanPool offers the deferred events again: all, oldest first, if a state was
// entered since the last scan began, else those behind the one that interrupted
// it. It reports whether the step has to go on.
func (m *machine) scanPool() bool {
	if m.entered {
		m.entered = false
		m.scan = scan{on: true}
	}
	if !m.scan.on {
		return false
	}
	for m.scan.pos < len(m.out.Deferred) && !m.stopped() {
		e := m.out.Deferred[m.scan.pos]
		m.line("reoffer", word(e.Name), "#"+word(e.ID))
		before := m.event
		d := m.offer(e)
		if d == DeferredToLater {
			m.see(before)
			m.scan.pos++
			continue
		}
		m.ownPool()
		m.out.Deferred = slices.Delete(m.out.Deferred, m.scan.pos, m.scan.pos+1)
		if d == Applied {
			return true
		}
	}
	m.scan.on = false
	return len(m.queue) > 0 // a guard failed: its error event is to be handled
}
