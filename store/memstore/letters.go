package memstore

import (
	"bytes"
	"context"
	"sync"
	"time"

	"github.com/durachart/durachart/store"
)

// letterTable holds the dead letters by id.
type letterTable struct {
	mu   sync.Mutex
	byID map[string]store.DeadLetter
}

func (s *Store) lockLetters(command string) error {
	s.command(command, "")
	s.data.letters.mu.Lock()
	if s.closed.Load() {
		s.data.letters.mu.Unlock()
		return store.ErrClosed
	}
	return nil
}

// PutDeadLetters implements [store.DeadLetters].
func (s *Store) PutDeadLetters(ctx context.Context, letters []store.DeadLetter) error {
	return store.OpError("put dead letters", "", s.putLetters(ctx, letters))
}

func (s *Store) putLetters(ctx context.Context, letters []store.DeadLetter) error {
	if err := s.begin(ctx); err != nil {
		return err
	}
	own := make([]store.DeadLetter, len(letters))
	for i := range letters {
		own[i] = copyLetter(letters[i])
		if err := s.opts.Limits.CheckLetter(&own[i]); err != nil {
			return err
		}
		own[i].Put = newCommitID().String()
		own[i].Error = store.CutError(own[i].Error)
		own[i].At = store.Millis(own[i].At)
	}
	if len(own) == 0 {
		return nil
	}
	if err := s.lockLetters("update"); err != nil {
		return err
	}
	defer s.data.letters.mu.Unlock()
	if s.data.letters.byID == nil {
		s.data.letters.byID = make(map[string]store.DeadLetter)
	}
	for i := range own {
		s.data.letters.byID[own[i].ID] = own[i]
	}
	return nil
}

func copyLetter(d store.DeadLetter) store.DeadLetter {
	d.Event, d.Spawn = bytes.Clone(d.Event), bytes.Clone(d.Spawn)
	return d
}

// GetDeadLetter implements [store.DeadLetters].
func (s *Store) GetDeadLetter(ctx context.Context, id string) (store.DeadLetter, error) {
	d, err := s.getLetter(ctx, id)
	return d, store.OpError("get dead letter", id, err)
}

func (s *Store) getLetter(ctx context.Context, id string) (store.DeadLetter, error) {
	if err := s.begin(ctx); err != nil {
		return store.DeadLetter{}, err
	}
	if err := store.CheckLetterID(id); err != nil {
		return store.DeadLetter{}, err
	}
	if err := s.lockLetters("find"); err != nil {
		return store.DeadLetter{}, err
	}
	defer s.data.letters.mu.Unlock()
	d, there := s.data.letters.byID[id]
	if !there {
		return store.DeadLetter{}, store.ErrNotFound
	}
	return copyLetter(d), nil
}

// ListDeadLetters implements [store.DeadLetters].
func (s *Store) ListDeadLetters(ctx context.Context, f store.DeadLetterFilter, p store.Page) (store.DeadLetterPage, error) {
	page, err := s.listLetters(ctx, f, p)
	return page, store.OpError("list dead letters", "", err)
}

func (s *Store) listLetters(ctx context.Context, f store.DeadLetterFilter, p store.Page) (store.DeadLetterPage, error) {
	if err := s.begin(ctx); err != nil {
		return store.DeadLetterPage{}, err
	}
	after, err := s.opts.Limits.CheckLetterList(&f, &p, "")
	if err != nil {
		return store.DeadLetterPage{}, err
	}
	if err := s.lockLetters("find"); err != nil {
		return store.DeadLetterPage{}, err
	}
	defer s.data.letters.mu.Unlock()
	first := best[rowKey]{limit: p.Limit + 1, less: newestFirst}
	for id, d := range s.data.letters.byID {
		key := rowKey{at: instantOf(d.At), id: id}
		if (after == nil || newestFirst(rowKey{instantOf(after.At), after.ID}, key)) && letterMatches(&f, &d) && first.wants(key) {
			first.offer(key)
		}
	}
	keys := first.sorted()
	var page store.DeadLetterPage
	for _, key := range keys[:min(p.Limit, len(keys))] {
		page.Items = append(page.Items, copyLetter(s.data.letters.byID[key.id]))
	}
	if len(keys) > p.Limit {
		last := keys[p.Limit-1]
		page.Next = store.DeadLetterScope(f, "").Encode(store.CursorKey{At: last.at.time(), ID: last.id})
	}
	return page, nil
}

func letterMatches(f *store.DeadLetterFilter, d *store.DeadLetter) bool {
	return equalIfSet(f.ExecutionID, d.ExecutionID) && equalIfSet(f.Kind, d.Kind) && equalIfSet(f.Reason, d.Reason)
}

// RemoveDeadLetter implements [store.DeadLetters].
func (s *Store) RemoveDeadLetter(ctx context.Context, id, put string) (bool, error) {
	removed, err := s.removeLetter(ctx, id, put)
	return removed, store.OpError("remove dead letter", id, err)
}

func (s *Store) removeLetter(ctx context.Context, id, put string) (bool, error) {
	if err := s.begin(ctx); err != nil {
		return false, err
	}
	if err := store.CheckLetterID(id); err != nil {
		return false, err
	}
	if err := s.lockLetters("delete"); err != nil {
		return false, err
	}
	defer s.data.letters.mu.Unlock()
	if d, there := s.data.letters.byID[id]; !there || d.Put != put {
		return false, nil
	}
	delete(s.data.letters.byID, id)
	return true, nil
}

// expireLetters drops the letters that are over their retention, where there is
// one. On a server an index does it.
func (s *Store) expireLetters(now time.Time) error {
	retention := s.opts.Limits.DeadLetterRetention
	if retention == 0 {
		return nil
	}
	if err := s.lockLetters("delete"); err != nil {
		return err
	}
	defer s.data.letters.mu.Unlock()
	for id, d := range s.data.letters.byID {
		if !d.At.Add(retention).After(now) {
			delete(s.data.letters.byID, id)
		}
	}
	return nil
}
