package relay

import (
	"context"
	"errors"
	"slices"

	"github.com/durachart/durachart/internal/backoff"
	"github.com/durachart/durachart/internal/logkey"
	"github.com/durachart/durachart/store"
)

// failure is what an error means for the parcel that it is about.
type failure uint8

const (
	counted  failure = iota // an attempt was made and failed
	passes                  // the store does not answer, no attempt was made
	notHere                 // push it instead
	smaller                 // there may be room for one, if not for all of the group
	unsure                  // the target may be a child that is yet to be created
	needless                // nothing is left to do
	fatal                   // it can never be delivered
)

// judge says what err means for p, the first of a group of size that was not taken,
// and why it is dead if it is (D48).
func judge(p *parcel, size int, err error) (failure, string) {
	var dead *DeadError
	control := p.Kind == store.EmitControl
	switch {
	case errors.As(err, &dead):
		return fatal, dead.Reason
	case passing(err):
		return passes, ""
	case errors.Is(err, ErrNotOwned) && !control && p.TargetID != "":
		return notHere, ""
	case errors.Is(err, store.ErrNotFound):
		switch {
		case isReport(p):
			return needless, ""
		case !p.sure && p.TargetID != "":
			return unsure, ""
		case control:
			return needless, ""
		}
		return fatal, ReasonNotFound
	case errors.Is(err, store.ErrEnded):
		if control || isReport(p) {
			return needless, ""
		}
		return fatal, ReasonEnded
	case errors.Is(err, store.ErrTooLarge), errors.Is(err, store.ErrInvalidArgument):
		return fatal, ReasonInvalid
	case errors.Is(err, store.ErrBackpressure) && size > 1:
		return smaller, ""
	}
	return counted, ""
}

// fail does what err takes; p is the head of l, and l stays busy until it is done. It
// is called with mu held and starts whatever needs I/O elsewhere.
func (r *Relay) fail(l *lane, p *parcel, size int, err error) {
	f, reason := judge(p, size, err)
	if p.dead != nil && (f == fatal || f == unsure) {
		// A report of ours that cannot be delivered: the parent has gone or is
		// damaged. There is nobody else to tell.
		r.cfg.Logger.Error("report a dead spawn", logkey.Execution, p.from.id, logkey.Event, p.ID, logkey.Error, err)
		f = needless
	}
	switch f {
	case passes:
		r.stall(err, func() { r.release(l) })
	case notHere:
		l.push = true
		r.release(l)
	case smaller:
		l.limit = 1
		r.release(l)
	case needless:
		r.pop(l)
		r.release(l)
	case unsure:
		r.mends.Add(func() { r.lookForSpawn(l, p) })
	case fatal:
		r.kill(l, p, reason, err)
	default:
		r.mends.Add(func() { r.mark(l, p, err) })
	}
}

// mark records a failed attempt in the source, and makes p and what follows it wait
// (D47). After the last attempt p is dead.
func (r *Relay) mark(l *lane, p *parcel, cause error) {
	ctx, ok := r.running()
	if !ok {
		return
	}
	attempts := p.Attempts + 1
	at := r.now().Add(r.cfg.Jitter(backoff.After(attempts, r.cfg.BackoffMin, r.cfg.BackoffMax)))
	if p.dead == nil {
		if attempts >= r.cfg.Attempts {
			r.locked(func() { r.kill(l, p, ReasonAttempts, cause) })
			return
		}
		err := r.cfg.Source.RetryOutbox(ctx, store.Retry{
			ID: p.from.id, TargetID: p.TargetID, Seq: p.Seq, LastError: cause.Error(), Attempts: attempts, At: at,
		})
		if err != nil && passing(err) {
			// The store is down, so the attempt before may have failed for that reason
			// too: it does not count.
			r.locked(func() { r.stall(err, func() { r.release(l) }) })
			return
		}
		if err != nil {
			r.cfg.Logger.Error("mark a failed delivery", logkey.Execution, p.from.id, logkey.Target, p.TargetID, logkey.Error, err)
		}
	}
	r.cfg.Observe(Retried{Source: p.from.id, Target: p.TargetID, Attempts: attempts, At: at, Err: cause})
	r.locked(func() {
		p.Attempts, p.At, p.LastError = attempts, at, cause.Error()
		r.postpone(l, p, at)
		r.release(l)
	})
}

// lookForSpawn finds out whether the unknown target of p is a child whose spawn is
// pending, unknown to this process so far (D44). If not, p is tried once more before it
// is dead: the child may have been created, and its spawn acknowledged, since the try
// that did not find it.
func (r *Relay) lookForSpawn(l *lane, p *parcel) {
	ctx, ok := r.running()
	if !ok {
		return
	}
	pending, err := r.cfg.Source.PendingSpawns(ctx, p.from.id, store.MaxPerWrite)
	switch {
	case errors.Is(err, store.ErrNotFound): // the source is gone, and its spawns with it
	case err != nil && passing(err):
		r.locked(func() { r.stall(err, func() { r.release(l) }) })
		return
	case err != nil:
		r.mark(l, p, err)
		return
	}
	at := slices.IndexFunc(pending, func(e store.SpawnEntry) bool { return e.ChildID == p.TargetID })
	r.locked(func() {
		if at < 0 {
			p.sure = true
		} else {
			r.addUnborn(p.from, pending[at], pending[at].At)
			r.postpone(l, p, p.notBefore)
			r.advance(p.from)
		}
		r.release(l)
	})
}

// forOne calls f for each of items alone, after all together failed with an error that
// is not passing, so that one of them does not hold up the others. bad gets those that
// fail alone too.
func forOne[T any](ctx context.Context, items []T, f func(context.Context, []T) error, bad func(T, error)) (good []T) {
	for _, item := range items {
		if err := f(ctx, []T{item}); err != nil {
			bad(item, err)
			continue
		}
		good = append(good, item)
	}
	return good
}
