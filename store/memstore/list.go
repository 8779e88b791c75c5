package memstore

import (
	"context"
	"slices"
	"time"

	"github.com/durachart/durachart/store"
)

// List implements [store.Lister].
func (s *Store) List(ctx context.Context, f store.Filter, p store.Page) (store.ListPage, error) {
	page, err := s.list(ctx, &f, &p)
	return page, store.OpError("list", "", err)
}

func (s *Store) list(ctx context.Context, f *store.Filter, p *store.Page) (store.ListPage, error) {
	if err := s.begin(ctx); err != nil {
		return store.ListPage{}, err
	}
	after, err := s.opts.Limits.CheckList(f, p, s.opts.Attributes, "")
	if err != nil {
		return store.ListPage{}, err
	}
	s.command("find", "")
	var page store.ListPage
	m, order := newMatcher(f), orderOf(p.Order)
	for {
		want := p.Limit - len(page.Items)
		keys, err := s.keysAfter(m, order, after, want+1)
		if err != nil {
			return store.ListPage{}, err
		}
		more := len(keys) > want
		for _, key := range keys[:min(want, len(keys))] {
			after = &store.CursorKey{At: key.at.time(), ID: key.id}
			// The row may have changed since its key was read: then it is left out.
			if page.Items, err = s.appendMatch(page.Items, m, key.id, p.WithData); err != nil {
				return store.ListPage{}, err
			}
		}
		if !more || len(page.Items) == p.Limit {
			if more {
				page.Next = cursorFor(f, p.Order, *after)
			}
			return page, nil
		}
	}
}

func cursorFor(f *store.Filter, o store.Order, last store.CursorKey) string {
	if o == store.ByID {
		last.At = time.Time{}
	}
	return store.ListScope(*f, o, "").Encode(last)
}

// rowKey is what rows are ordered by.
type rowKey struct {
	at instant
	id string
}

// orderOf returns the order as "comes before".
func orderOf(o store.Order) func(a, b rowKey) bool {
	if o == store.ByID {
		return func(a, b rowKey) bool { return a.id < b.id }
	}
	return newestFirst
}

func newestFirst(a, b rowKey) bool {
	if a.at != b.at {
		return a.at > b.at
	}
	return a.id > b.id
}

// keysAfter returns the first n keys after a key that match. It looks at every
// record: listing is not what this store has to be fast at.
func (s *Store) keysAfter(m matcher, before func(a, b rowKey) bool, after *store.CursorKey, n int) ([]rowKey, error) {
	first := best[rowKey]{limit: n, less: before}
	var last rowKey
	if after != nil {
		last = rowKey{at: instantOf(after.At), id: after.ID}
	}
	err := s.scan(func(r *record) bool {
		key := rowKey{at: r.createdAt, id: r.id}
		if (after == nil || before(last, key)) && first.wants(key) && m.matches(r) {
			first.offer(key)
		}
		return true
	})
	return first.sorted(), err
}

// scan calls visit with every record that can be read until it returns false,
// shard by shard.
func (s *Store) scan(visit func(r *record) bool) error {
	for _, sh := range s.data.shards {
		if _, err := s.lockShard(sh); err != nil {
			return err
		}
		goOn := true
		for _, r := range sh.docs {
			if r.readable() && !visit(r) {
				goOn = false
				break
			}
		}
		sh.mu.Unlock()
		if !goOn {
			return nil
		}
	}
	return nil
}

func (s *Store) appendMatch(items []store.Execution, m matcher, id string, withData bool) ([]store.Execution, error) {
	sh, err := s.lockShard(s.data.shardOf(id))
	if err != nil {
		return nil, err
	}
	defer sh.mu.Unlock()
	if r := sh.docs[id]; r != nil && r.readable() && m.matches(r) {
		items = append(items, r.execution(withData))
	}
	return items, nil
}

// Count implements [store.Lister].
func (s *Store) Count(ctx context.Context, f store.Filter, limit int) (int, error) {
	n, err := s.count(ctx, &f, limit)
	return n, store.OpError("count", "", err)
}

func (s *Store) count(ctx context.Context, f *store.Filter, limit int) (int, error) {
	if err := s.begin(ctx); err != nil {
		return 0, err
	}
	if err := s.opts.Limits.CheckFilter(f, s.opts.Attributes); err != nil {
		return 0, err
	}
	limit, err := store.CheckLimit(limit, s.opts.Limits.Count, s.opts.Limits.Count)
	if err != nil {
		return 0, err
	}
	s.command("count", "")
	n, m := 0, newMatcher(f)
	err = s.scan(func(r *record) bool {
		if m.matches(r) {
			n++
		}
		return n < limit
	})
	return n, err
}

// matcher is a filter with its dates as instants.
type matcher struct {
	*store.Filter
	createdFrom, createdTo, updatedFrom, updatedTo instant
	attrs                                          map[string]store.Attr
}

func newMatcher(f *store.Filter) matcher {
	bound := func(t time.Time) instant {
		if t.IsZero() {
			return never
		}
		return instantOf(t)
	}
	return matcher{
		Filter:      f,
		createdFrom: bound(f.CreatedFrom), createdTo: bound(f.CreatedTo),
		updatedFrom: bound(f.UpdatedFrom), updatedTo: bound(f.UpdatedTo),
		attrs: cloneAttrs(f.Attrs),
	}
}

func (m matcher) matches(r *record) bool {
	return equalIfSet(m.DefinitionID, r.definitionID) &&
		equalIfSet(m.DefinitionVersion, r.definitionVersion) &&
		equalIfSet(m.ParentID, r.parentID) &&
		equalIfSet(m.RootID, r.rootID) &&
		(m.Leaf == "" || slices.Contains(r.leaves, m.Leaf)) &&
		(len(m.Statuses) == 0 || slices.Contains(m.Statuses, r.status)) &&
		(!m.RootsOnly || r.parentID == "") &&
		(!m.ParkedOnly || r.parked != nil) &&
		within(r.createdAt, m.createdFrom, m.createdTo) &&
		within(r.updatedAt, m.updatedFrom, m.updatedTo) &&
		m.attrsMatch(r)
}

func equalIfSet(want, got string) bool { return want == "" || want == got }

func within(t, from, to instant) bool {
	return (from == never || t >= from) && (to == never || t < to)
}

// attrsMatch compares values of one type only: 1 is not 1.0, nor true.
func (m matcher) attrsMatch(r *record) bool {
	for name, want := range m.attrs {
		got, set := r.attrs[name]
		if !set || got != want {
			return false
		}
	}
	return true
}
