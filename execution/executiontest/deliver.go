package executiontest

import "github.com/durachart/durachart/execution"

// pending is an effect that waits to be carried out.
type pending struct {
	from   string
	effect execution.Effect
}

// maxSteps bounds Stabilize: executions may send to each other for ever.
const maxSteps = 100_000

// Pending returns the effects that wait to be carried out, oldest first.
func (w *World) Pending() []execution.Effect {
	list := make([]execution.Effect, len(w.pending))
	for i, p := range w.pending {
		list[i] = p.effect
	}
	return list
}

// Next returns the numbers of the effects that may come next if those of each
// sender are carried out in order, as a runtime does (P6).
func (w *World) Next() []int {
	var next []int
	seen := map[string]bool{}
	for i, p := range w.pending {
		if !seen[p.from] {
			seen[p.from] = true
			next = append(next, i)
		}
	}
	return next
}

// Deliver carries out the oldest waiting effect. It reports false if there is
// none; not every effect leads to a step.
func (w *World) Deliver() ([]Step, bool) { return w.DeliverAt(0) }

// DeliverAt carries out the waiting effect of that number, to show what a change
// of the order does.
func (w *World) DeliverAt(i int) ([]Step, bool) {
	if i < 0 || i >= len(w.pending) {
		return nil, false
	}
	p := w.pending[i]
	w.pending = append(w.pending[:i:i], w.pending[i+1:]...)
	switch x := p.effect.(type) {
	case execution.Spawn:
		return w.create(x), true
	case execution.Emit:
		return w.emit(p.from, x.Target, x.Event), true
	case execution.CancelChild:
		if w.snaps[x.Child] == nil {
			return nil, true
		}
		return []Step{w.Apply(x.Child, x.Event())}, true
	case execution.Finished:
		return w.emit(p.from, x.Parent, x.Event()), true
	}
	return nil, true
}

// Stabilize carries out what waits, and what that leads to, until nothing waits.
func (w *World) Stabilize() []Step {
	steps, _ := w.StabilizeWithin(maxSteps)
	return steps
}

// StabilizeWithin is Stabilize for executions that may never come to rest: it
// gives up after about that many steps, and reports whether nothing waits.
func (w *World) StabilizeWithin(limit int) ([]Step, bool) {
	var steps []Step
	for n := 0; n < limit; n++ {
		more, ok := w.Deliver()
		if !ok {
			return steps, true
		}
		steps = append(steps, more...)
	}
	return steps, len(w.pending) == 0
}

// create carries out a Spawn. It is idempotent; an id that is taken by another
// child, and a chart that is not there, are reported as the end of the child.
func (w *World) create(s execution.Spawn) []Step {
	fail := func(why string) []Step {
		return w.emit(s.Child, s.Parent, execution.FinishedEvent(execution.Finished{
			Parent: s.Parent, Child: s.Child, Site: s.Site,
			Status: execution.Failed, Outcome: "failed", Error: why,
		}))
	}
	if old := w.snaps[s.Child]; old != nil {
		if old.ParentID == s.Parent && old.ParentSite != nil && *old.ParentSite == s.Site {
			return nil
		}
		return fail("id taken")
	}
	if w.charts.Chart(s.Chart, s.Version) == nil {
		return fail("unknown chart")
	}
	w.snaps[s.Child] = execution.NewChild(s)
	return []Step{w.Apply(s.Child, s.Start())}
}

func (w *World) emit(from, target string, e execution.Event) []Step {
	if w.snaps[target] == nil {
		w.letters = append(w.letters, Letter{ID: from, Reason: "unknown_target", Event: e})
		return nil
	}
	return []Step{w.Apply(target, e)}
}

// Crash drops all that is in memory and reads it back from its stored form:
// snapshots, events on their way. It returns what could not be read.
func (w *World) Crash() []error {
	var errs []error
	for _, id := range w.IDs() {
		s, err := execution.Decode(w.snaps[id].Encode())
		if err != nil {
			errs = append(errs, err)
			continue
		}
		w.snaps[id] = s
	}
	for i := range w.pending {
		if x, ok := w.pending[i].effect.(execution.Emit); ok {
			e, err := execution.DecodeEvent(x.Event.Encode())
			if err != nil {
				errs = append(errs, err)
			}
			w.pending[i].effect = execution.Emit{Target: x.Target, Event: e}
		}
	}
	w.attempts = map[string]int{}
	return errs
}
