package memstore

import (
	"bytes"
	"context"
	"slices"

	"github.com/durachart/durachart/store"
)

// PollOutbox implements [store.Outbox].
func (s *Store) PollOutbox(ctx context.Context, q store.PollQuery) ([]store.Outgoing, error) {
	var page []store.Outgoing
	err := s.poll(ctx, dueOutbox, q, func(r *record) {
		o := r.goesOut()
		o.Outbox = copyOutbox(r.outbox, s.opts.Limits.PollEntries)
		page = append(page, o)
	})
	return page, store.OpError("poll outbox", "", err)
}

func (r *record) goesOut() store.Outgoing {
	return store.Outgoing{Waiting: r.waits(), RootID: r.rootID, DefinitionID: r.definitionID}
}

// PendingOutbox implements [store.Outbox].
func (s *Store) PendingOutbox(ctx context.Context, id string, limit int) ([]store.OutboxEntry, error) {
	var entries []store.OutboxEntry
	err := s.read(ctx, id, limit, func(r *record, limit int) { entries = copyOutbox(r.outbox, limit) })
	return entries, store.OpError("pending outbox", id, err)
}

func copyOutbox(entries []store.OutboxEntry, n int) []store.OutboxEntry {
	if n = min(n, len(entries)); n == 0 {
		return nil
	}
	own := make([]store.OutboxEntry, n)
	for i := range own {
		own[i] = entries[i]
		own[i].Event = bytes.Clone(entries[i].Event)
	}
	return own
}

// AckOutbox implements [store.Outbox].
func (s *Store) AckOutbox(ctx context.Context, acks []store.Ack) error {
	return store.OpError("ack outbox", "", s.ack(ctx, acks, func(r *record, seqs []int64) {
		r.outbox = slices.DeleteFunc(r.outbox, func(e store.OutboxEntry) bool {
			gone := slices.Contains(seqs, e.Seq)
			if gone {
				r.entriesSize -= outboxSize(&e)
			}
			return gone
		})
	}))
}

// ack is one command per execution, by id and seq (D46).
func (s *Store) ack(ctx context.Context, acks []store.Ack, remove func(r *record, seqs []int64)) error {
	if err := s.begin(ctx); err != nil {
		return err
	}
	if err := store.CheckAcks(acks); err != nil {
		return err
	}
	for i := range acks {
		if len(acks[i].Seqs) == 0 {
			continue
		}
		if err := s.change("update", acks[i].ID, func(r *record) { remove(r, acks[i].Seqs) }); err != nil {
			return err
		}
	}
	return nil
}

// RetryOutbox implements [store.Outbox].
func (s *Store) RetryOutbox(ctx context.Context, retry store.Retry) error {
	at, lastError := store.Millis(retry.At), store.CutError(retry.LastError)
	return store.OpError("retry outbox", retry.ID, s.retry(ctx, &retry, func(r *record) {
		first := slices.IndexFunc(r.outbox, func(e store.OutboxEntry) bool { return e.Seq == retry.Seq })
		if first < 0 {
			return // acked meanwhile
		}
		e := &r.outbox[first]
		r.entriesSize += len(lastError) - len(e.LastError)
		e.At, e.Attempts, e.LastError = at, retry.Attempts, lastError
		for i := range r.outbox {
			if e := &r.outbox[i]; e.Seq > retry.Seq && e.TargetID == retry.TargetID {
				e.At = at
			}
		}
	}))
}

func (s *Store) retry(ctx context.Context, retry *store.Retry, mark func(r *record)) error {
	if err := s.begin(ctx); err != nil {
		return err
	}
	if err := store.CheckRetry(retry); err != nil {
		return err
	}
	return s.change("update", retry.ID, mark)
}
