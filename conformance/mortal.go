package main

import (
	"context"
	"sync/atomic"

	"github.com/durachart/durachart/store"
)

// mortal is the store as a process sees it that dies right after its first
// commit: the write happened, its reply is lost, and nothing works any more.
type mortal struct {
	store.Store
	died atomic.Bool
	dead chan struct{}
}

func newMortal(data store.Store) *mortal {
	return &mortal{Store: data, dead: make(chan struct{})}
}

func (m *mortal) die() error {
	if !m.died.Swap(true) {
		close(m.dead)
	}
	return store.ErrClosed
}

func (m *mortal) Create(ctx context.Context, c store.Creation) error {
	if m.died.Load() {
		return store.ErrClosed
	}
	if err := m.Store.Create(ctx, c); err != nil {
		return err
	}
	return m.die()
}

func (m *mortal) Commit(ctx context.Context, c store.Commit) error {
	if m.died.Load() {
		return store.ErrClosed
	}
	if err := m.Store.Commit(ctx, c); err != nil {
		return err
	}
	return m.die()
}

func (m *mortal) Push(ctx context.Context, p store.Push) (store.Pushed, error) {
	if m.died.Load() {
		return store.Pushed{}, store.ErrClosed
	}
	return m.Store.Push(ctx, p)
}

// Who takes over need not wait for the grace in which the committer delivers
// (D43): it is dead. So what is found by a poll is due.

func (m *mortal) PollOutbox(ctx context.Context, q store.PollQuery) ([]store.Outgoing, error) {
	return m.poll(ctx, q, m.Store.PollOutbox)
}

func (m *mortal) PollSpawns(ctx context.Context, q store.PollQuery) ([]store.Outgoing, error) {
	return m.poll(ctx, q, m.Store.PollSpawns)
}

func (m *mortal) poll(ctx context.Context, q store.PollQuery, poll func(context.Context, store.PollQuery) ([]store.Outgoing, error)) ([]store.Outgoing, error) {
	now := q.Until
	q.Until = q.Until.Add(grace)
	page, err := poll(ctx, q)
	for i := range page {
		for j := range page[i].Outbox {
			page[i].Outbox[j].At = now
		}
		for j := range page[i].Spawns {
			page[i].Spawns[j].At = now
		}
	}
	return page, err
}

// grace is that of the bounds.
var grace = store.Limits{}.WithDefaults().Grace
