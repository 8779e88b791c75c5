package actor

import (
	"fmt"

	"github.com/durachart/durachart/execution"
	"github.com/durachart/durachart/internal/logkey"
	"github.com/durachart/durachart/store"
)

// failedLetter is the event whose step failed, and how to take its letter away.
type failedLetter struct {
	event execution.Event
	done  func()
}

// failedStep finds the event that made the execution FAILED: its letter is in the
// outbox still, or in the dead letters (S81).
func (a *activation) failedStep() (failedLetter, error) {
	want := ""
	if a.parked != nil {
		want = a.parked.EventID
	}
	s := a.rt.cfg.Store
	entries, err := s.PendingOutbox(a.rt.ctx, a.id, 0)
	if err != nil {
		return failedLetter{}, err
	}
	for i := len(entries) - 1; i >= 0; i-- {
		e := entries[i]
		if e.Kind == store.EmitDead && e.Reason == execution.ReasonStepFailed && (want == "" || e.ID == want) {
			ev, err := execution.DecodeEvent(e.Event)
			return failedLetter{ev, func() { a.tidy(s.AckOutbox(a.rt.ctx, []store.Ack{{ID: a.id, Seqs: []int64{e.Seq}}})) }}, err
		}
	}
	filter := store.DeadLetterFilter{ExecutionID: a.id, Reason: execution.ReasonStepFailed}
	page := store.Page{Limit: 100}
	for {
		found, err := s.ListDeadLetters(a.rt.ctx, filter, page)
		if err != nil {
			return failedLetter{}, err
		}
		for _, l := range found.Items {
			if want == "" || l.EventID == want {
				ev, err := execution.DecodeEvent(l.Event)
				return failedLetter{ev, func() {
					_, err := s.RemoveDeadLetter(a.rt.ctx, l.ID, l.Put)
					a.tidy(err)
				}}, err
			}
		}
		if found.Next == "" {
			return failedLetter{}, fmt.Errorf("letter of the failed step: %w", store.ErrNotFound)
		}
		page.Cursor = found.Next
	}
}

// tidy logs that a letter which was taken up again could not be removed: it stays
// as a trace, and its event is in the dedupe ring.
func (a *activation) tidy(err error) {
	if err != nil {
		a.rt.log.Warn("remove the letter of a step that was retried", logkey.Execution, a.id, logkey.Error, err)
	}
}
