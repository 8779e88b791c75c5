package memstore

import (
	"bytes"
	"context"
	"slices"

	"github.com/durachart/durachart/store"
)

// PollSpawns implements [store.Spawns].
func (s *Store) PollSpawns(ctx context.Context, q store.PollQuery) ([]store.Outgoing, error) {
	var page []store.Outgoing
	err := s.poll(ctx, dueSpawns, q, func(r *record) {
		o := r.goesOut()
		o.Spawns = copySpawns(r.spawns, s.opts.Limits.PollEntries)
		page = append(page, o)
	})
	return page, store.OpError("poll spawns", "", err)
}

// PendingSpawns implements [store.Spawns].
func (s *Store) PendingSpawns(ctx context.Context, id string, limit int) ([]store.SpawnEntry, error) {
	var entries []store.SpawnEntry
	err := s.read(ctx, id, limit, func(r *record, limit int) { entries = copySpawns(r.spawns, limit) })
	return entries, store.OpError("pending spawns", id, err)
}

func copySpawns(entries []store.SpawnEntry, n int) []store.SpawnEntry {
	if n = min(n, len(entries)); n == 0 {
		return nil
	}
	own := make([]store.SpawnEntry, n)
	for i := range own {
		own[i] = entries[i]
		own[i].Context, own[i].Event = bytes.Clone(entries[i].Context), bytes.Clone(entries[i].Event)
	}
	return own
}

// AckSpawns implements [store.Spawns].
func (s *Store) AckSpawns(ctx context.Context, acks []store.Ack) error {
	return store.OpError("ack spawns", "", s.ack(ctx, acks, func(r *record, seqs []int64) {
		r.spawns = slices.DeleteFunc(r.spawns, func(e store.SpawnEntry) bool {
			gone := slices.Contains(seqs, e.Seq)
			if gone {
				r.entriesSize -= spawnsSize(&e)
			}
			return gone
		})
	}))
}

// RetrySpawn implements [store.Spawns].
func (s *Store) RetrySpawn(ctx context.Context, retry store.Retry) error {
	at, lastError := store.Millis(retry.At), store.CutError(retry.LastError)
	return store.OpError("retry spawn", retry.ID, s.retry(ctx, &retry, func(r *record) {
		for i := range r.spawns {
			if e := &r.spawns[i]; e.Seq == retry.Seq {
				r.entriesSize += len(lastError) - len(e.LastError)
				e.At, e.Attempts, e.LastError = at, retry.Attempts, lastError
			}
		}
	}))
}
