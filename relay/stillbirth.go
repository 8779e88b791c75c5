package relay

import (
	"errors"

	"github.com/durachart/durachart/internal/backoff"
	"github.com/durachart/durachart/internal/logkey"
	"github.com/durachart/durachart/store"
)

// failBirth does what a failed try to make the child u takes; again repeats it.
func (r *Relay) failBirth(u *unborn, err error, again func()) {
	var dead *DeadError
	switch {
	case errors.As(err, &dead):
		r.stillbirth(u, dead.Reason, err)
	case passing(err):
		r.locked(func() { r.stall(err, again) })
	case errors.Is(err, store.ErrTooLarge), errors.Is(err, store.ErrInvalidArgument):
		r.stillbirth(u, ReasonInvalid, err)
	default:
		r.mends.Add(func() { r.markSpawn(u, err, again) })
	}
}

// markSpawn records a failed attempt in the source. What the same step emitted goes on,
// but for what is meant for this child (D44).
func (r *Relay) markSpawn(u *unborn, cause error, again func()) {
	ctx, ok := r.running()
	if !ok {
		return
	}
	attempts := u.Attempts + 1
	if attempts >= r.cfg.Attempts {
		r.stillbirth(u, ReasonAttempts, cause)
		return
	}
	at := r.now().Add(r.cfg.Jitter(backoff.After(attempts, r.cfg.BackoffMin, r.cfg.BackoffMax)))
	err := r.cfg.Source.RetrySpawn(ctx, store.Retry{
		ID: u.from.id, TargetID: u.ChildID, Seq: u.Seq, LastError: cause.Error(), Attempts: attempts, At: at,
	})
	if err != nil && passing(err) {
		r.locked(func() { r.stall(err, again) }) // as in mark: it does not count
		return
	}
	if err != nil {
		r.cfg.Logger.Error("mark a failed spawn", logkey.Execution, u.from.id, logkey.Target, u.ChildID, logkey.Error, err)
	}
	r.cfg.Observe(Retried{Source: u.from.id, Target: u.ChildID, Attempts: attempts, At: at, Err: cause})
	r.locked(func() {
		u.Attempts, u.At, u.LastError = attempts, at, cause.Error()
		u.tried, u.busy, u.notBefore = true, false, at
		if !r.cfg.Target.Owns(u.from.id) {
			r.leave(u.from)
			return
		}
		r.after(at.Sub(r.now()), func() { r.advance(u.from) })
		r.advance(u.from)
	})
}

// stillbirth ends a spawn that can never be carried out: first the dead letter, then
// the report to the parent, then the acknowledgement (D50). Each is repeated after a
// crash, and each is absorbed then.
func (r *Relay) stillbirth(u *unborn, reason string, cause error) {
	report := r.cfg.Births.Report(u.birth(), reason, cause)
	r.letters.Add(letter{
		record: store.DeadLetter{
			Kind:         store.LetterSpawn,
			ExecutionID:  u.from.id,
			TargetID:     u.ChildID,
			DefinitionID: u.DefinitionID,
			Seq:          u.Seq,
			Spawn:        EncodeBirth(u.birth()),
			From:         u.from.id,
			Reason:       reason,
			Error:        cause.Error(),
			Attempts:     u.Attempts,
			At:           r.now(),
		},
		then: func() {
			u.tried = true
			r.send(&parcel{
				OutboxEntry: store.OutboxEntry{Emit: store.Emit{TargetID: u.from.id, ID: report.ID, Event: report.Event}},
				from:        u.from,
				dead:        u,
			})
			r.advance(u.from)
		},
		failed: func() {
			u.tried, u.busy, u.notBefore = true, false, r.now().Add(r.cfg.BackoffMax)
			r.after(r.cfg.BackoffMax, func() { r.advance(u.from) })
			r.advance(u.from)
		},
	})
}
