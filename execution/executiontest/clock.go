package executiontest

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/durachart/durachart/execution"
)

type timerKey struct{ id, name string }

type timer struct {
	entry int64
	at    time.Time
}

// retry is a step that is to be repeated (S44).
type retry struct {
	at    time.Time
	id    string
	event execution.Event
}

// Timer is an armed timer.
type Timer struct {
	ID    string // execution
	Name  string
	Entry int64
	At    time.Time
}

// Timers returns all armed timers in the order in which they are due.
func (w *World) Timers() []Timer {
	list := make([]Timer, 0, len(w.timers))
	for k, t := range w.timers {
		list = append(list, Timer{k.id, k.name, t.entry, t.at})
	}
	slices.SortFunc(list, func(a, b Timer) int {
		return cmp.Or(a.At.Compare(b.At), cmp.Compare(a.ID, b.ID), cmp.Compare(a.Name, b.Name))
	})
	return list
}

// Advance moves the clock by d. What becomes due on the way happens at its time,
// and everything is carried out before the clock goes on.
func (w *World) Advance(d time.Duration) []Step {
	steps, _ := w.AdvanceWithin(d, maxSteps)
	return steps
}

// AdvanceWithin is Advance for executions that may never come to rest: it gives up
// after about that many steps, and then the clock stands where that happened.
func (w *World) AdvanceWithin(d time.Duration, limit int) ([]Step, bool) {
	end := w.now.Add(d)
	steps, quiet := w.StabilizeWithin(limit)
	for quiet {
		due := w.dueUntil(end)
		if due == nil {
			w.now = end
			return steps, true
		}
		if due.at.After(w.now) {
			w.now = due.at
		}
		steps = append(steps, w.Apply(due.id, due.event))
		var more []Step
		more, quiet = w.StabilizeWithin(limit - len(steps))
		steps = append(steps, more...)
	}
	return steps, false
}

// dueUntil takes the earliest retry or timer that is due until then.
func (w *World) dueUntil(end time.Time) *retry {
	var first *retry
	if len(w.retries) > 0 {
		slices.SortStableFunc(w.retries, func(a, b retry) int { return a.at.Compare(b.at) })
		if !w.retries[0].at.After(end) {
			r := w.retries[0]
			first = &r
		}
	}
	if timers := w.Timers(); len(timers) > 0 {
		if t := timers[0]; !t.At.After(end) && (first == nil || t.At.Before(first.at)) {
			delete(w.timers, timerKey{t.ID, t.Name})
			return &retry{t.At, t.ID, execution.TimerEvent(t.ID, t.Name, t.Entry)}
		}
	}
	if first != nil {
		w.retries = w.retries[1:]
	}
	return first
}

// checkTimers complains unless the timers that the effects armed are those that
// the snapshot has.
func (w *World) checkTimers(id string) []string {
	var complaints []string
	armed := map[string]bool{}
	for _, t := range w.snaps[id].Armed() {
		armed[t.Name] = true
		got, ok := w.timers[timerKey{id, t.Name}]
		if !ok || got.entry != t.Entry || got.at.UnixMilli() != t.At {
			complaints = append(complaints, fmt.Sprintf("no effect has armed timer %s %d", t.Name, t.Entry))
		}
	}
	for _, t := range w.Timers() {
		if t.ID == id && !armed[t.Name] {
			complaints = append(complaints, fmt.Sprintf("no effect has cancelled timer %s %d", t.Name, t.Entry))
		}
	}
	return complaints
}
