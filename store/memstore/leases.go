package memstore

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/durachart/durachart/store"
)

// leaseTable holds one lease per shard, and the workers that want more.
type leaseTable struct {
	mu      sync.Mutex
	leases  []store.Lease
	workers map[string]worker
}

type worker struct {
	store.Worker
	until time.Time
}

func (t *leaseTable) init(shards int) {
	t.leases = make([]store.Lease, shards)
	for i := range t.leases {
		t.leases[i] = store.Lease{Shard: i, Until: time.UnixMilli(0).UTC()}
	}
	t.workers = make(map[string]worker)
}

// lockLeases locks the table for one command and reads the server's clock.
func (s *Store) lockLeases(command string) (now time.Time, err error) {
	s.command(command, "")
	s.data.leases.mu.Lock()
	if s.closed.Load() {
		s.data.leases.mu.Unlock()
		return now, store.ErrClosed
	}
	return store.Millis(s.data.clock()), nil
}

// Announce implements [store.Shards].
func (s *Store) Announce(ctx context.Context, w store.Worker, ttl time.Duration) error {
	return store.OpError("announce", w.Owner, s.announce(ctx, w, ttl))
}

func (s *Store) announce(ctx context.Context, w store.Worker, ttl time.Duration) error {
	if err := s.begin(ctx); err != nil {
		return err
	}
	if err := store.CheckWorker(&w, ttl); err != nil {
		return err
	}
	now, err := s.lockLeases("update")
	if err != nil {
		return err
	}
	defer s.data.leases.mu.Unlock()
	w.StartedAt, w.Live = store.Millis(w.StartedAt), false
	s.data.leases.workers[w.Owner] = worker{Worker: w, until: now.Add(ttl)}
	maps.DeleteFunc(s.data.leases.workers, func(_ string, w worker) bool { return now.Sub(w.until) > store.WorkerKept })
	return nil
}

// Survey implements [store.Shards].
func (s *Store) Survey(ctx context.Context) (store.Survey, error) {
	if err := s.begin(ctx); err != nil {
		return store.Survey{}, store.OpError("survey", "", err)
	}
	now, err := s.lockLeases("find")
	if err != nil {
		return store.Survey{}, store.OpError("survey", "", err)
	}
	defer s.data.leases.mu.Unlock()
	survey := store.Survey{ServerNow: now, Leases: slices.Clone(s.data.leases.leases)}
	for i := range survey.Leases {
		survey.Leases[i].Live = !free(&survey.Leases[i], now)
	}
	for _, w := range s.data.leases.workers {
		w.Live = w.until.After(now)
		survey.Workers = append(survey.Workers, w.Worker)
	}
	slices.SortFunc(survey.Workers, func(a, b store.Worker) int { return cmp.Compare(a.Owner, b.Owner) })
	return survey, nil
}

func free(l *store.Lease, now time.Time) bool { return !l.Until.After(now) }

// AcquireShards implements [store.Shards].
func (s *Store) AcquireShards(ctx context.Context, owner string, shards []int, ttl time.Duration) (store.Leases, error) {
	held, err := s.acquire(ctx, owner, shards, ttl)
	return held, store.OpError("acquire", owner, err)
}

func (s *Store) acquire(ctx context.Context, owner string, shards []int, ttl time.Duration) (store.Leases, error) {
	if err := s.begin(ctx); err != nil {
		return store.Leases{}, err
	}
	if err := store.CheckLease(owner, shards, len(s.data.shards), ttl); err != nil {
		return store.Leases{}, err
	}
	sent := time.Now()
	now, err := s.lockLeases("update")
	if err != nil {
		return store.Leases{}, err
	}
	for _, n := range shards {
		if l := &s.data.leases.leases[n]; free(l, now) {
			l.Owner, l.Fence, l.Until = owner, l.Fence+1, now.Add(ttl)
		}
	}
	s.data.leases.mu.Unlock()
	return s.heldBy(owner, sent)
}

// heldBy is the read that follows a lease command: what names owner is ours.
func (s *Store) heldBy(owner string, sent time.Time) (store.Leases, error) {
	now, err := s.lockLeases("find")
	if err != nil {
		return store.Leases{}, err
	}
	defer s.data.leases.mu.Unlock()
	result := store.Leases{SentAt: sent, ServerNow: now}
	for i := range s.data.leases.leases {
		if l := s.data.leases.leases[i]; l.Owner == owner {
			l.Live = !free(&l, now)
			result.Held = append(result.Held, l)
		}
	}
	return result, nil
}

// RenewShards implements [store.Shards].
func (s *Store) RenewShards(ctx context.Context, owner string, held []int, ttl time.Duration) (store.Leases, error) {
	left, err := s.renew(ctx, owner, held, ttl)
	return left, store.OpError("renew", owner, err)
}

func (s *Store) renew(ctx context.Context, owner string, held []int, ttl time.Duration) (store.Leases, error) {
	if err := s.begin(ctx); err != nil {
		return store.Leases{}, err
	}
	if err := store.CheckLease(owner, held, len(s.data.shards), ttl); err != nil {
		return store.Leases{}, err
	}
	sent := time.Now()
	now, err := s.lockLeases("update")
	if err != nil {
		return store.Leases{}, err
	}
	for i := range s.data.leases.leases {
		if l := &s.data.leases.leases[i]; l.Owner == owner {
			l.Until = now.Add(ttl)
		}
	}
	s.data.leases.mu.Unlock()
	left, err := s.heldBy(owner, sent)
	if err != nil {
		return store.Leases{}, err
	}
	if lost := missing(held, left.Held); len(lost) > 0 {
		return left, fmt.Errorf("%w: shards %v", store.ErrLeaseLost, lost)
	}
	return left, nil
}

func missing(wanted []int, leases []store.Lease) []int {
	var lost []int
	for _, n := range wanted {
		if !slices.ContainsFunc(leases, func(l store.Lease) bool { return l.Shard == n }) {
			lost = append(lost, n)
		}
	}
	return lost
}

// ReleaseShards implements [store.Shards].
func (s *Store) ReleaseShards(ctx context.Context, owner string, shards []int) error {
	return store.OpError("release", owner, s.release(ctx, owner, shards))
}

func (s *Store) release(ctx context.Context, owner string, shards []int) error {
	if err := s.begin(ctx); err != nil {
		return err
	}
	if err := store.CheckLease(owner, shards, len(s.data.shards), store.MinLeaseTTL); err != nil {
		return err
	}
	now, err := s.lockLeases("update")
	if err != nil {
		return err
	}
	defer s.data.leases.mu.Unlock()
	for i := range s.data.leases.leases {
		l := &s.data.leases.leases[i]
		if l.Owner == owner && (shards == nil || slices.Contains(shards, l.Shard)) {
			l.Owner, l.Until = "", now
		}
	}
	if shards == nil {
		delete(s.data.leases.workers, owner)
	}
	return nil
}
