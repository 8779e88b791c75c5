package actor

import (
	"errors"
	"time"

	"github.com/durachart/durachart/actor/internal/gate"
	"github.com/durachart/durachart/execution"
	"github.com/durachart/durachart/internal/logkey"
	"github.com/durachart/durachart/store"
)

// Reasons for which the runtime parks an execution.
const (
	reasonUnknownChart = "unknown_chart"
	reasonSnapshot     = "invalid_snapshot"
	reasonChart        = "invalid_chart"
	reasonEvent        = "invalid_event"
	reasonKilled       = "killed_process"
	reasonError        = "error"
)

func parkReason(err error) string {
	switch {
	case errors.Is(err, ErrUnknownChart):
		return reasonUnknownChart
	case errors.Is(err, execution.ErrInvalidSnapshot):
		return reasonSnapshot
	case errors.Is(err, execution.ErrInvalidChart):
		return reasonChart
	case errors.Is(err, execution.ErrInvalidEvent):
		return reasonEvent
	case errors.Is(err, errKilled):
		return reasonKilled
	}
	return reasonError
}

// errKilled reports an event that has been tried as often as allowed, and each
// time the process died.
var errKilled = errors.New("actor: the process died with this event")

// countTry counts a try of an inbox entry before it is run, if an earlier owner
// may have died of it (D36); errKilled if there were enough.
func (a *activation) countTry(it *item) error {
	e := it.entry
	if e == nil || !a.rt.shards.suspect(a.id, e.At) {
		return nil
	}
	if e.Attempts >= a.rt.cfg.Tries {
		return errKilled
	}
	e.Attempts++
	return a.writeTries(e.ID, e.Attempts)
}

// writeTries records how often an inbox entry was tried.
func (a *activation) writeTries(eventID string, n int) error {
	for {
		err := a.rt.cfg.Store.CountTry(a.rt.ctx, a.id, eventID, n)
		if !passing(err) {
			return err
		}
		if err := a.rt.waitForStore(); err != nil {
			return err
		}
	}
}

// troubled goes on after an item whose step cannot run: a transient error of an
// action is tried again after its back-off, with the event in hand; anything else
// is told to the caller, and counted.
func (t *turn) troubled(it *item) gate.Next {
	a := t.a
	var retry *execution.RetryError
	if errors.As(it.err, &retry) {
		n := count(&a.troubled().attempts, it.ev.ID)
		a.rt.log.Info("action asks to be tried again", logkey.Execution, a.id, logkey.Event, it.ev.ID,
			logkey.Action, retry.Action, logkey.Attempt, n, logkey.Error, retry.Err)
		return *t.restFor(backoff(retry.Delay(), 1, retry.Delay()))
	}
	if a.rt.stopping() != nil {
		return t.refuse(it.err)
	}
	if it.req != nil && it.req.kind == callPosted { // its entry will be met in the inbox
		it.req.Finish(nil)
		a.unread = true
		return a.onward(t.unanswered())
	}
	if it.req != nil {
		it.req.Finish(it.err)
	}
	return t.failedTry(it.entry, it.ev.ID, it.err)
}

// failedTry counts a try of an event that ended in no commit, and parks the
// execution when there were enough of them (D36).
func (t *turn) failedTry(e *store.InboxEntry, eventID string, cause error) gate.Next {
	a := t.a
	tries := count(&a.troubled().tries, eventID)
	if e != nil {
		e.Attempts = max(e.Attempts+1, tries)
		tries = e.Attempts
		if err := a.writeTries(e.ID, tries); err != nil {
			return t.refuse(err)
		}
	}
	a.rt.log.Warn("event cannot be applied", logkey.Execution, a.id, logkey.Event, eventID,
		logkey.Attempt, tries, logkey.Error, cause)
	if tries >= a.rt.cfg.Tries {
		return t.park(eventID, tries, cause)
	}
	if e == nil {
		return a.onward(t.unanswered())
	}
	return *t.restFor(backoff(time.Second, tries, time.Minute))
}
