package memstore

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/durachart/durachart/store"
)

// DueTimers implements [store.Timers].
func (s *Store) DueTimers(ctx context.Context, q store.PollQuery) ([]store.DueTimer, error) {
	timers, err := s.dueTimers(ctx, q)
	return timers, store.OpError("due timers", "", err)
}

func (s *Store) dueTimers(ctx context.Context, q store.PollQuery) ([]store.DueTimer, error) {
	if err := s.begin(ctx); err != nil {
		return nil, err
	}
	limit, err := s.opts.Limits.CheckDue(&q, len(s.data.shards))
	if err != nil || len(q.Shards) == 0 {
		return nil, err
	}
	s.command("find", "")
	until := instantOf(q.Until)
	excluded := setOf(q.Exclude)
	page := best[dueDoc]{limit: limit, less: func(a, b dueDoc) bool { return a.next < b.next }}
	err = s.eachShard(q.Shards, func(sh *shard) bool {
		sh.due[dueTimer].each(until, func(r *record) bool {
			switch {
			case !r.readable() || excluded[r.id]:
			case !page.wants(dueDoc{next: r.due[dueTimer]}):
				return false // this shard has only later ones
			default:
				page.offer(dueOf(r, until))
			}
			return true
		})
		return true
	})
	return truePrefix(page.sorted(), limit), err
}

// dueDoc is an execution with what of its timers is due.
type dueDoc struct {
	next   instant
	timers []store.DueTimer
}

func dueOf(r *record, until instant) dueDoc {
	d := dueDoc{next: r.due[dueTimer]}
	for _, t := range r.timers {
		if t.due <= until {
			d.timers = append(d.timers, store.DueTimer{ID: r.id, Name: t.name, Due: t.due.time(), Shard: int(r.shard), Version: r.version})
		}
	}
	return d
}

// truePrefix returns the timers of a page, earliest first. On a full page those
// after the last document's date are left out: a document that is not in the page
// may have earlier ones (D56).
func truePrefix(docs []dueDoc, limit int) []store.DueTimer {
	var timers []store.DueTimer
	for _, d := range docs {
		for _, t := range d.timers {
			if len(docs) < limit || instantOf(t.Due) <= docs[limit-1].next {
				timers = append(timers, t)
			}
		}
	}
	slices.SortFunc(timers, func(a, b store.DueTimer) int {
		return cmp.Or(a.Due.Compare(b.Due), cmp.Compare(a.ID, b.ID), cmp.Compare(a.Name, b.Name))
	})
	return timers
}

// DeleteTimer implements [store.Timers].
func (s *Store) DeleteTimer(ctx context.Context, id, name string, due time.Time) (bool, error) {
	deleted, err := s.deleteTimer(ctx, id, name, due)
	return deleted, store.OpError("delete timer", id, err)
}

func (s *Store) deleteTimer(ctx context.Context, id, name string, due time.Time) (bool, error) {
	if err := s.beginOn(ctx, id); err != nil {
		return false, err
	}
	if err := store.CheckTimerName(name); err != nil {
		return false, err
	}
	if err := store.CheckTime("due", due); err != nil {
		return false, err
	}
	now, deleted := s.data.clock(), false
	err := s.change("update", id, func(r *record) {
		i := slices.Index(r.timers, armed{name, instantOf(due)})
		if i < 0 {
			return
		}
		r.timers = slices.Delete(r.timers, i, i+1)
		r.snapshotSize -= timerOverhead + len(name)
		r.version++
		r.commitID = newCommitID()
		r.updatedAt = instantOf(now)
		deleted = true
	})
	return deleted, err
}
