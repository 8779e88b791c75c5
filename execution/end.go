package execution

import (
	"github.com/durachart/durachart/internal/jsonvalue"
	"github.com/durachart/durachart/statechart"
)

// end ends the execution whose final child is active (S34).
func (m *machine) end() {
	if m.failQueued() {
		return
	}
	final := m.final
	m.keepLeaves()
	m.exitActive(true, ModeStop)
	if m.failQueued() || m.stopped() {
		return
	}
	m.out.Status, m.out.Outcome = Done, final.Outcome
	m.clearEnded()
	m.finish(m.out.Outcome, m.carried(final))
}

// failQueued fails the step if an error event is still queued. The profile scxml
// drops it, as W3C does (S29).
func (m *machine) failQueued() bool {
	if m.chart.Profile() == statechart.ProfileSCXML {
		return false
	}
	for _, q := range m.queue {
		if isError(q.Name) {
			m.fail(q.kind, q.message)
			return true
		}
	}
	return false
}

// exitActive exits all active states, the execution root last, without history.
func (m *machine) exitActive(hooks bool, mode CancelMode) {
	for i := m.active.prev(m.root.Last); i >= 0 && !m.stopped(); i = m.active.prev(i - 1) {
		s := m.chart.States()[i]
		m.linePath("exit", s)
		if hooks && len(s.OnExit) > 0 {
			m.run(s.OnExit, s)
		}
		m.leave(s, mode)
	}
	m.moved = false // the configuration keeps the last leaves
}

// clearEnded drops what an ended execution has no use for.
func (m *machine) clearEnded() {
	m.out.Timers, m.own.timers = nil, true
	m.dropPool(ReasonEnded)
}

func (m *machine) dropPool(reason string) {
	for _, e := range m.out.Deferred {
		m.letter(reason, e)
	}
	m.out.Deferred = nil
}

// stop ends the execution as CANCELLED (S79). An error in a hook only fills
// error.
func (m *machine) stop(hooks bool, mode CancelMode) {
	m.queue = nil
	if m.in.live() && !m.neverStarted() {
		m.keepLeaves()
		m.exitActive(hooks, mode)
		for _, q := range m.queue {
			if isError(q.Name) {
				m.out.Error = q.kind + ": " + q.message
				break
			}
		}
		m.queue = nil
	}
	m.acted = true
	m.out.Status, m.out.Outcome = Cancelled, ""
	m.clearEnded()
	m.finish(outcomeCancelled, emptyObject)
}

// Outcomes that a parent hears of children that did not end DONE (S58).
const (
	outcomeSuccess   = "success"
	outcomeFailed    = "failed"
	outcomeCancelled = "cancelled"
)

// carried returns what a final carries (S65).
func (m *machine) carried(f *statechart.State) []byte {
	return carry(f, m.context.value())
}

func carry(f *statechart.State, context map[string]any) []byte {
	if len(f.Carried) == 0 {
		return emptyObject
	}
	out := make(map[string]any, len(f.Carried))
	for _, key := range f.Carried {
		if v, ok := context[key]; ok {
			out[key] = v
		}
	}
	text, err := jsonvalue.Encode(out)
	if err != nil {
		return emptyObject
	}
	return text
}

// completionData is the data of done.state of a compound: outcome and what its
// final carries (S19).
func (m *machine) completionData(f *statechart.State) []byte {
	if len(f.Carried) == 0 {
		return completion(f.Outcome, "", emptyObject)
	}
	return completion(f.Outcome, "", m.carried(f))
}

// completion returns {outcome, status, …carried}; an empty status is left out.
func completion(outcome, status string, carried []byte) []byte {
	if string(carried) == "{}" {
		d := append([]byte(`{"outcome":`), jsonText(outcome)...)
		if status != "" {
			d = append(d, `,"status":`...)
			d = jsonvalue.AppendText(d, status)
		}
		return append(d, '}')
	}
	m, err := jsonvalue.DecodeObject(carried)
	if err != nil {
		m = map[string]any{}
	}
	m["outcome"] = outcome
	if status != "" {
		m["status"] = status
	}
	text, err := jsonvalue.Encode(m)
	if err != nil {
		return completion(outcome, status, emptyObject)
	}
	return text
}

// Output returns what the final of a DONE execution carries, an object; nil for
// any other.
func Output(chart *statechart.Chart, s *Snapshot) []byte {
	if s.Status != Done {
		return nil
	}
	root := chart.State(s.RootPath)
	for _, path := range s.Configuration {
		if f := chart.State(path); f != nil && f.Kind == statechart.Final && f.Parent == root {
			context, err := jsonvalue.DecodeObject(s.Context)
			if err != nil {
				return emptyObject
			}
			return carry(f, context)
		}
	}
	return emptyObject
}
