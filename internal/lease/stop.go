package lease

import (
	"context"

	"github.com/durachart/durachart/internal/logkey"
)

// stop is one call of Lost.
type stop struct {
	shards []int
	reason Reason
	bound  instant // by then it must have returned
	// overdue says that it has not, and that the shards are given up all the same.
	overdue bool
}

// lose ends the belief in shards, and has what runs in them stopped.
func (k *keeper) lose(shards []int, reason Reason) {
	if len(shards) == 0 {
		return
	}
	for _, shard := range shards {
		k.trust[shard].Store(0)
		k.state[shard] = stopping
	}
	st := &stop{shards: shards, reason: reason, bound: k.now() + k.stopBound}
	k.stops[st] = struct{}{}
	k.cfg.Logger.Info("shards lost", logkey.Count, len(shards), logkey.Reason, string(reason))
	k.cfg.Observe(Lost{shards, reason})
	ctx, cancel := context.WithTimeout(context.Background(), k.stopTime)
	k.group.Go(func() {
		defer cancel()
		k.cfg.Lost(ctx, shards)
		k.stopped <- st
	})
}

// afterStop goes on with the shards of a call of Lost that has returned.
func (k *keeper) afterStop(st *stop) {
	delete(k.stops, st)
	for _, shard := range st.shards {
		k.state[shard] = none
	}
	switch {
	case st.overdue:
	case st.reason == GivenBack:
		k.giveUp(st.shards)
	case st.reason == Expired:
		k.renewAt = 0 // what still names us is ours again (D60)
	case st.reason == Taken:
		k.lookAt = 0 // it may be free
	}
}

// giveUp has shards given back at the store.
func (k *keeper) giveUp(shards []int) {
	for _, shard := range shards {
		k.leaving[shard] = struct{}{}
	}
}

// overrun gives shards up whose actors did not stop in time: otherwise each renewal
// would keep them from everybody, for ever. Two owners are slow, not wrong.
func (k *keeper) overrun() {
	now := k.now()
	for st := range k.stops {
		if st.overdue || now < st.bound {
			continue
		}
		st.overdue = true
		k.giveUp(st.shards)
		k.cfg.Logger.Warn("what ran in lost shards has not stopped in time",
			logkey.Count, len(st.shards), logkey.Reason, string(st.reason))
	}
}

// handOver loses everything, waits until it has stopped, and gives it back with the
// worker entry (D62). An error says that others have to wait until it expires.
func (k *keeper) handOver(ctx context.Context) error {
	k.lose(k.having(held), HandedOver)
	k.group.Wait()
	ctx, cancel := context.WithTimeout(ctx, k.commandTime)
	defer cancel()
	for k.failures = 1; ; k.failures++ {
		err := k.cfg.Store.ReleaseShards(ctx, k.cfg.Owner, nil)
		if err == nil {
			k.cfg.Observe(Released{})
			return nil
		}
		if fatal(err) || wait(ctx, k.pause()) != nil {
			k.cfg.Observe(Failed{"release", err})
			k.cfg.Logger.Warn("leases are not given back and will expire", logkey.Error, err)
			return err
		}
	}
}
