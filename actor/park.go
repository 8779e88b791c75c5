package actor

import (
	"errors"

	"github.com/durachart/durachart/actor/internal/gate"
	"github.com/durachart/durachart/internal/logkey"
	"github.com/durachart/durachart/store"
)

// park gives the execution up until an operator resumes it: a commit of the
// unchanged record that arms nothing (D70).
func (t *turn) park(eventID string, tries int, cause error) gate.Next {
	a := t.a
	a.rt.log.Error("execution parked", logkey.Execution, a.id, logkey.Event, eventID,
		logkey.Reason, parkReason(cause), logkey.Error, cause)
	parked := &store.Parked{
		EventID: eventID, Reason: parkReason(cause), Error: store.CutError(cause.Error()),
		Attempts: tries, At: store.Millis(a.rt.clock.now()),
	}
	if err := a.commitParked(parked); err != nil {
		return t.refuse(err)
	}
	a.rt.stats.parked.Add(1)
	a.trouble = nil
	back := t.unanswered()
	a.drop()
	a.unread = true // so that the inbox is hidden from the poll
	return gate.Next{Back: back, Again: true}
}

// commitParked writes parked beside the record as it is. It reads the record
// again: one that cannot be stepped has no copy.
func (a *activation) commitParked(parked *store.Parked) error {
	for {
		e, err := a.rt.cfg.Store.Load(a.rt.ctx, a.id)
		if err == nil {
			if e.Parked != nil || !e.EndedAt.IsZero() {
				return nil
			}
			e.Snapshot.Parked, e.Snapshot.Timers = parked, nil
			err = a.rt.cfg.Store.Commit(a.rt.ctx, store.Commit{
				Snapshot: e.Snapshot, ID: a.id, Version: e.Version,
				Handled: []string{newID()}, Now: a.rt.clock.now(),
			})
		}
		switch {
		case err == nil:
			a.rt.timer().Armed(a.id, e.Version+1, nil)
			return nil
		case errors.Is(err, store.ErrConflict), errors.Is(err, store.ErrUncertain):
		case passing(err):
			if err := a.rt.waitForStore(); err != nil {
				return err
			}
		default:
			return err
		}
	}
}
