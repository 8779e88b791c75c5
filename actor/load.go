package actor

import (
	"errors"
	"fmt"

	"github.com/durachart/durachart/execution"
	"github.com/durachart/durachart/store"
)

const (
	loadInbox = maxCommitBatch // inbox entries that a load brings along
	readInbox = 64             // inbox entries of one read
)

// errBroken reports a record that cannot be stepped here: its chart is unknown, or
// its snapshot damaged. It wraps the reason.
var errBroken = errors.New("actor: execution cannot be run here")

// ready makes the copy right as far as is known: it loads a cold execution, and
// reads the inbox of a hot one that has grown (D32).
func (t *turn) ready() error {
	a := t.a
	if a.snap == nil {
		return a.load(t)
	}
	if !a.unread {
		return nil
	}
	a.unread = false
	if a.held(a.snap) {
		return a.deferInbox()
	}
	return a.readInbox()
}

// load makes the copy from the record, in one round trip (D16), which also tells
// which of the calls are processed already.
func (a *activation) load(t *turn) error {
	l, err := a.fetch(t)
	if err != nil {
		return err
	}
	a.unread = false
	a.version, a.entered, a.parked = l.Version, l.EnteredAt, l.Parked
	a.inbox, a.more = l.Inbox, l.InboxLen > len(l.Inbox)
	a.behind = l.OutboxLen > 0 || l.SpawnsLen > 0
	a.fixed = identity{
		parentID:     l.ParentID,
		rootID:       l.RootID,
		definitionID: l.DefinitionID,
		attrs:        l.Attrs,
		priority:     l.Priority,
	}
	chart, err := a.rt.charts.get(l.DefinitionID, l.DefinitionVersion)
	if err != nil {
		return a.broken(l, err)
	}
	snap, err := execution.Decode(l.Data)
	if err != nil {
		return a.broken(l, err)
	}
	a.chart, a.snap = chart, snap
	return nil
}

// fetch asks the store, or takes the load that somebody has made already.
func (a *activation) fetch(t *turn) (store.Loaded, error) {
	if l := a.preload; l != nil {
		a.preload, a.preloaded = nil, true
		return *l, nil
	}
	ids := t.ids()
	for {
		l, err := a.rt.cfg.Store.LoadForEvent(a.rt.ctx, a.id, ids, loadInbox)
		if err == nil {
			a.preloaded = false
			a.rt.stats.loads.Add(1)
			t.seen(l.Seen)
			return l, nil
		}
		if !passing(err) {
			return l, err
		}
		if err := a.rt.waitForStore(); err != nil {
			return l, err
		}
	}
}

// broken remembers a record that cannot be stepped.
func (a *activation) broken(l store.Loaded, err error) error {
	a.unfit = &l.Execution
	return fmt.Errorf("execution %q: %w: %w", a.id, errBroken, err)
}

// readInbox reads the head of the inbox.
func (a *activation) readInbox() error {
	for {
		entries, err := a.rt.cfg.Store.ReadInbox(a.rt.ctx, a.id, readInbox)
		if err == nil {
			a.inbox, a.more, a.preloaded = entries, len(entries) == readInbox, false
			return nil
		}
		if !passing(err) {
			return err
		}
		if err := a.rt.waitForStore(); err != nil {
			return err
		}
	}
}

// ids are the event ids that a load asks for: those of the calls.
func (t *turn) ids() []string {
	ids := make([]string, 0, len(t.calls))
	for _, req := range t.calls {
		if req.kind != callTimer {
			ids = append(ids, req.ev.ID)
		}
	}
	return ids
}

// seen marks the calls whose events are processed.
func (t *turn) seen(ids []string) {
	for _, id := range ids {
		for _, req := range t.calls {
			if req.ev.ID == id {
				req.seen = true
			}
		}
	}
}
