package actor

import (
	"errors"
	"time"

	"github.com/durachart/durachart/actor/internal/gate"
	"github.com/durachart/durachart/execution"
	"github.com/durachart/durachart/store"
)

// maxConflicts is how many races in a row an execution loses before its callers
// hear of it. Whoever wins is another process that does the same work.
const maxConflicts = 32

// lost judges a commit that did not succeed. It returns nil if the turn is to
// decide again, else how the entry goes on.
func (t *turn) lost(err error) *gate.Next {
	a := t.a
	var conflict *store.ConflictError
	switch {
	case errors.As(err, &conflict) && conflict.Found == conflict.Expected:
		// The copy is right: some of the ids were handled before it was made.
		a.rt.stats.conflicts.Add(1)
		t.seen(conflict.Seen)
		return t.forget(conflict.Seen)
	case errors.Is(err, store.ErrConflict), errors.Is(err, store.ErrUncertain):
		// Of an uncertain commit the load tells: either the ids are processed, or
		// the next commit from the version it finds keeps the first one out (P3).
		return t.raced(err)
	case errors.Is(err, store.ErrBackpressure):
		return t.crowded()
	case errors.Is(err, store.ErrTooLarge):
		return t.tooLarge(err)
	}
	return t.fail(err)
}

// forget drops entries of the inbox that are processed: a twin of theirs came
// another way.
func (t *turn) forget(seen []string) *gate.Next {
	if err := t.a.dropSeen(seen); err != nil {
		return t.fail(err)
	}
	return nil
}

// raced drops the copy and has the turn begin anew, after a rest if it was not
// the first time: as long, on average, as the others need for a commit.
func (t *turn) raced(err error) *gate.Next {
	a := t.a
	a.rt.stats.conflicts.Add(1)
	a.drop()
	tr := a.troubled()
	tr.conflicts++
	switch {
	case tr.conflicts == 1:
		return nil
	case tr.conflicts > maxConflicts:
		tr.conflicts = 0
		return t.fail(err)
	}
	return t.restFor(backoff(a.rt.pace.typical(), tr.conflicts, time.Second))
}

// crowded waits until the relay has made room. The steps will be done again, one
// at a time, so that little room is enough.
func (t *turn) crowded() *gate.Next {
	tr := t.a.troubled()
	tr.crowded++
	return t.restFor(backoff(10*time.Millisecond, tr.crowded, time.Second))
}

// restFor hands everything back for a while. Nothing of the draft has happened.
func (t *turn) restFor(d time.Duration) *gate.Next {
	a := t.a
	a.troubled().until = time.Now().Add(d)
	calls := t.unanswered()
	if next := a.resting(calls); next != nil {
		return next
	}
	return &gate.Next{Back: calls, Again: true}
}

// tooLarge has a step fail that the store refuses as too large, once it is alone
// in its commit (S43).
func (t *turn) tooLarge(err error) *gate.Next {
	if len(t.draft.handled) > 1 {
		t.limit = 1
		return nil
	}
	a, d := t.a, &t.draft
	it := t.onlyStep()
	if it == nil || d.snap.Status == execution.Failed {
		return t.fail(err)
	}
	a.begin(d)
	res, stepErr := execution.FailTooLarge(a.chart, d.snap, it.ev, d.now, &a.rt.host, err.Error())
	if stepErr != nil {
		return t.fail(stepErr)
	}
	a.add(d, it.ev.ID, &res)
	it.reply = a.reply(d.snap, it.ev.ID, res.Disposition, a.version+1)
	if err := a.commit(d); err != nil {
		return t.lost(err)
	}
	a.adopt(d)
	next := t.settle()
	return &next
}

// onlyStep is the first item of the turn that was stepped.
func (t *turn) onlyStep() *item {
	for i := range t.items {
		if t.items[i].fate == stepped {
			return &t.items[i]
		}
	}
	return nil
}

// fail answers every call with err; what is only in the inbox stays there and is
// tried again.
func (t *turn) fail(err error) *gate.Next {
	next := t.refuse(err)
	return &next
}
