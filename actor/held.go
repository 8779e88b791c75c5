package actor

import (
	"errors"
	"slices"
	"strings"

	"github.com/durachart/durachart/store"
)

// hold makes the events durable that wait for the end of a hold, and hides the
// inbox of the execution from the poll (D34). Calls among them are answered with
// disposition Held; timers are not armed while it is held, and fire again later.
func (t *turn) hold() error {
	a := t.a
	var push []store.InboxEntry
	any := false
	for i := range t.items {
		it := &t.items[i]
		if it.fate != held {
			continue
		}
		any = true
		switch {
		case it.req == nil, it.req.kind == callPosted: // it is in the inbox
		case it.req.kind == callTimer:
			it.req.answer(Reply{})
		default:
			push = append(push, store.InboxEntry{ID: it.ev.ID, From: it.req.from, At: t.draft.now, Event: it.ev.Encode()})
		}
	}
	if !any {
		return nil
	}
	if len(push) > 0 {
		t.answerHeld(a.push(push))
	}
	t.answerPosted()
	a.more, a.unread = false, false
	return a.deferInbox()
}

// answerHeld answers the calls whose events were pushed. On an error the first
// taken of them were.
func (t *turn) answerHeld(taken int, err error) {
	a := t.a
	for i := range t.items {
		it := &t.items[i]
		if it.fate != held || it.req == nil || it.req.kind == callPosted || it.req.kind == callTimer {
			continue
		}
		if taken--; taken >= 0 {
			it.req.answer(a.reply(a.snap, it.ev.ID, Held, a.version))
			continue
		}
		it.req.Finish(store.OpError("call", a.id, err))
	}
}

// answerPosted ends the calls that only stood for inbox entries.
func (t *turn) answerPosted() {
	for i := range t.items {
		if it := &t.items[i]; it.fate == held && it.req != nil && it.req.kind == callPosted {
			it.req.Finish(nil)
		}
	}
}

// push makes entries durable and returns how many of the first were taken.
func (a *activation) push(entries []store.InboxEntry) (int, error) {
	for {
		pushed, err := a.rt.cfg.Store.Push(a.rt.ctx, store.Push{ID: a.id, Entries: entries, Now: a.rt.clock.now()})
		if err == nil {
			return len(entries), nil
		}
		if !passing(err) {
			return pushed.Added + len(pushed.Duplicates), err
		}
		if err := a.rt.waitForStore(); err != nil {
			return 0, err
		}
	}
}

// deferInbox hides what waits in the inbox of a held execution until its hold
// ends. The version keeps a concurrent resume safe.
func (a *activation) deferInbox() error {
	for {
		err := a.rt.cfg.Store.DeferInbox(a.rt.ctx, a.id, a.version, store.FarFuture)
		if !passing(err) {
			return err
		}
		if err := a.rt.waitForStore(); err != nil {
			return err
		}
	}
}

// leaveOver puts what came after the end of the execution into the dead letters,
// and then takes it out of the inbox (D35). Calls are answered with ErrEnded; the
// runtime's own events mean nothing any more.
func (t *turn) leaveOver() error {
	a := t.a
	var letters []store.DeadLetter
	var ids []string
	for i := range t.items {
		it := &t.items[i]
		if it.fate != late {
			continue
		}
		own := strings.HasPrefix(it.ev.Name, "$")
		switch {
		case it.entry != nil:
			ids = append(ids, it.entry.ID)
			if !own {
				letters = append(letters, a.leftover(it.entry))
			}
		case it.req.kind == callPosted: // its entry is in the inbox
			a.unread = true
			it.req.Finish(nil)
		case own, it.req.kind == callTimer:
			it.req.answer(Reply{})
		default:
			it.req.Finish(store.OpError("call", a.id, store.ErrEnded))
		}
	}
	if len(letters) > 0 {
		if err := a.rt.putLetters(letters); err != nil {
			return err
		}
	}
	return a.dropEntries(ids)
}

// leftover is the dead letter of an inbox entry.
func (a *activation) leftover(e *store.InboxEntry) store.DeadLetter {
	return store.DeadLetter{
		ID:           store.DeadLetterID(store.LetterInbox, a.id, e.ID),
		Kind:         store.LetterInbox,
		ExecutionID:  a.id,
		TargetID:     a.id,
		DefinitionID: a.fixed.definitionID,
		EventID:      e.ID,
		Event:        e.Event,
		From:         e.From,
		Reason:       reasonEnded,
		Attempts:     e.Attempts,
		At:           a.rt.clock.now(),
	}
}

// reasonEnded is the reason of a letter whose target has ended.
const reasonEnded = "ended"

// dropEntries takes entries out of the inbox that are in the dead letters, stale
// or processed.
func (a *activation) dropEntries(ids []string) error {
	for len(ids) > 0 {
		err := a.rt.cfg.Store.DropInbox(a.rt.ctx, a.id, ids)
		if err == nil || errors.Is(err, store.ErrNotFound) {
			break
		}
		if !passing(err) {
			return err
		}
		if err := a.rt.waitForStore(); err != nil {
			return err
		}
	}
	return nil
}

// dropSeen takes those of ids out of the inbox that are in it.
func (a *activation) dropSeen(ids []string) error {
	var in []string
	kept := a.inbox[:0:0]
	for _, e := range a.inbox {
		if slices.Contains(ids, e.ID) {
			in = append(in, e.ID)
			continue
		}
		kept = append(kept, e)
	}
	if len(in) == 0 {
		return nil
	}
	a.inbox = kept
	return a.dropEntries(in)
}
