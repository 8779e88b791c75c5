package memstore

import (
	"context"
	"time"

	"github.com/durachart/durachart/store"
)

// purgeAgain is by how much the date of a root moves that cannot go yet.
const purgeAgain = time.Hour

// Purge implements [store.Executions].
func (s *Store) Purge(ctx context.Context, now time.Time, limit int) (store.Purged, error) {
	var done store.Purged
	err := s.begin(ctx)
	if err == nil {
		err = store.CheckTime("now", now)
	}
	if err == nil {
		limit, err = store.CheckLimit(limit, s.opts.Limits.PurgePass, s.opts.Limits.PurgePass)
	}
	if err == nil {
		err = s.purge(ctx, instantOf(now), limit, &done)
	}
	if err == nil {
		err = s.expireLetters(now)
	}
	return done, store.OpError("purge", "", err)
}

func (s *Store) purge(ctx context.Context, now instant, limit int, done *store.Purged) error {
	expired, err := s.expired(now, limit)
	if err != nil {
		return err
	}
	for _, e := range expired {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := s.purgeOne(e, now, done); err != nil {
			return err
		}
	}
	return nil
}

// expiredDoc is a record that Purge looks at.
type expiredDoc struct {
	id, root string
	date     instant
}

func (e expiredDoc) isRoot() bool { return e.id == e.root }

// expired returns what index 11 would: ended, expired and drained, oldest first.
func (s *Store) expired(now instant, limit int) ([]expiredDoc, error) {
	s.command("find", "")
	oldest := best[expiredDoc]{limit: limit, less: func(a, b expiredDoc) bool { return a.date < b.date }}
	for _, sh := range s.data.shards {
		if _, err := s.lockShard(sh); err != nil {
			return nil, err
		}
		sh.due[dueExpiry].each(now, func(r *record) bool {
			e := expiredDoc{id: r.id, root: r.rootID, date: r.expiresAt}
			if !oldest.wants(e) {
				return false
			}
			if r.readable() && r.drained() {
				oldest.offer(e)
			}
			return true
		})
		sh.mu.Unlock()
	}
	return oldest.sorted(), nil
}

// purgeOne decides about one expired execution (D73).
func (s *Store) purgeOne(e expiredDoc, now instant, done *store.Purged) error {
	if e.isRoot() {
		return s.purgeFamily(e.id, now, done)
	}
	root, err := s.rootOf(e)
	switch {
	case err != nil:
		return err
	case !root.there:
		return s.count1(done)(s.remove(e.id, now, expiredAndDrained))
	case root.expires == never:
		done.Kept++
		return s.postpone(e.id, now, now.plus(max(s.opts.Limits.Retention, purgeAgain)))
	case root.expires > now:
		done.Kept++
		return s.postpone(e.id, now, root.expires)
	case !root.drained:
		done.Kept++
		return s.postpone(e.id, now, now.plus(purgeAgain))
	}
	return s.purgeFamily(e.root, now, done) // it goes with its root
}

// purgeFamily deletes the ended, drained descendants of a root, whatever their own
// dates, and then the root if none is left.
func (s *Store) purgeFamily(root string, now instant, done *store.Purged) error {
	for _, id := range s.data.families.of(root) {
		if err := s.count1(done)(s.remove(id, now, endedAndDrained)); err != nil {
			return err
		}
	}
	s.command("find", "")
	if len(s.data.families.of(root)) > 0 {
		done.Kept++
		return s.postpone(root, now, now.plus(purgeAgain))
	}
	return s.count1(done)(s.remove(root, now, expiredAndDrained))
}

// count1 counts one deletion.
func (s *Store) count1(done *store.Purged) func(deleted bool, err error) error {
	return func(deleted bool, err error) error {
		if deleted {
			done.Deleted++
		}
		return err
	}
}

func endedAndDrained(r *record, _ instant) bool { return r.endedAt != never && r.drained() }

func expiredAndDrained(r *record, now instant) bool {
	return endedAndDrained(r, now) && r.expiresAt != never && r.expiresAt <= now
}

// remove deletes a record if the conditions still hold.
func (s *Store) remove(id string, now instant, may func(*record, instant) bool) (bool, error) {
	sh, err := s.lock("delete", id)
	if err != nil {
		return false, err
	}
	defer sh.mu.Unlock()
	r := sh.docs[id]
	if r == nil || !r.readable() || !may(r, now) {
		return false, nil
	}
	delete(sh.docs, id)
	sh.forget(r)
	s.data.families.remove(r)
	return true, nil
}

// rootState is what the fate of a child depends on.
type rootState struct {
	there   bool
	expires instant
	drained bool
}

func (s *Store) rootOf(e expiredDoc) (rootState, error) {
	sh, err := s.lock("find", e.root)
	if err != nil {
		return rootState{}, err
	}
	defer sh.mu.Unlock()
	r := sh.docs[e.root]
	if r == nil {
		return rootState{}, nil
	}
	return rootState{there: true, expires: r.expiresAt, drained: r.drained()}, nil
}

// postpone moves the date of an execution that is expired and was kept.
func (s *Store) postpone(id string, now, date instant) error {
	return s.change("update", id, func(r *record) {
		if r.expiresAt != never && r.expiresAt <= now {
			r.expiresAt = date
		}
	})
}
