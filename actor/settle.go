package actor

import (
	"errors"
	"fmt"

	"github.com/durachart/durachart/actor/internal/gate"
	"github.com/durachart/durachart/store"
)

// settle answers the calls of the turn by what became of them, drops from the
// copy of the inbox what is handled, and says how the entry goes on.
func (t *turn) settle() gate.Next {
	a := t.a
	var pause *item
	for i := range t.items {
		it := &t.items[i]
		switch it.fate {
		case stepped:
			t.done(it, it.reply)
		case known:
			t.done(it, a.current(it.ev.ID))
		case void:
			t.done(it, Reply{})
		case failing:
			pause = it
		}
	}
	if err := t.hold(); err != nil {
		return t.refuse(err)
	}
	if err := t.leaveOver(); err != nil {
		return t.refuse(err)
	}
	a.trim(t)
	if pause != nil {
		return t.troubled(pause)
	}
	return a.onward(t.unanswered())
}

// done answers the call of an item, if it has one.
func (t *turn) done(it *item, reply Reply) {
	if it.req != nil {
		it.req.answer(reply)
	}
}

// trim drops the handled head of the inbox from the copy; what is behind it is
// still in order.
func (a *activation) trim(t *turn) {
	n := 0
	for n < len(a.inbox) && t.items[n].fate != undecided && t.items[n].fate != failing {
		if t.items[n].fate == stepped && !a.preloaded && len(a.recent) < maxRecent {
			a.recent = append(a.recent, t.items[n].ev.ID)
		}
		n++
	}
	if n == len(a.inbox) {
		a.inbox = nil
		a.unread = a.unread || a.more
		a.more = false
		return
	}
	a.inbox = a.inbox[n:]
}

// maxRecent bounds activation.recent. What it forgets a commit finds out.
const maxRecent = 256

// onward is how the entry goes on after a turn without trouble.
func (a *activation) onward(back []*gate.Call) gate.Next {
	return gate.Next{
		Back:  back,
		Again: len(a.inbox) > 0 || a.unread,
		Leave: a.snap == nil || a.snap.Ended() || !a.rt.shards.owns(a.id),
	}
}

// current is the reply for an event whose outcome is not known any more.
func (a *activation) current(eventID string) Reply {
	return a.reply(a.snap, eventID, Known, a.version)
}

// refuse answers every call with err; timers of an execution that is gone are
// gone with it. What is in the inbox stays there. The copy is dropped: it may not
// be right any more.
func (t *turn) refuse(err error) gate.Next {
	a := t.a
	if errors.Is(err, errBroken) {
		return t.unfit(err)
	}
	if cause := a.rt.stopping(); cause != nil {
		err = fmt.Errorf("call %q: %w", a.id, ErrDraining)
	}
	for _, req := range t.calls {
		if req.kind == callTimer && errors.Is(err, store.ErrNotFound) {
			req.Finish(nil)
			continue
		}
		req.Finish(err)
	}
	a.drop()
	return gate.Next{Leave: true}
}
