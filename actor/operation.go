package actor

import (
	"errors"
	"strings"

	"github.com/durachart/durachart/actor/internal/gate"
	"github.com/durachart/durachart/execution"
	"github.com/durachart/durachart/store"
)

// maxOperationTries is how many races an operation loses before its caller hears
// of it (D69).
const maxOperationTries = 8

// operate carries out control operations, each in a commit of its own.
func (a *activation) operate(calls []*gate.Call) gate.Next {
	for _, c := range calls {
		req := c.Work.(*request)
		if !req.Claim() {
			continue
		}
		t := a.rt.newTurn(a, calls[:0])
		t.calls = append(t.calls, req)
		reply, err := t.operate(req)
		t.free()
		if err != nil {
			if a.rt.stopping() != nil && store.OutcomeOf(err) != store.NotKnown {
				err = ErrDraining
			}
			req.Finish(store.OpError(operationName(req.ev.Name), a.id, err))
			continue
		}
		req.answer(reply)
	}
	return a.onward(nil)
}

// operate carries out one operation, anew on the fresh state when it lost a race.
func (t *turn) operate(req *request) (Reply, error) {
	a := t.a
	for try := 1; ; try++ {
		if a.snap == nil {
			if err := a.load(t); err != nil {
				return Reply{}, err
			}
		}
		if req.seen {
			return a.current(req.ev.ID), nil
		}
		reply, err := t.stepOperation(req)
		switch {
		case !errors.Is(err, store.ErrConflict) && !errors.Is(err, store.ErrUncertain):
			return reply, err
		case try == maxOperationTries:
			return Reply{}, err
		}
		a.rt.stats.conflicts.Add(1)
		a.drop()
		if !a.rt.pauseFor(backoff(a.rt.pace.typical(), try, maxPause)) {
			return Reply{}, ErrDraining
		}
	}
}

// stepOperation steps the event of an operation and commits it alone.
func (t *turn) stepOperation(req *request) (Reply, error) {
	a, d := t.a, &t.draft
	a.begin(d)
	wasHeld := a.held(a.snap)
	ev, answered, err := a.operation(req)
	if err != nil {
		return Reply{}, err
	}
	res, err := a.step(d.snap, ev, d.now)
	if err != nil {
		return Reply{}, err
	}
	if res.Disposition == execution.Refused || res.Disposition == execution.Held {
		return Reply{}, a.refusal(ev.Name)
	}
	if endsHold(ev.Name) {
		d.parked = nil
	}
	a.add(d, ev.ID, &res)
	nowHeld := d.parked != nil || d.snap.Held()
	d.release = wasHeld && !nowHeld
	if err := a.commit(d); err != nil {
		return Reply{}, err
	}
	a.adopt(d)
	if d.release { // what waited is visible again, and before anything later
		a.unread = true
	}
	if answered != nil {
		answered()
	}
	return a.reply(a.snap, ev.ID, res.Disposition, a.version), nil
}

// endsHold reports whether an operation ends a park by the runtime (D34, D70).
func endsHold(name string) bool {
	switch name {
	case opResume, opRetry, opReset, opCancel, opTerminate, opStop:
		return true
	}
	return false
}

// The events of operations (S77).
const (
	opCancel    = "$cancel"
	opStop      = "$stop"
	opTerminate = "$terminate"
	opSuspend   = "$suspend"
	opResume    = "$resume"
	opSetState  = "$set_state"
	opRetry     = "$retry"
	opReset     = "$reset"
	opStart     = "$start"
)

// operationName is how errors name the operation of an event.
func operationName(event string) string {
	return strings.ReplaceAll(strings.TrimPrefix(event, "$"), "_", " ")
}

// refusal is the error of an operation that the status does not allow (S75).
func (a *activation) refusal(event string) error {
	return &StateError{ID: a.id, Operation: operationName(event), Status: Status(a.snap.Status), Ended: a.snap.Ended()}
}

// operation is the event to step for a request, and what to do when it has
// succeeded. A retry needs the event whose step failed (S81); that of an
// execution which the runtime parked is a resume: nothing has failed in it.
func (a *activation) operation(req *request) (execution.Event, func(), error) {
	if req.ev.Name != opRetry {
		return req.ev, nil, nil
	}
	if a.snap.Status != execution.Failed || a.snap.Ended() {
		if a.parked != nil {
			return execution.ResumeEvent(req.ev.ID), nil, nil
		}
		return execution.Event{}, nil, a.refusal(opRetry)
	}
	letter, err := a.failedStep()
	if err != nil {
		return execution.Event{}, nil, err
	}
	return execution.RetryEvent(req.ev.ID, letter.event), letter.done, nil
}
