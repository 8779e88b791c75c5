package memstore

import (
	"bytes"
	"context"
	"fmt"

	"github.com/durachart/durachart/store"
)

// Load implements [store.Executions].
func (s *Store) Load(ctx context.Context, id string) (store.Execution, error) {
	e, err := s.load(ctx, id)
	return e, store.OpError("load", id, err)
}

func (s *Store) load(ctx context.Context, id string) (store.Execution, error) {
	if err := s.beginOn(ctx, id); err != nil {
		return store.Execution{}, err
	}
	sh, err := s.lock("find", id)
	if err != nil {
		return store.Execution{}, err
	}
	defer sh.mu.Unlock()
	r, err := sh.get(id)
	if err != nil {
		return store.Execution{}, err
	}
	return r.execution(true), nil
}

// LoadForEvent implements [store.Executions].
func (s *Store) LoadForEvent(ctx context.Context, id string, eventIDs []string, inbox int) (store.Loaded, error) {
	l, err := s.loadForEvent(ctx, id, eventIDs, inbox)
	return l, store.OpError("load", id, err)
}

func (s *Store) loadForEvent(ctx context.Context, id string, eventIDs []string, inbox int) (store.Loaded, error) {
	if err := s.beginOn(ctx, id); err != nil {
		return store.Loaded{}, err
	}
	if err := store.CheckIDs("event ids", eventIDs); err != nil {
		return store.Loaded{}, err
	}
	if _, err := store.CheckLimit(inbox, 0, inbox); err != nil {
		return store.Loaded{}, err
	}
	sh, err := s.lock("aggregate", id)
	if err != nil {
		return store.Loaded{}, err
	}
	defer sh.mu.Unlock()
	r, err := sh.get(id)
	if err != nil {
		return store.Loaded{}, err
	}
	return store.Loaded{
		Execution: r.execution(true),
		Seen:      r.ring.seen(eventIDs),
		Inbox:     copyEntries(r.inbox, inbox),
		InboxLen:  len(r.inbox),
		OutboxLen: len(r.outbox),
		SpawnsLen: len(r.spawns),
		Size:      r.size(),
	}, nil
}

// LoadBatch implements [store.BulkCommitter].
func (s *Store) LoadBatch(ctx context.Context, ids []string, inbox int) ([]store.Loaded, []error) {
	loaded, errs := make([]store.Loaded, len(ids)), make([]error, len(ids))
	for i, id := range ids {
		loaded[i], errs[i] = s.LoadForEvent(ctx, id, nil, inbox)
	}
	return loaded, errs
}

// IsProcessed implements [store.Executions].
func (s *Store) IsProcessed(ctx context.Context, id, eventID string) (bool, error) {
	err := s.beginOn(ctx, id)
	if err == nil {
		err = store.CheckID("event id", eventID)
	}
	if err != nil {
		return false, store.OpError("is processed", id, err)
	}
	found, err := s.isProcessed("find", id, eventID)
	return found, store.OpError("is processed", id, err)
}

func (s *Store) isProcessed(command, id, eventID string) (bool, error) {
	sh, err := s.lock(command, id)
	if err != nil {
		return false, err
	}
	defer sh.mu.Unlock()
	r := sh.docs[id]
	return r != nil && r.ring.has(eventID), nil
}

// beginOn is begin for a method that names an execution.
func (s *Store) beginOn(ctx context.Context, id string) error {
	if err := s.begin(ctx); err != nil {
		return err
	}
	return store.CheckID("id", id)
}

// get returns a record that is addressed: ErrNotFound, and ErrUnsupported for a
// newer format (D13).
func (sh *shard) get(id string) (*record, error) {
	r := sh.docs[id]
	switch {
	case r == nil:
		return nil, store.ErrNotFound
	case !r.readable():
		return nil, fmt.Errorf("%w: format %d is newer than this version of the program", store.ErrUnsupported, r.format)
	}
	return r, nil
}

// copyEntries returns copies of the first n entries.
func copyEntries(entries []store.InboxEntry, n int) []store.InboxEntry {
	if n = min(n, len(entries)); n == 0 {
		return nil
	}
	own := make([]store.InboxEntry, n)
	for i := range own {
		own[i] = entries[i]
		own[i].Event = bytes.Clone(entries[i].Event)
	}
	return own
}
