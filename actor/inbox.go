package actor

import (
	"cmp"
	"context"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/durachart/durachart/internal/logkey"
	"github.com/durachart/durachart/store"
)

const (
	pollPage    = 256  // executions of one page
	pollExclude = 1000 // ids that a poll may exclude
	// pollAhead is how far in the future a sender's clock may put an entry and it
	// is found all the same (D33).
	pollAhead = 24 * time.Hour
)

// inboxPoll finds events that nobody has told this process of: pushed by others,
// or left by an earlier process. It is the floor; hints and local sends are
// faster.
type inboxPoll struct {
	rt   *Runtime
	wake chan struct{} // asks for a poll at once

	held atomic.Int64 // len(hand): most executions that come to rest are not in it
	mu   sync.Mutex
	hand map[string]struct{} // found, and not handled yet
	free chan struct{}       // has a value after hand got smaller
}

func newInboxPoll(r *Runtime) *inboxPoll {
	return &inboxPoll{
		rt:   r,
		wake: make(chan struct{}, 1),
		hand: make(map[string]struct{}),
		free: make(chan struct{}, 1),
	}
}

// run polls until ctx ends, more slowly while nothing is found (D40).
func (p *inboxPoll) run(ctx context.Context) error {
	pause := p.rt.cfg.PollMin
	for ctx.Err() == nil {
		found, err := p.round(ctx)
		switch {
		case ctx.Err() != nil:
			return nil
		case passing(err):
			if p.rt.prober.wait(ctx) != nil {
				return nil
			}
			continue
		case err != nil:
			return err
		case found:
			pause = p.rt.cfg.PollMin
		}
		if p.rest(ctx, pause) {
			pause = p.rt.cfg.PollMin
			continue
		}
		pause = min(2*pause, p.rt.cfg.PollMax)
	}
	return nil
}

// nudge asks for a poll at once.
func (p *inboxPoll) nudge() {
	select {
	case p.wake <- struct{}{}:
	default:
	}
}

// rest waits until the next round is due; true if somebody asked for it.
func (p *inboxPoll) rest(ctx context.Context, d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-p.wake:
		return true
	case <-t.C:
	case <-ctx.Done():
	}
	return false
}

// round polls all shards until there is nothing left that is not in hand. After a
// full page the shards that occurred in it are left out, until a page is not full:
// so a busy shard does not keep the others waiting (D39).
func (p *inboxPoll) round(ctx context.Context) (found bool, err error) {
	all := p.rt.ownShards()
	shards := all
	for len(shards) > 0 {
		exclude, err := p.excluded(ctx)
		if err != nil {
			return found, err
		}
		page, err := p.rt.cfg.Store.PollInbox(ctx, store.PollQuery{
			Shards:  shards,
			Until:   p.rt.clock.now().Add(pollAhead),
			Limit:   pollPage,
			Exclude: exclude,
		})
		if err != nil {
			return found, err
		}
		found = found || len(page) > 0
		if err := p.take(ctx, page); err != nil {
			return found, err
		}
		if len(page) == pollPage {
			if shards = without(shards, page); len(shards) == 0 {
				shards = all
			}
			continue
		}
		if len(shards) == len(all) {
			return found, nil
		}
		shards = all
	}
	return found, nil
}

// excluded waits until few enough executions are in hand to ask for another page,
// and returns them.
func (p *inboxPoll) excluded(ctx context.Context) ([]string, error) {
	for {
		p.mu.Lock()
		if len(p.hand) <= pollExclude-pollPage {
			ids := make([]string, 0, len(p.hand))
			for id := range p.hand {
				ids = append(ids, id)
			}
			p.mu.Unlock()
			return ids, nil
		}
		p.mu.Unlock()
		select {
		case <-p.free:
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
	}
}

// take hands the executions of a page to their activations, urgent ones first. Held
// ones are hidden from the poll instead (D34).
func (p *inboxPoll) take(ctx context.Context, page []store.Waiting) error {
	slices.SortStableFunc(page, func(a, b store.Waiting) int { return cmp.Compare(a.Priority, b.Priority) })
	cold := make([]string, 0, len(page))
	for _, w := range page {
		switch {
		case w.Held:
			if err := p.rt.cfg.Store.DeferInbox(ctx, w.ID, w.Version, store.FarFuture); err != nil {
				return err
			}
		case p.rt.gate.Incarnation(w.ID) != 0:
			p.found(w.ID)
			_ = p.rt.gate.Wake(w.ID) // a closed gate: the next owner finds it
		default:
			p.found(w.ID)
			cold = append(cold, w.ID)
		}
	}
	return p.load(ctx, cold)
}

// load activates cold executions, with one read for all of them where the store
// can do that.
func (p *inboxPoll) load(ctx context.Context, ids []string) error {
	bulk, ok := p.rt.cfg.Store.(store.BulkCommitter)
	if !ok || len(ids) < 2 {
		for _, id := range ids {
			_ = p.rt.gate.Wake(id)
		}
		return nil
	}
	loaded, errs := bulk.LoadBatch(ctx, ids, loadInbox)
	for i, id := range ids {
		if errs[i] != nil { // its own load will tell
			if !passing(errs[i]) {
				p.rt.log.Warn("load of a waiting execution", logkey.Execution, id, logkey.Error, errs[i])
			}
			_ = p.rt.gate.Wake(id)
			continue
		}
		p.rt.stats.loads.Add(1)
		p.rt.preload(&loaded[i], true)
	}
	return nil
}

// found takes id in hand: it is not asked for again before done.
func (p *inboxPoll) found(id string) {
	p.mu.Lock()
	p.hand[id] = struct{}{}
	p.held.Store(int64(len(p.hand)))
	p.mu.Unlock()
}

// done says that the activation of id has come to rest.
func (p *inboxPoll) done(id string) {
	if p.held.Load() == 0 {
		return
	}
	p.mu.Lock()
	_, ok := p.hand[id]
	delete(p.hand, id)
	p.held.Store(int64(len(p.hand)))
	p.mu.Unlock()
	if !ok {
		return
	}
	select {
	case p.free <- struct{}{}:
	default:
	}
}

// without returns the shards that do not occur in page.
func without(shards []int, page []store.Waiting) []int {
	in := make(map[int]bool, len(page))
	for _, w := range page {
		in[w.Shard] = true
	}
	var rest []int
	for _, s := range shards {
		if !in[s] {
			rest = append(rest, s)
		}
	}
	return rest
}
