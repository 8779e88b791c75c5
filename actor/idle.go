package actor

import (
	"context"
	"time"

	"github.com/durachart/durachart/store"
)

// WaitIdle waits until nothing of the own shards is queued, running, undelivered
// or unspawned, and no timer is due. Held executions and timers in the future are
// not waited for; entries that back off after a failed delivery are.
func (r *Runtime) WaitIdle(ctx context.Context) error {
	if err := r.enter(ctx); err != nil {
		return err
	}
	for {
		before := r.stats.commits.Load()
		idle, err := r.idleOnce(ctx)
		if err != nil {
			return err
		}
		if idle && r.stats.commits.Load() == before {
			return nil
		}
	}
}

// idleOnce waits for each kind of work in turn. What the later ones did may have
// made work for the earlier ones: then a commit was counted meanwhile, or
// something is queued again.
func (r *Runtime) idleOnce(ctx context.Context) (bool, error) {
	if err := r.quiet(ctx); err != nil {
		return false, err
	}
	if err := r.relay().WaitIdle(ctx); err != nil {
		return false, err
	}
	if err := r.timer().WaitIdle(ctx); err != nil {
		return false, err
	}
	page, err := r.cfg.Store.PollInbox(ctx, store.PollQuery{
		Shards: r.ownShards(), Until: r.clock.now().Add(pollAhead), Limit: 1,
	})
	if err != nil && !passing(err) {
		return false, err
	}
	if err != nil || len(page) > 0 {
		r.inbox.nudge()
		return false, r.moment(ctx)
	}
	return r.gate.Busy() == 0 && r.gate.Paused() == 0, nil
}

// quiet waits until no execution runs or rests with work in hand.
func (r *Runtime) quiet(ctx context.Context) error {
	for {
		if err := r.gate.Quiet(ctx); err != nil {
			return err
		}
		if r.gate.Paused() == 0 {
			return nil
		}
		if err := r.moment(ctx); err != nil {
			return err
		}
	}
}

// moment waits a little before the next look.
func (r *Runtime) moment(ctx context.Context) error {
	t := time.NewTimer(5 * time.Millisecond)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-r.stopped:
		return r.refusal()
	}
}
