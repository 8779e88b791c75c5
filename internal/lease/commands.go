package lease

import (
	"context"
	"errors"
	"maps"
	"slices"
	"time"

	"github.com/durachart/durachart/store"
)

// renew extends all leases in one write. What names us afterwards is ours, also what
// had expired, for nobody held it in between (D60), and what a lost reply did not tell
// of. Belief counts from before the command was sent (D61).
func (k *keeper) renew(ctx context.Context) error {
	ctx, cancel := k.command(ctx)
	defer cancel()
	sent := k.now()
	leases, err := k.cfg.Store.RenewShards(ctx, k.cfg.Owner, k.having(held), k.cfg.TTL)
	if err != nil && !errors.Is(err, store.ErrLeaseLost) {
		return err
	}
	k.cfg.Heard(leases.ServerNow)
	k.renewAt = sent + k.renewEvery
	k.lookAt = min(k.lookAt, k.now())
	k.adopt(leases.Held, func(store.Lease) instant { return sent + k.belief })
	k.cfg.Observe(Renewed{Held: len(leases.Held), Took: k.now() - sent})
	return nil
}

// acquire takes those of shards that are free, and returns how many it got.
func (k *keeper) acquire(ctx context.Context, shards []int) (int, error) {
	ctx, cancel := k.command(ctx)
	defer cancel()
	before := len(k.having(held))
	sent := k.now()
	leases, err := k.cfg.Store.AcquireShards(ctx, k.cfg.Owner, shards, k.cfg.TTL)
	if err != nil {
		return 0, err // what was taken all the same the next renewal finds (D27)
	}
	k.cfg.Heard(leases.ServerNow)
	k.adopt(leases.Held, func(l store.Lease) instant {
		// Not all of these were taken by this command. But each had that long to live
		// when the reply was made, which was after the command was sent.
		left := min(l.Until.Sub(leases.ServerNow), k.cfg.TTL)
		return sent + left - (k.cfg.TTL - k.belief)
	})
	return len(k.having(held)) - before, nil
}

// release gives the leaving shards back, so that others have them at once.
func (k *keeper) release(ctx context.Context) error {
	ctx, cancel := k.command(ctx)
	defer cancel()
	shards := slices.Sorted(maps.Keys(k.leaving))
	if err := k.cfg.Store.ReleaseShards(ctx, k.cfg.Owner, shards); err != nil {
		return err
	}
	now := k.now()
	clear(k.leaving)
	for _, shard := range shards {
		k.freeSince[shard] = now
	}
	k.lookAt = min(k.lookAt, now+patience) // nobody may want them after all
	k.cfg.Observe(Released{shards})
	return nil
}

// announce says that this process lives and lacks shards (D63).
func (k *keeper) announce(ctx context.Context) error {
	ctx, cancel := k.command(ctx)
	defer cancel()
	now := k.now()
	w := store.Worker{Owner: k.cfg.Owner, Name: k.cfg.Name, StartedAt: k.started}
	if err := k.cfg.Store.Announce(ctx, w, 2*k.cfg.TTL); err != nil {
		return err
	}
	k.announceAt = now + k.renewEvery
	return nil
}

// survey reads who has what, and when the reply arrived.
func (k *keeper) survey(ctx context.Context) (store.Survey, instant, error) {
	ctx, cancel := k.command(ctx)
	defer cancel()
	s, err := k.cfg.Store.Survey(ctx)
	if err != nil {
		return s, 0, err
	}
	k.cfg.Heard(s.ServerNow)
	return s, k.now(), nil
}

// untilExpiry is how long l lives on, as seen from the arrival of s.
func untilExpiry(s *store.Survey, l *store.Lease) time.Duration { return l.Until.Sub(s.ServerNow) }
