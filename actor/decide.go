package actor

import (
	"fmt"
	"runtime/debug"
	"slices"
	"time"

	"github.com/durachart/durachart/execution"
	"github.com/durachart/durachart/internal/logkey"
	"github.com/durachart/durachart/store"
)

// begin starts a draft from the copy.
func (a *activation) begin(d *draft) {
	clear(d.handled)
	*d = draft{
		now:     store.Millis(a.rt.clock.now()),
		snap:    a.snap,
		entered: a.entered,
		parked:  a.parked,
		handled: d.handled[:0],
		trace:   d.trace[:0],
		data:    d.data,
	}
}

// decide steps the items one after another, until there are enough for a commit.
// Items behind a step that ends or holds the execution meet that status; what
// becomes of them is done after the commit.
func (t *turn) decide() {
	d := &t.draft
	t.a.begin(d)
	for i := range t.items {
		if len(d.handled) == t.limit || len(d.emits)+len(d.spawns) >= maxDraft {
			return
		}
		it := &t.items[i]
		it.fate = t.judge(i)
		if it.fate == failing {
			return
		}
	}
}

// maxDraft is the number of entries and spawns from which a draft is full enough:
// half of what an outbox may hold by default (D23).
const maxDraft = 128

// judge decides one item, by stepping it if it is to be stepped.
func (t *turn) judge(i int) fate {
	a, d, it := t.a, &t.draft, &t.items[i]
	if it.req != nil && !it.req.Claim() {
		return gone
	}
	if it.req != nil && (it.req.seen || slices.Contains(a.recent, it.ev.ID)) {
		return known
	}
	if it.entry != nil {
		ev, err := execution.DecodeEvent(it.entry.Event)
		if err != nil {
			it.err = err
			return failing
		}
		it.ev = ev
	}
	if it.req != nil && it.req.kind == callTimer {
		if it.ev = a.timerEvent(d.snap, it.req.timer); it.ev.ID == "" {
			return void
		}
	}
	if slices.Contains(d.handled, it.ev.ID) {
		return t.twin(i)
	}
	switch {
	case d.snap.Ended():
		return late
	case d.parked != nil:
		return held
	}
	if err := a.countTry(it); err != nil {
		it.err = err
		return failing
	}
	return t.step(it)
}

// twin gives the item the reply of the one with the same id that was stepped
// before it: a call whose event is in the inbox as well.
func (t *turn) twin(i int) fate {
	for j := range t.items[:i] {
		if t.items[j].fate == stepped && t.items[j].ev.ID == t.items[i].ev.ID {
			t.items[i].reply = t.items[j].reply
		}
	}
	return stepped
}

// asked reports whether a call of the turn is for that event.
func (t *turn) asked(eventID string) bool {
	return slices.ContainsFunc(t.calls, func(r *request) bool { return r.ev.ID == eventID })
}

// step adds the step of an item to the draft.
func (t *turn) step(it *item) fate {
	a, d := t.a, &t.draft
	res, err := a.step(d.snap, it.ev, d.now)
	if err != nil {
		it.err = err
		return failing
	}
	if res.Disposition == execution.Held {
		return held
	}
	a.add(d, it.ev.ID, &res)
	if it.entry != nil && isRemoteCall(it.entry.From) {
		d.wake = true
	}
	if it.req != nil || t.asked(it.ev.ID) {
		it.reply = a.reply(d.snap, it.ev.ID, res.Disposition, a.version+1)
	}
	return stepped
}

// step is [execution.Step]. A panic in it, not of a handler, is a mistake of the
// interpreter: the event cannot be applied, others go on.
func (a *activation) step(s *execution.Snapshot, ev execution.Event, now time.Time) (res execution.Result, err error) {
	defer func() {
		if p := recover(); p != nil {
			a.rt.log.Error("step panicked", logkey.Execution, a.id, logkey.Event, ev.ID,
				logkey.Error, fmt.Sprint(p), logkey.Stack, string(debug.Stack()))
			err = fmt.Errorf("step: panic: %v", p)
		}
	}()
	return execution.Step(a.chart, s, ev, now, a.host(ev.ID))
}

// add adds the step of an event to the draft.
func (a *activation) add(d *draft, eventID string, res *execution.Result) {
	d.emits, d.spawns = outgoing(a.id, res.Effects, d.emits, d.spawns)
	d.handled = append(d.handled, eventID)
	if a.rt.cfg.Trace {
		d.trace = append(d.trace, traceStep(d.now, res))
	}
	if res.Snapshot == d.snap {
		return
	}
	if !slices.Equal(d.snap.Configuration, res.Snapshot.Configuration) {
		d.entered = d.now
	}
	d.snap = res.Snapshot
	if d.snap.Status == execution.Failed && !d.snap.Ended() {
		d.parked = &store.Parked{EventID: eventID, Reason: execution.ReasonStepFailed, Error: store.CutError(d.snap.Error), Attempts: 1, At: d.now}
	}
}

// timerEvent is the event of a due timer (D54), or one without id if the snapshot
// has no such timer that is due then.
func (a *activation) timerEvent(s *execution.Snapshot, due *store.DueTimer) execution.Event {
	for _, t := range s.Armed() {
		if t.Name == due.Name && t.At == due.Due.UnixMilli() {
			return execution.TimerEvent(a.id, t.Name, t.Entry)
		}
	}
	return execution.Event{}
}

// host is what a step may ask. Attempts are of transient errors (S44).
func (a *activation) host(eventID string) *execution.Host {
	attempt := a.trouble.attempted(eventID)
	if attempt == 0 {
		return &a.rt.host
	}
	h := a.rt.host
	h.Attempt = attempt
	return &h
}

// reply is what a caller hears of an event, from a snapshot at a version.
func (a *activation) reply(s *execution.Snapshot, eventID string, what Disposition, version int64) Reply {
	return Reply{
		ID:          a.id,
		EventID:     eventID,
		Disposition: what,
		Status:      Status(s.Status),
		Outcome:     s.Outcome,
		Active:      slices.Clone(s.Configuration),
		Error:       s.Error,
		Revision:    version,
		Output:      a.output(s),
		context:     s.Context,
	}
}
