package execution

import (
	"slices"
)

// result makes the Result of a step that went through.
func (m *machine) result(e Event) Result {
	m.commitContext()
	if m.moved {
		m.keepLeaves()
	}
	m.out.Steps++
	m.checkSize()
	if m.failure != nil {
		return m.failed(e)
	}
	d := m.outcome
	if m.acted {
		d = Applied
	}
	return Result{Event: e, Disposition: d, Snapshot: m.out, Effects: m.effectList(), Trace: m.trace}
}

func (m *machine) commitContext() {
	text, err := m.context.bytes()
	if err != nil {
		m.fail(kindValue, err.Error())
		return
	}
	m.out.Context = text
	m.keepItems()
}

// keepLeaves writes the active leaves into the snapshot, sorted.
func (m *machine) keepLeaves() {
	leaves := make([]string, 0, max(1, len(m.in.Configuration)))
	for i := m.active.next(0); i >= 0; i = m.active.next(i + 1) {
		if s := m.chart.States()[i]; s.IsLeaf() {
			leaves = append(leaves, s.Path)
		}
	}
	slices.Sort(leaves)
	if !slices.Equal(leaves, m.out.Configuration) {
		m.out.Configuration = leaves
	}
}

// checkSize fails the step if what it leaves behind is too large.
func (m *machine) checkSize() {
	if n := len(m.out.Context); n > m.limits.ContextBytes {
		m.fail(kindSize, "context of "+itoa(n)+" bytes")
		return
	}
	if m.out.bound(6) <= m.limits.SnapshotBytes {
		return
	}
	if n := len(m.out.Encode()); n > m.limits.SnapshotBytes {
		m.fail(kindSize, "snapshot of "+itoa(n)+" bytes")
	}
}

// unchanged is the Result of an event that changes nothing. One that is dead is a
// dead letter with that reason.
func unchanged(s *Snapshot, e Event, d Disposition, reason string) Result {
	r := Result{Event: e, Disposition: d, Snapshot: s}
	if d == Dead {
		r.Effects = []Effect{DeadLetter{Reason: reason, Event: e}}
	}
	return r
}

// failed is the Result of a step that fails: it is undone, and the event is a dead
// letter (S43).
func (m *machine) failed(e Event) Result {
	m.effects = effects{}
	*m.out = *m.in
	m.out.Status, m.out.Outcome = Failed, ""
	m.out.Error = m.failure.kind + ": " + m.failure.message
	m.out.Steps++
	m.own = owned{}
	m.letter(ReasonStepFailed, m.given)
	if m.in.ParentID != "" {
		m.eachSite(func(site *Site) { m.cancelLive(site, ModeStop) })
		m.out.Sites, m.out.Children = nil, nil
		m.clearEnded()
		m.finish(outcomeFailed, emptyObject)
	}
	if m.failure.kind == kindLivelock && len(m.trace) > keptLines {
		m.trace = m.trace[len(m.trace)-keptLines:]
	}
	return Result{Event: e, Disposition: StepFailed, Snapshot: m.out, Effects: m.effectList(), Trace: m.trace}
}
