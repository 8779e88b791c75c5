package actor

import (
	"context"
	"sync"
	"time"

	"github.com/durachart/durachart/store"
	"github.com/durachart/durachart/store/memstore"
)

// faulty is a memory store that misbehaves as a script says. A fault is met by the
// methods below; the others reach the store as they are.
type faulty struct {
	*memstore.Store

	mu     sync.Mutex
	before func(method, id string) error // what it returns is returned, and nothing happens
	after  func(method, id string) error // what it returns is returned, although it happened
}

func (f *faulty) script(before, after func(method, id string) error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.before, f.after = before, after
}

// around runs do between the two faults.
func (f *faulty) around(method, id string, do func() error) error {
	f.mu.Lock()
	before, after := f.before, f.after
	f.mu.Unlock()
	if before != nil {
		if err := before(method, id); err != nil {
			return err
		}
	}
	err := do()
	if err == nil && after != nil {
		err = after(method, id)
	}
	return err
}

func (f *faulty) Ready(ctx context.Context) (info store.Info, err error) {
	err = f.around("ready", "", func() error { info, err = f.Store.Ready(ctx); return err })
	return info, err
}

func (f *faulty) Create(ctx context.Context, c store.Creation) error {
	return f.around("create", c.ID, func() error { return f.Store.Create(ctx, c) })
}

func (f *faulty) Commit(ctx context.Context, c store.Commit) error {
	return f.around("commit", c.ID, func() error { return f.Store.Commit(ctx, c) })
}

func (f *faulty) Load(ctx context.Context, id string) (e store.Execution, err error) {
	err = f.around("load", id, func() error { e, err = f.Store.Load(ctx, id); return err })
	return e, err
}

func (f *faulty) LoadForEvent(ctx context.Context, id string, ids []string, n int) (l store.Loaded, err error) {
	err = f.around("load", id, func() error { l, err = f.Store.LoadForEvent(ctx, id, ids, n); return err })
	return l, err
}

func (f *faulty) LoadBatch(ctx context.Context, ids []string, n int) ([]store.Loaded, []error) {
	loaded, errs := f.Store.LoadBatch(ctx, ids, n)
	for i, id := range ids {
		errs[i] = f.around("load", id, func() error { return errs[i] })
	}
	return loaded, errs
}

func (f *faulty) Push(ctx context.Context, p store.Push) (pushed store.Pushed, err error) {
	err = f.around("push", p.ID, func() error { pushed, err = f.Store.Push(ctx, p); return err })
	return pushed, err
}

func (f *faulty) PushBatch(ctx context.Context, ps []store.Push) ([]store.Pushed, []error) {
	pushed, errs := make([]store.Pushed, len(ps)), make([]error, len(ps))
	for i, p := range ps {
		pushed[i], errs[i] = f.Push(ctx, p)
	}
	return pushed, errs
}

func (f *faulty) CreateBatch(ctx context.Context, cs []store.Creation) []error {
	errs := make([]error, len(cs))
	for i, c := range cs {
		errs[i] = f.Create(ctx, c)
	}
	return errs
}

func (f *faulty) ReadInbox(ctx context.Context, id string, limit int) (entries []store.InboxEntry, err error) {
	err = f.around("read inbox", id, func() error { entries, err = f.Store.ReadInbox(ctx, id, limit); return err })
	return entries, err
}

func (f *faulty) PollInbox(ctx context.Context, q store.PollQuery) (page []store.Waiting, err error) {
	err = f.around("poll", "", func() error { page, err = f.Store.PollInbox(ctx, q); return err })
	return page, err
}

func (f *faulty) PollOutbox(ctx context.Context, q store.PollQuery) (page []store.Outgoing, err error) {
	err = f.around("poll", "", func() error { page, err = f.Store.PollOutbox(ctx, q); return err })
	return page, err
}

func (f *faulty) PollSpawns(ctx context.Context, q store.PollQuery) (page []store.Outgoing, err error) {
	err = f.around("poll", "", func() error { page, err = f.Store.PollSpawns(ctx, q); return err })
	return page, err
}

func (f *faulty) DueTimers(ctx context.Context, q store.PollQuery) (due []store.DueTimer, err error) {
	err = f.around("poll", "", func() error { due, err = f.Store.DueTimers(ctx, q); return err })
	return due, err
}

func (f *faulty) CountTry(ctx context.Context, id, eventID string, n int) error {
	return f.around("count try", id, func() error { return f.Store.CountTry(ctx, id, eventID, n) })
}

func (f *faulty) DeferInbox(ctx context.Context, id string, version int64, until time.Time) error {
	return f.around("defer", id, func() error { return f.Store.DeferInbox(ctx, id, version, until) })
}

func (f *faulty) PutDeadLetters(ctx context.Context, letters []store.DeadLetter) error {
	return f.around("letters", "", func() error { return f.Store.PutDeadLetters(ctx, letters) })
}

func (f *faulty) DropInbox(ctx context.Context, id string, ids []string) error {
	return f.around("drop", id, func() error { return f.Store.DropInbox(ctx, id, ids) })
}

func (f *faulty) AckOutbox(ctx context.Context, acks []store.Ack) error {
	return f.around("ack", acks[0].ID, func() error { return f.Store.AckOutbox(ctx, acks) })
}
