package lease

import (
	"context"
	"sync"

	"github.com/durachart/durachart/internal/logkey"
	"github.com/durachart/durachart/store"
)

// state is what a shard is to this process.
type state uint8

const (
	none     state = iota
	held           // believed, while its trust lasts
	stopping       // lost: Lost runs for it
)

// keeper is the state of Run; only its goroutine uses it.
type keeper struct {
	*Service
	timing
	state []state
	// leaving are the shards that are to be given back at the store, which may name us
	// until it has answered. They are neither believed nor taken.
	leaving map[int]struct{}

	// Calls of Lost that run. Each shard is in one at most, so stopped, which has room
	// for all shards, takes every end without waiting.
	stops   map[*stop]struct{}
	stopped chan *stop
	group   sync.WaitGroup

	// When something is due.
	renewAt, lookAt, announceAt instant
	giveAt                      instant // nothing is given back before
	retryAt                     instant // nothing is asked before
	failures                    int     // in a row

	lacking   bool            // this process lacks shards, and says so
	freeSince map[int]instant // when shards that are free were first seen so
}

func newKeeper(s *Service) *keeper {
	return &keeper{
		Service: s,
		timing:  timingOf(s.cfg.TTL),
		state:   make([]state, s.cfg.Shards),
		leaving: map[int]struct{}{},
		stops:   map[*stop]struct{}{},
		stopped: make(chan *stop, s.cfg.Shards),
		lacking: true, // whoever starts says so first, so that two who start share
	}
}

// command bounds one command: by its part of the ttl, and by the end of the first
// belief, so that this goroutine is there when it comes.
func (k *keeper) command(ctx context.Context) (context.Context, context.CancelFunc) {
	bound := k.commandTime
	if until, any := k.firstEnd(); any {
		bound = min(bound, until-k.now())
	}
	return context.WithTimeout(ctx, bound)
}

// firstEnd is when the first belief ends, if there is any.
func (k *keeper) firstEnd() (first instant, any bool) {
	for shard, st := range k.state {
		if st != held {
			continue
		}
		if until := instant(k.trust[shard].Load()); !any || until < first {
			first, any = until, true
		}
	}
	return first, any
}

// having are the shards in that state.
func (k *keeper) having(st state) []int {
	var shards []int
	for shard := range k.state {
		if k.state[shard] == st {
			shards = append(shards, shard)
		}
	}
	return shards
}

// adopt takes the reply of a lease command: all leases that name us, and until when
// each may be believed. What came too late for that is left alone: it is expired, or
// was never begun.
func (k *keeper) adopt(leases []store.Lease, until func(store.Lease) instant) {
	now := k.now()
	ours := make([]bool, len(k.state))
	var gained, taken []int
	for _, l := range leases {
		if l.Shard < 0 || l.Shard >= len(ours) {
			continue // not of our number of shards, which is fixed (D1)
		}
		ours[l.Shard] = true
		end := until(l)
		_, leaving := k.leaving[l.Shard]
		switch st := k.state[l.Shard]; {
		case st == held:
			k.trust[l.Shard].Store(max(int64(end), k.trust[l.Shard].Load()))
		case st == none && !leaving && end > now:
			k.state[l.Shard] = held
			k.trust[l.Shard].Store(int64(end))
			gained = append(gained, l.Shard)
		}
	}
	for shard, st := range k.state {
		if st == held && !ours[shard] {
			taken = append(taken, shard)
		}
	}
	k.lose(taken, Taken)
	k.gain(gained)
}

// gain tells of shards that are held now.
func (k *keeper) gain(shards []int) {
	if len(shards) == 0 {
		return
	}
	k.cfg.Logger.Info("shards gained", logkey.Count, len(shards))
	k.cfg.Observe(Gained{shards})
	k.cfg.Gained(shards)
	open(k.first)
}

// open closes a channel that only this goroutine closes, once.
func open(c chan struct{}) {
	select {
	case <-c:
	default:
		close(c)
	}
}

// expire loses the shards that are not believed any more.
func (k *keeper) expire() {
	now := k.now()
	var over []int
	for shard, st := range k.state {
		if st == held && instant(k.trust[shard].Load()) <= now {
			over = append(over, shard)
		}
	}
	k.lose(over, Expired)
}

// forget ends all belief, whatever happened.
func (k *keeper) forget() {
	for shard := range k.trust {
		k.trust[shard].Store(0)
	}
}
