package relay

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"github.com/durachart/durachart/internal/backoff"
	"github.com/durachart/durachart/internal/logkey"
	"github.com/durachart/durachart/store"
)

// restHinted is the longest rest between polls while wake hints flow (D40).
const restHinted = 5 * time.Second

// poll finds what no process has in hand, until ctx ends.
func (r *Relay) poll(ctx context.Context) error {
	rest := backoff.Doubling{Min: r.cfg.PollMin}
	for {
		rest.Max = r.cfg.PollMax
		if r.cfg.Hinted() {
			rest.Max = max(rest.Max, restHinted)
		}
		found, err := r.pollAll(ctx)
		switch {
		case ctx.Err() != nil:
			return nil
		case errors.Is(err, store.ErrMisconfigured):
			return err
		case err != nil:
			r.cfg.Logger.Warn("poll", logkey.Part, "relay", logkey.Error, err)
			if r.cfg.Await(ctx, err) != nil {
				return nil
			}
			rest.Reset()
		case found > 0:
			rest.Reset()
		}
		woken, err := r.rest(ctx, rest.Next())
		if err != nil {
			return nil
		}
		if woken {
			rest.Reset()
		}
	}
}

// rest waits for d or a wake-up.
func (r *Relay) rest(ctx context.Context, d time.Duration) (woken bool, err error) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return false, ctx.Err()
	case <-r.wake:
		return true, nil
	case <-timer.C:
		return false, nil
	}
}

// pollAll asks for spawns, then for outboxes: so the spawns of a step are known when
// what it emitted is met. It returns how much was taken in hand.
func (r *Relay) pollAll(ctx context.Context) (found int, err error) {
	for _, ask := range []func(context.Context, store.PollQuery) ([]store.Outgoing, error){
		r.cfg.Source.PollSpawns, r.cfg.Source.PollOutbox,
	} {
		n, err := r.pollFairly(ctx, ask)
		found += n
		if err != nil {
			return found, err
		}
	}
	return found, nil
}

// pollFairly asks for pages until one is not full. The next query leaves out the shards
// of a full page, so that a busy shard does not hide the others (D39).
func (r *Relay) pollFairly(ctx context.Context, ask func(context.Context, store.PollQuery) ([]store.Outgoing, error)) (found int, err error) {
	shards := slices.Clone(r.cfg.Shards())
	for len(shards) > 0 && r.room() {
		page, err := ask(ctx, store.PollQuery{
			Shards: shards, Until: r.now(), Limit: r.cfg.Page, Exclude: r.inHand(),
		})
		if err != nil {
			return found, err
		}
		found += r.admit(page)
		if len(page) < r.cfg.Page {
			return found, nil
		}
		shards = slices.DeleteFunc(shards, func(shard int) bool {
			return slices.ContainsFunc(page, func(w store.Outgoing) bool { return w.Shard == shard })
		})
	}
	return found, nil
}

// room reports whether more may be taken in hand.
func (r *Relay) room() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.count < r.cfg.Memory
}

// inHand returns executions that a poll would find although they are in hand. What is
// still in its grace, as nearly everything is, no poll finds.
func (r *Relay) inHand() []string {
	now := r.now()
	r.mu.Lock()
	defer r.mu.Unlock()
	var ids []string
	for id, o := range r.origins {
		if len(ids) == r.cfg.Exclude {
			break
		}
		if o.due(now) {
			ids = append(ids, id)
		}
	}
	return ids
}

// due reports whether anything of o that is in hand is visible to polls.
func (o *origin) due(now time.Time) bool {
	return slices.ContainsFunc(o.parcels, func(p *parcel) bool { return !now.Before(p.At) }) ||
		slices.ContainsFunc(o.unborn, func(u *unborn) bool { return !now.Before(u.At) })
}

// admit takes a page in hand, the most urgent (0) first, and returns how many entries of it
// were not in hand before.
func (r *Relay) admit(page []store.Outgoing) (found int) {
	slices.SortStableFunc(page, func(a, b store.Outgoing) int { return cmp.Compare(a.Priority, b.Priority) })
	r.locked(func() {
		for _, w := range page {
			o := r.origin(w.ID, w.RootID, w.DefinitionID, w.Priority)
			if o.left || o.reading {
				continue
			}
			before := r.count
			r.merge(o, w.Outbox, w.Spawns)
			found += max(0, r.count-before)
			r.tidy(o)
		}
	})
	return found
}
