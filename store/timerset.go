package store

import (
	"maps"
	"time"
)

// TimerOp arms, re-arms or cancels one timer.
type TimerOp struct {
	Name string
	Due  time.Time // zero cancels
}

// FoldTimers returns the timers that are armed after ops. Operations are folded
// per name in order and the last one wins, so that one write never sets and
// unsets the same timer (D19). armed is not changed; the result is never nil.
func FoldTimers(armed map[string]time.Time, ops []TimerOp) map[string]time.Time {
	after := make(map[string]time.Time, len(armed)+len(ops))
	maps.Copy(after, armed)
	for _, op := range ops {
		if op.Due.IsZero() {
			delete(after, op.Name)
		} else {
			after[op.Name] = op.Due
		}
	}
	return after
}

// NextFire returns the earliest due date, truncated to milliseconds; zero when
// nothing is armed. It is what next_fire_at is computed with, so that it is
// always the minimum of timers (D19).
func NextFire(timers map[string]time.Time) time.Time {
	var next time.Time
	for _, due := range timers {
		if next.IsZero() || due.Before(next) {
			next = due
		}
	}
	return Millis(next)
}
