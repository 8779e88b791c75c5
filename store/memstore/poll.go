package memstore

import (
	"context"

	"github.com/durachart/durachart/store"
)

// PollInbox implements [store.Inbox].
func (s *Store) PollInbox(ctx context.Context, q store.PollQuery) ([]store.Waiting, error) {
	var page []store.Waiting
	err := s.poll(ctx, dueInbox, q, func(r *record) { page = append(page, r.waits()) })
	return page, store.OpError("poll inbox", "", err)
}

func (r *record) waits() store.Waiting {
	return store.Waiting{
		ID:       r.id,
		Shard:    int(r.shard),
		Priority: int(r.priority),
		Version:  r.version,
		Status:   r.status,
		Held:     r.held(),
		Ended:    r.endedAt != never,
	}
}

// poll calls take with the records of q, in no order but that each shard's earliest
// come first: one command for all shards, but atomic per shard only, like a cursor.
func (s *Store) poll(ctx context.Context, kind dueKind, q store.PollQuery, take func(r *record)) error {
	if err := s.begin(ctx); err != nil {
		return err
	}
	limit, err := s.opts.Limits.CheckPoll(&q, len(s.data.shards))
	if err != nil || len(q.Shards) == 0 {
		return err
	}
	s.command("find", "")
	excluded := setOf(q.Exclude)
	until := instantOf(q.Until)
	return s.eachShard(q.Shards, func(sh *shard) bool {
		sh.due[kind].each(until, func(r *record) bool {
			if r.readable() && !excluded[r.id] {
				take(r)
				limit--
			}
			return limit > 0
		})
		return limit > 0
	})
}

// eachShard calls visit with each of the shards, locked, until it returns false.
func (s *Store) eachShard(numbers []int, visit func(sh *shard) bool) error {
	visited := make([]bool, len(s.data.shards)) // a number may come twice
	for _, n := range numbers {
		if visited[n] {
			continue
		}
		visited[n] = true
		sh, err := s.lockShard(s.data.shards[n])
		if err != nil {
			return err
		}
		goOn := visit(sh)
		sh.mu.Unlock()
		if !goOn {
			return nil
		}
	}
	return nil
}

func setOf(ids []string) map[string]bool {
	if len(ids) == 0 {
		return nil
	}
	set := make(map[string]bool, len(ids))
	for _, id := range ids {
		set[id] = true
	}
	return set
}
