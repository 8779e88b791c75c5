package actor

import (
	"time"

	"github.com/durachart/durachart/actor/internal/gate"
	"github.com/durachart/durachart/execution"
	"github.com/durachart/durachart/store"
)

// turn is one run of an activation for events and timers: the head of its inbox
// and some calls, stepped one after another and committed at once. Turns are used
// again, so that a turn costs no memory of its own.
type turn struct {
	a     *activation
	calls []*request // not answered yet, in order
	items []item     // what this turn may do, in order
	limit int        // of steps in the commit
	draft draft
}

// draft is what steps made of the copy and no commit has written yet.
type draft struct {
	now     time.Time
	snap    *execution.Snapshot
	entered time.Time
	parked  *store.Parked
	handled []string
	emits   []store.Emit
	spawns  []store.Spawn
	trace   []store.TraceStep
	data    []byte               // room for the encoded snapshot; a store keeps nothing of a commit
	timers  map[string]time.Time // armed, set by the commit
	release bool                 // ends a hold
	wake    bool                 // answers a remote call
}

// item is one event of a turn.
type item struct {
	req   *request          // nil: it is only in the inbox
	entry *store.InboxEntry // nil: it is only a call
	ev    execution.Event
	fate  fate
	err   error // failing
	reply Reply // stepped
}

// fate is what a turn made of an item.
type fate uint8

const (
	undecided fate = iota // waits for another turn
	gone                  // its caller has abandoned it
	known                 // was applied before
	stepped               // is part of the draft
	held                  // is to wait in the inbox
	late                  // came after the end of the execution
	void                  // asks for nothing any more
	failing               // its step cannot run; the turn ends with it
)

// newTurn takes the calls of a run, which may be none.
func (r *Runtime) newTurn(a *activation, calls []*gate.Call) *turn {
	t := r.turns.Get().(*turn)
	t.a, t.limit = a, r.cfg.CommitBatch
	if a.trouble.isCrowded() {
		t.limit = 1
	}
	for _, c := range calls {
		t.calls = append(t.calls, c.Work.(*request))
	}
	return t
}

// free gives t back without anything that belongs to others.
func (t *turn) free() {
	rt := t.a.rt
	clear(t.calls)
	clear(t.items)
	clear(t.draft.handled)
	clear(t.draft.trace)
	*t = turn{
		calls: t.calls[:0],
		items: t.items[:0],
		draft: draft{handled: t.draft.handled[:0], trace: t.draft.trace[:0], data: t.draft.data},
	}
	if cap(t.draft.data) <= maxKept {
		rt.turns.Put(t)
	}
}

// run is the turn. Every call ends answered, abandoned or handed back.
func (t *turn) run() gate.Next {
	a := t.a
	for {
		if err := t.ready(); err != nil {
			return t.refuse(err)
		}
		t.gather()
		t.decide()
		if len(t.draft.handled) == 0 {
			break
		}
		err := a.commit(&t.draft)
		if err == nil {
			a.adopt(&t.draft)
			break
		}
		if next := t.lost(err); next != nil {
			return *next
		}
	}
	return t.settle()
}

// maxKept is the largest room that is kept for the next turn.
const maxKept = 64 << 10

// gather lists what is to be done: the inbox first, then the calls, up to the
// first that needs a turn of its own.
func (t *turn) gather() {
	a := t.a
	clear(t.items)
	t.items = t.items[:0]
	for i := range a.inbox {
		t.items = append(t.items, item{entry: &a.inbox[i]})
	}
	if a.more { // of what is durable everything goes before the calls
		return
	}
	for _, req := range t.calls {
		if req.kind == callStart || req.kind == callOperation {
			return
		}
		t.items = append(t.items, item{req: req, ev: req.ev})
	}
}

// unanswered drops from the calls of the turn those that are answered or
// abandoned, and returns the rest as calls to hand back.
func (t *turn) unanswered() []*gate.Call {
	var back []*gate.Call
	for _, req := range t.calls {
		if !req.Settled() {
			req.Unclaim()
			back = append(back, &req.Call)
		}
	}
	return back
}
