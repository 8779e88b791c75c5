package memstore

import (
	"context"
	"slices"

	"github.com/durachart/durachart/store"
)

// Commit implements [store.Executions].
func (s *Store) Commit(ctx context.Context, c store.Commit) error { return s.commit(ctx, &c) }

// CommitBatch implements [store.BulkCommitter].
func (s *Store) CommitBatch(ctx context.Context, cs []store.Commit) []error {
	errs := make([]error, len(cs))
	for i := range cs {
		errs[i] = s.commit(ctx, &cs[i])
	}
	return errs
}

func (s *Store) commit(ctx context.Context, c *store.Commit) error {
	if err := s.begin(ctx); err != nil {
		return store.OpError("commit", c.ID, err)
	}
	if err := s.opts.Limits.CheckCommit(c, s.opts.Attributes); err != nil {
		return err
	}
	u := s.newUpdate(c)
	for {
		matched, err := s.update(&u)
		if matched {
			return nil
		}
		if err == nil {
			err = s.judge(&u)
		}
		if err == nil {
			err = ctx.Err() // what was in the way is over: the update is sent again
		}
		if err != nil {
			return store.OpError("commit", c.ID, err)
		}
	}
}

// update is a commit as it is sent: drawn and copied once, kept through resends
// (D20).
type update struct {
	*store.Commit
	id commitID
	given
	snapshotSize           int
	outboxRoom, spawnsRoom int // positions that must not exist (D23)
}

func (s *Store) newUpdate(c *store.Commit) update {
	return update{
		Commit:       c,
		id:           newCommitID(),
		given:        s.prepare(c.ID, c.Version+1, c.Now, c.Emits, c.Spawns, c.Trace),
		snapshotSize: snapshotSize(&c.Snapshot),
		outboxRoom:   s.opts.Limits.OutboxPosition(c.Emits),
		spawnsRoom:   s.opts.Limits.SpawnPosition(c.Spawns),
	}
}

// update is the command: one compare-and-set (D17). It reports whether the filter
// matched.
func (s *Store) update(u *update) (bool, error) {
	sh, err := s.lock("update", u.Commit.ID)
	if err != nil {
		return false, err
	}
	r := sh.docs[u.Commit.ID]
	if r == nil || r.version != u.Version || r.ring.hasAny(u.Handled) || u.full(r) {
		sh.mu.Unlock()
		return false, nil
	}
	if err := s.checkSize(r.size() - r.snapshotSize + u.snapshotSize + u.given.size); err != nil {
		sh.mu.Unlock()
		return false, err
	}
	r.version++
	r.commitID = u.id
	r.apply(&u.Snapshot, u.Now, s.opts.Limits.Retention)
	r.snapshotSize = u.snapshotSize
	r.give(u.given, s.opts.Limits.TraceRing)
	for _, id := range u.Handled {
		r.ring.add(id, s.opts.Limits.Ring)
	}
	if u.ReleaseInbox {
		r.release(instantOf(u.Now)) // and pulls nothing (D34)
	} else {
		r.pull(u.Handled)
	}
	if u.Wake {
		r.wakeAt = instantOf(u.Now)
	}
	sh.refresh(r)
	sh.mu.Unlock()
	if u.Wake {
		s.data.hints.send(u.Commit.ID)
	}
	return true, nil
}

// full reports whether the outbox or the spawns have no room for what u gives.
func (u *update) full(r *record) bool {
	return len(u.outbox) > 0 && len(r.outbox) > u.outboxRoom || len(u.spawns) > 0 && len(r.spawns) > u.spawnsRoom
}

// judge reads why an update did not match, which is a command of its own (D21). Nil
// means that nothing speaks against the update any more.
func (s *Store) judge(u *update) error {
	sh, err := s.lock("aggregate", u.Commit.ID)
	if err != nil {
		return err
	}
	defer sh.mu.Unlock()
	r := sh.docs[u.Commit.ID]
	if r == nil {
		return store.ErrNotFound
	}
	seen := r.ring.seen(u.Handled)
	switch {
	case r.version != u.Version || len(seen) > 0:
		return &store.ConflictError{ID: u.Commit.ID, Expected: u.Version, Found: r.version, Seen: seen}
	case u.full(r):
		return store.ErrBackpressure
	}
	return nil
}

// pull takes the handled ids out of the inbox, wherever they came from (D18).
func (r *record) pull(ids []string) {
	if len(r.inbox) == 0 {
		return
	}
	r.inbox = slices.DeleteFunc(r.inbox, func(e store.InboxEntry) bool {
		gone := slices.Contains(ids, e.ID)
		if gone {
			r.entriesSize -= inboxSize(&e)
		}
		return gone
	})
}

// release makes every inbox entry visible to the poll.
func (r *record) release(now instant) {
	for i := range r.inbox {
		r.inbox[i].At = now.time()
	}
}
