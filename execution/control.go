package execution

import (
	"github.com/durachart/durachart/statechart"
)

// perform does the work of an event that was admitted. The step goes on unless it
// returns another disposition; then nothing has changed.
func (m *machine) perform(op *operation) (Disposition, error) {
	m.acted = op.kind != opEvent
	switch op.kind {
	case opEvent:
		return m.performEvent(op.event), nil
	case opStart:
		m.start()
	case opTimer:
		if d := m.performTimer(op); d != proceed {
			return d, nil
		}
	case opFinished:
		if !m.recordEnd(op.child) {
			return Stale, nil
		}
	case opCancel:
		return proceed, m.performCancel(op)
	case opStop:
		m.stop(true, ModeStop)
		return proceed, nil
	case opTerminate:
		m.stop(false, ModeTerminate)
		return proceed, nil
	case opSuspend:
		m.suspend()
		return proceed, nil
	case opResume:
		if m.out.Status != Suspended {
			return proceed, nil // as is
		}
		m.resume()
	case opSetState:
		if err := m.setState(op); err != nil {
			return proceed, err
		}
	case opRetry:
		return proceed, m.performRetry(op)
	case opReset:
		m.reset(op)
	}
	m.settle()
	return proceed, nil
}

func (m *machine) performEvent(e Event) Disposition {
	if !declared(m.chart, e) {
		m.refusal = ReasonInvalidData
		return Dead
	}
	m.outcome = m.offer(e)
	if m.outcome == DeferredToLater && !m.hold(e) {
		m.outcome, m.refusal = Dead, ReasonDeferredFull
	}
	m.settle()
	if m.outcome == Dead && !m.acted {
		return Dead
	}
	return proceed
}

// start enters the execution root (S33).
func (m *machine) start() {
	m.out.Status = Running
	m.tick()
	m.entry.planStart(m)
	m.enterAll()
}

// suspend puts the execution and its live children on hold.
func (m *machine) suspend() {
	if m.out.Status == Suspended {
		return // as is
	}
	m.out.Status = Suspended
	m.passOn(nameSuspend)
}

func (m *machine) resume() {
	m.out.Status = m.working()
	m.passOn(nameResume)
}

// working is RUNNING, or CANCELLING if a cancel was accepted (S76).
func (m *machine) working() Status {
	if m.in.Cancel != nil {
		return Cancelling
	}
	return Running
}

// passOn emits an operation to all live children (S77).
func (m *machine) passOn(name string) {
	m.eachSite(func(site *Site) {
		for _, id := range m.liveChildren(site) {
			e := m.external(name, emptyObject)
			m.emit(id, e)
		}
	})
}

// performCancel asks the chart to clean up and end, or stops it (S78).
func (m *machine) performCancel(op *operation) error {
	switch m.out.Status {
	case Pending, Failed:
		m.stop(false, ModeStop)
		return nil
	case Suspended:
		m.resume()
	}
	if m.out.Status == Cancelling {
		return nil // accepted before
	}
	e := m.byOperation(nameCancelled, op.object, "")
	m.see(e)
	list, _ := m.selectEvent(false, nil)
	switch {
	case m.stopped():
	case len(list) == 0:
		m.line("drop")
		m.stop(true, ModeStop)
	default:
		if leads(list) {
			m.out.Status, m.out.Cancel = Cancelling, op.object
		}
		m.take(list)
		m.settle()
	}
	return nil
}

// leads reports whether one of the transitions has targets.
func leads(list []chosen) bool {
	for _, c := range list {
		if len(c.targets) > 0 {
			return true
		}
	}
	return false
}

// setState moves the execution as an external transition of its root would (S80).
func (m *machine) setState(op *operation) error {
	var targets []*statechart.State
	for _, path := range op.targets {
		t := m.chart.State(path)
		if t == nil || t == m.root || t.ExecutionRoot != m.root {
			return invalidEvent(op.event, "no state %q to go to in this execution", path)
		}
		targets = append(targets, t)
	}
	if len(targets) == 0 {
		return invalidEvent(op.event, "no targets")
	}
	for i, a := range targets {
		for _, b := range targets[i+1:] {
			if !together(a, b) {
				return invalidEvent(op.event, "%q and %q cannot be active together", a.Path, b.Path)
			}
		}
	}
	t := &statechart.Transition{Source: m.root, Targets: targets}
	if m.tick() {
		m.microstep([]chosen{{t, targets}})
	}
	return nil
}

// together reports whether two targets can be active together (S9).
func together(a, b *statechart.State) bool {
	if a.Contains(b) || b.Contains(a) {
		return false
	}
	p := a.Parent
	for !p.Contains(b) {
		p = p.Parent
	}
	return p.Kind == statechart.Parallel
}

// performRetry takes up a FAILED execution again with the event that failed
// (S81).
func (m *machine) performRetry(op *operation) error {
	inner := &operation{}
	if err := inner.understand(m.chart, *op.inner); err != nil {
		return err
	}
	if inner.kind != opStart && m.neverStarted() && inner.kind != opReset {
		return invalidEvent(op.event, "the execution has never started")
	}
	m.out.Status, m.out.Error = m.working(), ""
	m.given = inner.event
	m.see(m.given)
	if inner.kind != opStart {
		if d := admit(m.out, inner); d != proceed {
			return nil
		}
	}
	_, err := m.perform(inner)
	m.acted = true
	return err
}

// reset starts the execution anew (S82).
func (m *machine) reset(op *operation) {
	m.eachSite(func(site *Site) { m.cancelLive(site, ModeStop) })
	m.dropPool(ReasonReset)
	m.active.clear()
	fresh := New(m.in.DefinitionID, m.in.DefinitionVersion, m.in.ID, op.object)
	fresh.RootPath, fresh.Priority, fresh.Version = m.in.RootPath, m.in.Priority, m.in.Version
	fresh.InvokeSeq, fresh.EntrySeq = m.in.InvokeSeq, m.in.EntrySeq
	fresh.Run, fresh.Steps = m.in.Run+1, m.in.Steps
	fresh.extra = m.in.extra
	*m.out = *fresh
	m.own = owned{}
	m.context = userData{text: fresh.Context}
	m.see(Event{ID: m.given.ID, Name: nameStart, Data: emptyObject, checked: true})
	m.start()
}
