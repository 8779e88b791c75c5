package memstore

import (
	"bytes"
	"context"
	"slices"
	"time"

	"github.com/durachart/durachart/store"
)

// Push implements [store.Inbox].
func (s *Store) Push(ctx context.Context, p store.Push) (store.Pushed, error) {
	return s.push(ctx, &p)
}

// PushBatch implements [store.BulkCommitter].
func (s *Store) PushBatch(ctx context.Context, ps []store.Push) ([]store.Pushed, []error) {
	pushed, errs := make([]store.Pushed, len(ps)), make([]error, len(ps))
	for i := range ps {
		pushed[i], errs[i] = s.push(ctx, &ps[i])
	}
	return pushed, errs
}

func (s *Store) push(ctx context.Context, p *store.Push) (store.Pushed, error) {
	if err := s.begin(ctx); err != nil {
		return store.Pushed{}, store.OpError("push", p.ID, err)
	}
	if err := s.opts.Limits.CheckPush(p); err != nil {
		return store.Pushed{}, err
	}
	entries := ownEntries(p.Entries, p.Now)
	pushed, err := s.pushAll(ctx, p.ID, entries, instantOf(p.Now))
	return pushed, store.OpError("push", p.ID, err)
}

// pushAll pushes entries in one command, or one by one when some of them are
// duplicates (D31).
func (s *Store) pushAll(ctx context.Context, id string, entries []store.InboxEntry, now instant) (store.Pushed, error) {
	for {
		matched, err := s.pushUpdate(id, entries, now)
		if err != nil {
			return store.Pushed{}, err
		}
		if matched {
			return store.Pushed{Added: len(entries)}, nil
		}
		duplicates, err := s.judgePush(id, entries)
		switch {
		case err != nil:
			return store.Pushed{}, err
		case len(duplicates) == len(entries):
			return store.Pushed{Duplicates: duplicates}, nil
		case len(duplicates) > 0:
			return s.pushOneByOne(ctx, id, entries, now)
		}
		if err := ctx.Err(); err != nil {
			return store.Pushed{}, err
		}
	}
}

func (s *Store) pushOneByOne(ctx context.Context, id string, entries []store.InboxEntry, now instant) (store.Pushed, error) {
	var all store.Pushed
	for i := range entries {
		one, err := s.pushAll(ctx, id, entries[i:i+1], now)
		all.Added += one.Added
		all.Duplicates = append(all.Duplicates, one.Duplicates...)
		if err != nil {
			return all, err
		}
	}
	return all, nil
}

// pushUpdate is the command (D30). It reports whether the filter matched.
func (s *Store) pushUpdate(id string, entries []store.InboxEntry, now instant) (bool, error) {
	room := s.opts.Limits.InboxPosition(entries)
	sh, err := s.lock("update", id)
	if err != nil {
		return false, err
	}
	r := sh.docs[id]
	if r == nil || r.endedAt != never || len(r.inbox) > room || len(r.duplicates(entries)) > 0 {
		sh.mu.Unlock()
		return false, nil
	}
	size := r.size()
	for i := range entries {
		size += inboxSize(&entries[i])
	}
	if err := s.checkSize(size); err != nil {
		sh.mu.Unlock()
		return false, err
	}
	r.push(entries)
	r.wakeAt = now
	sh.refresh(r)
	sh.mu.Unlock()
	s.data.hints.send(id)
	return true, nil
}

// judgePush reads why a push did not match and judges in the order of D31: which
// entries are duplicates; or else the error; or neither, when nothing speaks
// against the push any more. With some duplicates among new entries the others
// are judged one by one.
func (s *Store) judgePush(id string, entries []store.InboxEntry) (duplicates []string, err error) {
	room := s.opts.Limits.InboxPosition(entries)
	sh, err := s.lock("find", id)
	if err != nil {
		return nil, err
	}
	defer sh.mu.Unlock()
	r := sh.docs[id]
	if r == nil {
		return nil, store.ErrNotFound
	}
	duplicates = r.duplicates(entries)
	switch {
	case len(duplicates) > 0:
		return duplicates, nil
	case r.endedAt != never:
		return nil, store.ErrEnded
	case len(r.inbox) > room:
		return nil, store.ErrBackpressure
	}
	return nil, nil
}

