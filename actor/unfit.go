package actor

import (
	"github.com/durachart/durachart/actor/internal/gate"
	"github.com/durachart/durachart/internal/logkey"
	"github.com/durachart/durachart/store"
)

// unfit goes on with a record that cannot be stepped: unknown chart, damaged
// snapshot. Callers hear of it; the first event in the inbox is counted.
func (t *turn) unfit(cause error) gate.Next {
	a := t.a
	if a.unfit.Parked != nil {
		return t.unfitHeld()
	}
	var first *store.InboxEntry
	eventID := ""
	if len(a.inbox) > 0 {
		first, eventID = &a.inbox[0], a.inbox[0].ID
	} else if len(t.calls) > 0 {
		eventID = t.calls[0].ev.ID
	}
	for _, req := range t.calls {
		if req.kind != callPosted {
			req.Finish(cause)
		}
	}
	if eventID == "" {
		a.drop()
		return gate.Next{Leave: true}
	}
	return t.failedTry(first, eventID, cause)
}

// unfitHeld keeps the events for a parked record that cannot be stepped here.
func (t *turn) unfitHeld() gate.Next {
	a := t.a
	var err error
	for _, req := range t.calls {
		switch req.kind {
		case callEvent:
			_, err = a.push([]store.InboxEntry{{ID: req.ev.ID, From: req.from, At: a.rt.clock.now(), Event: req.ev.Encode()}})
			if err != nil {
				req.Finish(store.OpError("call", a.id, err))
				continue
			}
			req.answer(Reply{ID: a.id, EventID: req.ev.ID, Disposition: Held, Status: a.unfit.Status,
				Outcome: a.unfit.Outcome, Active: a.unfit.Leaves, Revision: a.unfit.Version})
		default:
			req.Finish(nil)
		}
	}
	if err := a.deferInbox(); err != nil {
		a.rt.log.Warn("defer inbox", logkey.Execution, a.id, logkey.Error, err)
	}
	a.drop()
	return gate.Next{Leave: true}
}
