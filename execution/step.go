package execution

import (
	"time"

	"github.com/durachart/durachart/statechart"
)

// Step runs one step: all that event causes in the execution until nothing is
// left to do (S22, S23).
//
// chart must be the one of the snapshot, by name and version. now is cut to
// milliseconds. A nil host has no handlers. The Result shares memory with the
// arguments; change none of them. For the errors see the package documentation.
func Step(chart *statechart.Chart, s *Snapshot, event Event, now time.Time, host *Host) (Result, error) {
	if host == nil {
		host = &Host{}
	}
	if err := fits(chart, s); err != nil {
		return Result{}, err
	}
	var op operation
	if err := op.understand(chart, event); err != nil {
		return Result{}, err
	}
	if d := admit(s, &op); d != proceed {
		if err := lacking(chart, s); err != nil {
			return Result{}, err
		}
		return unchanged(s, op.event, d, ReasonEnded), nil
	}
	m := newMachine(chart, s, now.UnixMilli(), host)
	defer m.release()
	return m.step(&op)
}

// step runs an event that was admitted.
func (m *machine) step(op *operation) (Result, error) {
	if m.in.live() && !m.neverStarted() {
		if err := m.activate(); err != nil {
			return Result{}, err
		}
	} else if err := lacking(m.chart, m.in); err != nil {
		return Result{}, err
	}
	m.given = op.event
	m.see(m.given)
	d, err := m.perform(op)
	switch {
	case err != nil:
		return Result{}, err
	case m.retry != nil:
		return Result{}, m.retry
	case m.failure != nil:
		return m.failed(op.event), nil
	case d == Dead:
		return unchanged(m.in, op.event, Dead, m.refusal), nil
	case d != proceed:
		return unchanged(m.in, op.event, d, ""), nil
	}
	return m.result(op.event), nil
}

// neverStarted reports whether the very start failed: nothing is active then.
func (m *machine) neverStarted() bool {
	return m.in.Status == Failed && len(m.in.Configuration) == 0
}

// settle runs what is left to do: points 3 to 8 of S23.
func (m *machine) settle() {
	for !m.stopped() {
		switch {
		case m.final != nil:
			m.end()
			return
		case m.takeAutomatic():
		case m.takeInternal():
		case m.openSites():
		case m.scanPool():
		default:
			return
		}
	}
}
