package lease

import (
	"context"
	"slices"

	"github.com/durachart/durachart/store"
)

// look sees who has what, takes what is due to this process, and begins to give back
// what is not (D63). It names the operation that failed.
func (k *keeper) look(ctx context.Context) (operation string, err error) {
	if k.lacking && k.now() >= k.announceAt {
		if err := k.announce(ctx); err != nil {
			return "announce", err
		}
	}
	survey, arrived, err := k.survey(ctx)
	if err != nil {
		return "survey", err
	}
	sh := sharesOf(&survey, k.cfg.Owner, k.mine())
	k.lookAt = k.nextExpiry(&survey, arrived)
	free := k.free(&survey, arrived)
	k.cfg.Observe(Surveyed{Live: len(sh.live), Held: sh.counts[sh.me], Free: len(free), Share: sh.most})

	if err := k.take(ctx, &sh, free); err != nil {
		k.renewAt, k.lookAt = 0, 0 // it may have taken something all the same
		return "acquire", err
	}
	k.lacking = sh.lacking()
	if k.lacking {
		k.lookWithin(k.cfg.Jitter(eager))
	}
	k.giveBack(&sh)
	open(k.joined)
	return "", nil
}

// lookWithin has the next look within d.
func (k *keeper) lookWithin(d instant) { k.lookAt = min(k.lookAt, k.now()+max(d, soonest)) }

// mine is how many shards this process has or is about to have again.
func (k *keeper) mine() int {
	n := len(k.having(held))
	for st := range k.stops {
		if st.reason == Expired && !st.overdue {
			n += len(st.shards)
		}
	}
	return n
}

// nextExpiry is when the first lease of another ends, if it is not renewed; but no
// later than the next renewal brings a look anyway.
func (k *keeper) nextExpiry(s *store.Survey, arrived instant) instant {
	at := k.renewAt
	for i := range s.Leases {
		if l := &s.Leases[i]; l.Live && l.Owner != k.cfg.Owner {
			at = min(at, arrived+max(untilExpiry(s, l), soonest))
		}
	}
	return at
}

// free are the shards that can be taken; it remembers since when they are seen so.
func (k *keeper) free(s *store.Survey, arrived instant) []int {
	since := map[int]instant{}
	var free []int
	for i := range s.Leases {
		l := &s.Leases[i]
		if l.Live || l.Shard < 0 || l.Shard >= len(k.state) || k.state[l.Shard] != none {
			continue
		}
		if _, leaving := k.leaving[l.Shard]; leaving {
			continue
		}
		free = append(free, l.Shard)
		first, seen := k.freeSince[l.Shard]
		if !seen {
			first = arrived
		}
		since[l.Shard] = first
	}
	k.freeSince = since
	return free
}

// take takes free shards up to the share, and beyond it those that nobody took for a
// second.
func (k *keeper) take(ctx context.Context, sh *shares, free []int) error {
	free = sh.mySide(free)
	due := min(len(free), max(0, sh.limit()-sh.counts[sh.me]))
	wanted := slices.Clone(free[:due])
	for _, shard := range free[due:] {
		if k.now()-k.freeSince[shard] >= patience {
			wanted = append(wanted, shard)
			continue
		}
		k.lookAt = min(k.lookAt, k.freeSince[shard]+patience)
	}
	if len(wanted) == 0 {
		return nil
	}
	got, err := k.acquire(ctx, wanted)
	if err != nil {
		return err
	}
	sh.counts[sh.me] += got
	if got < len(wanted) {
		k.lookWithin(k.cfg.Jitter(again)) // others take too
	}
	if len(wanted) > due && sh.missing(sh.least) > 0 {
		// Whoever announced itself does not take: it has died. Nothing is given back for
		// it before its announcement is over.
		k.giveAt = k.now() + 2*k.cfg.TTL
	}
	return nil
}

// giveBack begins to give back what another lacks, once a pass.
func (k *keeper) giveBack(sh *shares) {
	if k.now() < k.giveAt {
		return
	}
	all := k.having(held)
	n := min(sh.surplus(), len(all)) // what is about to be had again counts, and cannot be given
	if n == 0 {
		return
	}
	k.lose(all[len(all)-n:], GivenBack)
	k.giveAt = k.now() + k.renewEvery
}