// duplicates returns the ids of entries that wait or are processed already.
func (r *record) duplicates(entries []store.InboxEntry) []string {
	var found []string
	for i := range entries {
		id := entries[i].ID
		if r.waiting(id) >= 0 || r.ring.has(id) {
			found = append(found, id)
		}
	}
	return found
}

// waiting returns the place of an id in the inbox, or -1.
func (r *record) waiting(id string) int {
	return slices.IndexFunc(r.inbox, func(e store.InboxEntry) bool { return e.ID == id })
}

func (r *record) push(entries []store.InboxEntry) {
	r.inbox = append(r.inbox, entries...)
	for i := range entries {
		r.entriesSize += inboxSize(&entries[i])
	}
}

// ownEntries copies entries as they are stored: new, and visible from now on.
func ownEntries(entries []store.InboxEntry, now time.Time) []store.InboxEntry {
	if len(entries) == 0 {
		return nil
	}
	at := store.Millis(now)
	own := make([]store.InboxEntry, len(entries))
	for i, e := range entries {
		own[i] = store.InboxEntry{ID: e.ID, From: e.From, At: at, Event: bytes.Clone(e.Event)}
	}
	return own
}

// ReadInbox implements [store.Inbox].
func (s *Store) ReadInbox(ctx context.Context, id string, limit int) ([]store.InboxEntry, error) {
	var entries []store.InboxEntry
	err := s.read(ctx, id, limit, func(r *record, limit int) { entries = copyEntries(r.inbox, limit) })
	return entries, store.OpError("read inbox", id, err)
}

// read runs get on a record that is addressed, with the limit that applies.
func (s *Store) read(ctx context.Context, id string, limit int, get func(r *record, limit int)) error {
	if err := s.beginOn(ctx, id); err != nil {
		return err
	}
	limit, err := store.CheckLimit(limit, s.opts.Limits.PollEntries, store.MaxPerWrite)
	if err != nil {
		return err
	}
	sh, err := s.lock("find", id)
	if err != nil {
		return err
	}
	defer sh.mu.Unlock()
	r, err := sh.get(id)
	if err != nil {
		return err
	}
	get(r, limit)
	return nil
}

// DeferInbox implements [store.Inbox].
func (s *Store) DeferInbox(ctx context.Context, id string, version int64, until time.Time) error {
	err := s.beginOn(ctx, id)
	if err == nil {
		err = store.CheckTime("until", until)
	}
	if err == nil {
		err = s.change("update", id, func(r *record) {
			if r.version == version {
				r.release(instantOf(until))
			}
		})
	}
	return store.OpError("defer inbox", id, err)
}

// DropInbox implements [store.Inbox].
func (s *Store) DropInbox(ctx context.Context, id string, eventIDs []string) error {
	err := s.beginOn(ctx, id)
	if err == nil {
		err = store.CheckIDs("event ids", eventIDs)
	}
	if err == nil && len(eventIDs) > 0 {
		err = s.change("update", id, func(r *record) { r.pull(eventIDs) })
	}
	return store.OpError("drop inbox", id, err)
}

// CountTry implements [store.Inbox].
func (s *Store) CountTry(ctx context.Context, id, eventID string, n int) error {
	err := s.beginOn(ctx, id)
	if err == nil {
		err = store.CheckID("event id", eventID)
	}
	if err == nil {
		err = s.change("update", id, func(r *record) {
			if i := r.waiting(eventID); i >= 0 {
				r.inbox[i].Attempts = max(r.inbox[i].Attempts, n)
			}
		})
	}
	return store.OpError("count try", id, err)
}

// change is a command that alters a record without touching its version; an
// unknown id is no mistake.
func (s *Store) change(command, id string, alter func(r *record)) error {
	sh, err := s.lock(command, id)
	if err != nil {
		return err
	}
	defer sh.mu.Unlock()
	if r := sh.docs[id]; r != nil {
		alter(r)
		sh.refresh(r)
	}
	return nil
}
