package timer

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/durachart/durachart/internal/logkey"
	"github.com/durachart/durachart/store"
)

// shardsPerQuery bounds the shards of one query, so that the server can merge one scan
// per shard instead of sorting (index 4).
const shardsPerQuery = 64

// The times between two reads that nobody asked for: the least, and that while there is
// enough to do.
const (
	shortestGap = 100 * time.Millisecond
	backlogGap  = 10 * time.Second
)

// reading is the state of reading the index.
type reading struct {
	begun, ended int // rounds
	underWay     bool

	// moved has the version of each execution that was committed here while a round is
	// under way: a page may be older than that.
	moved map[string]int64

	// refillBelow is the number of timers in hand, but for those that failed and wait,
	// from which on more should be read, when the last round left some in the store; 0 if
	// it did not.
	refillBelow int
}

// outdate notes that what a round under way finds of id may be older than version.
func (r *reading) outdate(id string, version int64) {
	if r.underWay && version > r.moved[id] {
		r.moved[id] = version
	}
}

// low reports, once, that so few are left in hand that more should be read.
func (r *reading) low(held int) bool {
	if r.underWay || held >= r.refillBelow {
		return false
	}
	r.refillBelow = 0
	return true
}

// readAlong reads the index ahead of the firing, until ctx ends.
func (s *Service) readAlong(ctx context.Context) error {
	for {
		err := s.round(ctx)
		switch {
		case ctx.Err() != nil:
			return nil
		case errors.Is(err, store.ErrMisconfigured):
			return err
		case err != nil:
			s.cfg.Logger.Warn("read due timers", logkey.Part, "timer", logkey.Error, err)
			if s.cfg.Await(ctx, err) != nil {
				return nil
			}
			continue
		}
		if s.restBetweenRounds(ctx) != nil {
			return nil
		}
	}
}

// restBetweenRounds waits until it is time to read on, or somebody asks for it.
func (s *Service) restBetweenRounds(ctx context.Context) error {
	for {
		timer := time.NewTimer(s.untilNextRound())
		select {
		case <-s.narrowed: // what is known has become less: wait for less
			timer.Stop()
			continue
		case <-ctx.Done():
		case <-s.refill:
		case <-timer.C:
		}
		timer.Stop()
		return ctx.Err()
	}
}

// untilNextRound is half of what is known: half a horizon normally (D53). When all that is
// known is due already, more is read once half of it is done (see reading.low), and the
// clock matters little.
func (s *Service) untilNextRound() time.Duration {
	s.mu.Lock()
	defer s.mu.Unlock()
	known := time.Duration(s.frontier-s.cfg.Clock().UnixMilli()) * time.Millisecond
	if known <= 0 && s.read.refillBelow > 0 {
		return backlogGap
	}
	return max(known/2, shortestGap)
}

// round reads what is due within the horizon, all shards from the beginning. Nothing is
// taken in hand before all of it is read, or timers of one group of shards would fire
// before earlier ones of the next.
func (s *Service) round(ctx context.Context) (err error) {
	shards := slices.Sorted(slices.Values(s.cfg.Shards()))
	until := store.Millis(s.cfg.Clock().Add(s.cfg.Horizon))
	resting := s.begin(until)
	frontier := until.UnixMilli() + 1 // what is due at until is included
	cut := false
	var found []store.DueTimer
	for group := range slices.Chunk(shards, shardsPerQuery) {
		page, err := s.cfg.Source.DueTimers(ctx, store.PollQuery{
			Shards: group, Until: until, Limit: s.cfg.Page, Exclude: resting,
		})
		if err != nil {
			s.end(nil, 0, false)
			return err
		}
		if executions(page) >= s.cfg.Page {
			// More than the page: from its last instant on some may be missing.
			frontier, cut = min(frontier, page[len(page)-1].Due.UnixMilli()), true
		}
		found = append(found, page...)
	}
	s.end(found, frontier, cut)
	return nil
}

// executions returns how many executions a page is about.
func executions(page []store.DueTimer) int {
	ids := make(map[string]struct{}, len(page))
	for _, t := range page {
		ids[t.ID] = struct{}{}
	}
	return len(ids)
}

// begin starts a round and returns executions that it need not find, because they have a
// timer that failed to fire and waits. Without this, timers that nobody can fire would
// fill every page.
func (s *Service) begin(until time.Time) (resting []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.read.begun++
	s.read.underWay = true
	s.read.moved = map[string]int64{}
	s.accept = max(s.accept, until.UnixMilli()+1)
	s.silent.Store(false)
	if s.resting == 0 {
		return nil
	}
	for id, rec := range s.records {
		if len(resting) < s.cfg.Exclude && slices.ContainsFunc(rec.nodes, (*node).rests) {
			resting = append(resting, id)
		}
	}
	return resting
}

// rests reports whether n waits after a failed fire.
func (n *node) rests() bool { return n.state == turning && n.tick > n.due }

// admit takes in hand what a round found, but for what is due after its frontier: that
// would fire before what the round did not see.
func (s *Service) admit(due []store.DueTimer, frontier int64) {
	found := map[string]map[string]time.Time{}
	for _, t := range due {
		if t.Due.UnixMilli() > frontier || t.Version < s.read.moved[t.ID] {
			continue
		}
		if found[t.ID] == nil {
			found[t.ID] = map[string]time.Time{}
		}
		found[t.ID][t.Name] = t.Due
	}
	for _, t := range due {
		if timers := found[t.ID]; timers != nil {
			delete(found, t.ID) // all of them at once
			s.learnDue(t, timers)
		}
	}
}

// learnDue takes in hand what a round says of the execution of t. A round has only what
// is due until its end, so later timers that a commit told of stay, if they are of the
// same version.
func (s *Service) learnDue(t store.DueTimer, timers map[string]time.Time) {
	if rec := s.records[t.ID]; rec != nil && rec.version == t.Version {
		for _, n := range rec.nodes {
			if _, found := timers[n.name]; !found {
				timers[n.name] = time.UnixMilli(n.due)
			}
		}
	}
	s.learn(t.ID, t.Version, t.Shard, timers)
}

// end ends a round, which found what is due before frontier and, if cut, left more in
// the store. A frontier of 0 means that it failed.
func (s *Service) end(found []store.DueTimer, frontier int64, cut bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.admit(found, frontier)
	s.read.underWay = false
	s.read.moved = nil
	if frontier > 0 {
		s.read.ended = s.read.begun
		// Held may have been exhausted while reading: then accept is what counts.
		s.accept = min(s.accept, frontier)
		s.frontier = s.accept
		s.read.refillBelow = 0
		if cut || s.accept < frontier {
			s.read.refillBelow = (s.held - s.resting) / 2
		}
	}
	s.nudge()
	s.settle()
}
