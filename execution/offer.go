package execution

import (
	"github.com/durachart/durachart/statechart"
)

// Names of events that the step makes (S19).
const (
	nameTimeout            = "timeout"
	nameCancelled          = "cancel"
	nameErrorExecution     = "error.execution"
	nameErrorCommunication = "error.communication"
)

// offer offers an external event: selection with routing and deferral (S24). It
// returns what became of it; Deferred means that a leaf holds it.
func (m *machine) offer(e Event) Disposition {
	m.see(e)
	open := !statechart.ReservedEvent(e.Name, m.chart.Profile())
	var routed routing
	if len(m.out.Sites) > 0 {
		m.finalize(e)
		if open {
			m.autoforward(e)
			m.route(e, &routed)
		}
	}
	list, held := m.selectEvent(open, &routed)
	switch {
	case m.stopped():
		return Dropped
	case len(list) > 0:
		m.take(list)
		return Applied
	case len(routed.to) > 0:
		for _, id := range routed.to {
			m.line("forward", word(id))
		}
		return Forwarded
	case held:
		m.line("defer")
		return DeferredToLater
	}
	m.line("drop")
	return Dropped
}

// offerFrom offers an event to s and its ancestors only, without routing and
// deferral (S26).
func (m *machine) offerFrom(s *statechart.State, e Event) {
	m.see(e)
	m.visited.clear()
	var list []chosen
	if t, ok := m.walk(s, false, nil); ok {
		list = append(m.picked[:0], t)
	}
	m.takeOrDrop(list)
}

// offerTo tries exactly one transition (S26).
func (m *machine) offerTo(t *statechart.Transition, e Event) {
	m.see(e)
	var list []chosen
	if c, ok := m.enabled(t); ok {
		list = append(m.picked[:0], c)
	}
	m.takeOrDrop(list)
}

// offerOwn offers an event without routing and deferral.
func (m *machine) offerOwn(e Event) (taken []chosen) {
	m.see(e)
	list, _ := m.selectEvent(false, nil)
	m.takeOrDrop(list)
	return list
}

func (m *machine) takeOrDrop(list []chosen) {
	switch {
	case m.stopped():
	case len(list) > 0:
		m.take(list)
	default:
		m.line("drop")
	}
}

// takeAutomatic takes the always transitions that are enabled, as one microstep.
func (m *machine) takeAutomatic() bool {
	list := m.selectAutomatic()
	if len(list) == 0 || m.stopped() {
		return false
	}
	m.take(list)
	return true
}

// takeInternal removes the head of the internal queue, selects for it, and takes
// what was selected.
func (m *machine) takeInternal() bool {
	if len(m.queue) == 0 || !m.tick() {
		return false
	}
	e := m.queue[0]
	m.queue = m.queue[1:]
	m.line("event", word(e.Name))
	list := m.offerOwn(e.Event)
	if len(list) == 0 && isError(e.Name) && m.chart.Profile() != statechart.ProfileSCXML {
		m.fail(e.kind, e.message)
	}
	return true
}

// take takes transitions that were selected together, as one microstep.
func (m *machine) take(list []chosen) {
	if !m.tick() {
		return
	}
	m.acted = true
	for _, c := range list {
		m.lineTake(c)
	}
	m.microstep(list)
}

func isError(name string) bool { return len(name) > 6 && name[:6] == "error." }
