package actor

import (
	"time"

	"github.com/durachart/durachart/actor/internal/gate"
	"github.com/durachart/durachart/execution"
	"github.com/durachart/durachart/statechart"
	"github.com/durachart/durachart/store"
)

// activation is an execution in memory: a copy of its record without the arrays,
// and what of its inbox was read and not yet handled. The record is the
// authority. While the copy is right, a commit needs no read; a commit that finds
// another version drops the copy.
//
// It implements [gate.Behavior]: its methods run one at a time.
type activation struct {
	rt *Runtime
	id string

	// The copy. snap is nil while there is none.
	snap    *execution.Snapshot
	chart   *statechart.Chart
	fixed   identity
	version int64
	entered time.Time     // when the configuration last changed
	parked  *store.Parked // as in the record

	// behind says that the record had undelivered entries when it was loaded, and
	// that the relay has not been told yet.
	behind bool
	// inbox is the head of the record's inbox, all of it unless more; unread says
	// that the record's has grown since, so that inbox is to be read before anything
	// else is applied (D32).
	inbox  []store.InboxEntry
	more   bool
	unread bool
	// recent are ids that were handled from the inbox since the last rest: calls
	// that were posted for them may still stand in the queue. What a preload brought
	// along is not among them: those were pushed before this activation was there to
	// be posted to.
	recent    []string
	preloaded bool // inbox came by a preload

	// preload is a load that somebody made for this activation; it stands for the
	// first load.
	preload *store.Loaded
	// unfit is the record if it cannot be stepped here.
	unfit   *store.Execution
	trouble *trouble
}

// identity are the parts of a record that never change.
type identity struct {
	parentID     string
	rootID       string
	definitionID string
	attrs        map[string]store.Attr
	priority     int
}

// newActivation returns a cold activation.
func (r *Runtime) newActivation(id string) gate.Behavior { return &activation{rt: r, id: id} }

// Run implements [gate.Behavior]: one turn. A turn handles operations, or a start,
// or what is in the inbox and then calls, and makes one commit.
func (a *activation) Run(calls []*gate.Call, wake bool) gate.Next {
	a.unread = a.unread || wake
	if rest := a.resting(calls); rest != nil {
		return *rest
	}
	if len(calls) > 0 {
		switch req := calls[0].Work.(*request); req.kind {
		case callOperation:
			return a.operate(calls)
		case callStart:
			return a.create(req, calls[1:])
		}
	}
	t := a.rt.newTurn(a, calls)
	defer t.free()
	return t.run()
}

// Rest implements [gate.Behavior]: nothing is to be done for the moment.
func (a *activation) Rest() {
	a.recent = nil
	a.trouble = a.trouble.rested()
	a.rt.inbox.done(a.id)
}

// drop forgets the copy.
func (a *activation) drop() {
	a.snap, a.chart, a.parked = nil, nil, nil
	a.inbox, a.more, a.behind, a.preload, a.unfit = nil, false, false, nil, nil
	a.preloaded = false
}

// held reports whether events wait for an operator or a resume.
func (a *activation) held(s *execution.Snapshot) bool { return a.parked != nil || s.Held() }

// resting hands calls back while the execution rests after a failure. An operation
// ends the rest; calls that would not wait for room are refused.
func (a *activation) resting(calls []*gate.Call) *gate.Next {
	wait := a.trouble.rest()
	if wait == 0 {
		return nil
	}
	if len(calls) > 0 && calls[0].Urgent {
		a.trouble.until = time.Time{}
		return nil
	}
	next := gate.Next{Again: true, Pause: wait}
	for _, c := range calls {
		if c.Work.(*request).impatient && a.trouble.isCrowded() {
			c.Finish(store.OpError("call", a.id, store.ErrBackpressure))
			continue
		}
		next.Back = append(next.Back, c)
	}
	return &next
}
