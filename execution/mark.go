package execution

import (
	"slices"
	"strings"
)

// mark is what the step can be taken back to when an action fails: nothing that
// the action did in its scope remains.
type mark struct {
	queue    int
	emits    int
	raised   int
	emitted  int
	entrySeq int64
	timers   []Timer
	trace    int
}

// mark makes the present state one to go back to.
func (m *machine) mark() mark {
	m.own.timers = false // the next write copies them
	return mark{len(m.queue), len(m.effects.emits), m.raised, m.emitted, m.out.EntrySeq, m.out.Timers, len(m.trace)}
}

// undo goes back. What the action has logged stays in the trace: it may tell why.
func (m *machine) undo(to mark) {
	m.queue = m.queue[:to.queue]
	m.effects.emits = m.effects.emits[:to.emits]
	m.raised, m.emitted = to.raised, to.emitted
	m.out.EntrySeq = to.entrySeq
	m.out.Timers = to.timers
	m.own.timers = false
	done := slices.DeleteFunc(m.trace[to.trace:], func(line string) bool { return !strings.HasPrefix(line, "log ") })
	m.trace = m.trace[:to.trace+len(done)]
}
