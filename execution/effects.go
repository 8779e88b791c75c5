package execution

import (
	"encoding/json"
	"slices"
	"strings"
	"time"
)

// effects collects what a step asks for, by the groups of S85.
type effects struct {
	spawns   []Spawn
	emits    []Emit
	cancels  []CancelChild
	dead     []DeadLetter
	finished *Finished
}

func (m *machine) emit(target string, e Event) {
	m.effects.emits = append(m.effects.emits, Emit{Target: target, Event: e})
}

func (m *machine) letter(reason string, e Event) {
	m.effects.dead = append(m.effects.dead, DeadLetter{Reason: reason, Event: e})
}

// list returns the effects in order, with the changes of the timers.
func (m *machine) effectList() []Effect {
	e := &m.effects
	e.cancelOut()
	timers := m.timerEffects()
	n := len(e.spawns) + len(e.emits) + len(e.cancels) + len(timers) + len(e.dead)
	if e.finished != nil {
		n++
	}
	if n == 0 {
		return nil
	}
	list := make([]Effect, 0, n)
	for _, x := range e.spawns {
		list = append(list, x)
	}
	for _, x := range e.emits {
		list = append(list, x)
	}
	for _, x := range e.cancels {
		list = append(list, x)
	}
	list = append(list, timers...)
	for _, x := range e.dead {
		list = append(list, x)
	}
	if e.finished != nil {
		list = append(list, *e.finished)
	}
	return list
}

// cancelOut drops a Spawn and a CancelChild for one child, and the Emits to it:
// the child has never been (S85).
func (e *effects) cancelOut() {
	if len(e.spawns) == 0 || len(e.cancels) == 0 {
		return
	}
	spawned := make(map[string]bool, len(e.spawns))
	for _, s := range e.spawns {
		spawned[s.Child] = false
	}
	for _, c := range e.cancels {
		if _, ok := spawned[c.Child]; ok {
			spawned[c.Child] = true
		}
	}
	e.spawns = slices.DeleteFunc(e.spawns, func(s Spawn) bool { return spawned[s.Child] })
	e.cancels = slices.DeleteFunc(e.cancels, func(c CancelChild) bool { return spawned[c.Child] })
	e.emits = slices.DeleteFunc(e.emits, func(x Emit) bool { return spawned[x.Target] })
}

// timerEffects returns the difference between the timers that were armed before
// the step and those that are after it (S51).
func (m *machine) timerEffects() []Effect {
	before, after := m.in.Armed(), m.out.Armed()
	if len(before) == 0 && len(after) == 0 || sameTimers(before, after) {
		return nil
	}
	var stop, start []Effect
	for len(before) > 0 || len(after) > 0 {
		switch c := compareHeads(before, after); {
		case c < 0:
			stop = append(stop, CancelTimer{before[0].Name, before[0].Entry})
			before = before[1:]
		case c > 0:
			start = append(start, startTimer(after[0]))
			after = after[1:]
		default:
			if before[0].Entry != after[0].Entry {
				stop = append(stop, CancelTimer{before[0].Name, before[0].Entry})
				start = append(start, startTimer(after[0]))
			}
			before, after = before[1:], after[1:]
		}
	}
	return append(stop, start...)
}

func sameTimers(a, b []Timer) bool {
	return len(a) == len(b) && len(a) > 0 && &a[0] == &b[0]
}

func compareHeads(a, b []Timer) int {
	switch {
	case len(a) == 0:
		return 1
	case len(b) == 0:
		return -1
	}
	return strings.Compare(a[0].Name, b[0].Name)
}

func startTimer(t Timer) StartTimer {
	return StartTimer{Name: t.Name, Entry: t.Entry, At: time.UnixMilli(t.At).UTC()}
}

// finish reports the end of this execution to its parent, if it has one (S58).
func (m *machine) finish(outcome string, result json.RawMessage) {
	if m.in.ParentID == "" || m.in.ParentSite == nil {
		return
	}
	m.effects.finished = &Finished{
		Parent: m.in.ParentID, Child: m.in.ID, Site: *m.in.ParentSite,
		Status: m.out.Status, Outcome: outcome, Error: m.out.Error, Result: result,
	}
}
