package execution

import (
	"time"

	"github.com/durachart/durachart/statechart"
)

// FailTooLarge returns the Result of a step that a store has refused to write
// because it is too large: the step is undone and fails with kind size, whatever
// event does in it (S43). The arguments are those of the [Step] that was refused;
// no action runs.
func FailTooLarge(chart *statechart.Chart, s *Snapshot, event Event, now time.Time, host *Host, why string) (Result, error) {
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
	m := newMachine(chart, s, now.UnixMilli(), host)
	defer m.release()
	if m.in.live() && !m.neverStarted() {
		if err := m.activate(); err != nil {
			return Result{}, err
		}
	}
	m.given = op.event
	m.fail(kindSize, why)
	return m.failed(op.event), nil
}
