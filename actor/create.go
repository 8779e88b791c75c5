package actor

import (
	"errors"

	"github.com/durachart/durachart/actor/internal/gate"
	"github.com/durachart/durachart/execution"
	"github.com/durachart/durachart/statechart"
	"github.com/durachart/durachart/store"
)

// birth is an execution that is to be created by a caller.
type birth struct {
	chart     *statechart.Chart
	snap      *execution.Snapshot // PENDING
	requestID string
	attrs     map[string]store.Attr
	first     *store.InboxEntry // goes into the inbox with it, or nil
}

// create carries out a start: the first step, then one insert of the record with
// that step done (D14). Other calls wait for another turn.
func (a *activation) create(req *request, others []*gate.Call) gate.Next {
	next := gate.Next{Back: others}
	if !req.Claim() {
		return next
	}
	reply, err := a.born(req)
	var retry *execution.RetryError
	switch {
	case err == nil:
		req.answer(reply)
		next.Again = a.unread || len(a.inbox) > 0
	case errors.As(err, &retry):
		count(&a.troubled().attempts, req.ev.ID)
		req.Unclaim()
		next.Back = append([]*gate.Call{&req.Call}, others...)
		next.Pause = backoff(retry.Delay(), 1, retry.Delay())
	default:
		if a.rt.stopping() != nil && store.OutcomeOf(err) != store.NotKnown {
			err = ErrDraining
		}
		req.Finish(store.OpError("start", a.id, err))
		next.Leave = a.snap == nil
	}
	return next
}

// born creates the record, or finds that it is there.
func (a *activation) born(req *request) (Reply, error) {
	b := req.start
	if a.snap != nil { // it is there: no step is run for nothing
		processed, err := a.rt.cfg.Store.IsProcessed(a.rt.ctx, a.id, b.requestID)
		if err != nil {
			return Reply{}, err
		}
		return a.existing(req, processed)
	}
	d := draft{now: store.Millis(a.rt.clock.now()), snap: b.snap}
	a.chart, a.version = b.chart, 0
	res, err := a.step(b.snap, req.ev, d.now)
	if err != nil {
		return Reply{}, err
	}
	a.fixed = identity{rootID: a.id, definitionID: b.chart.Name(), attrs: b.attrs, priority: b.snap.Priority}
	a.add(&d, req.ev.ID, &res)
	d.entered = d.now
	err = a.insert(b, &d)
	var exists *store.ExistsError
	switch {
	case errors.As(err, &exists):
		a.drop()
		return a.existing(req, exists.SameStart)
	case err != nil:
		a.drop()
		return Reply{}, err
	}
	if b.first != nil {
		a.inbox = []store.InboxEntry{*b.first}
	}
	a.adopt(&d)
	return a.reply(a.snap, req.ev.ID, res.Disposition, a.version), nil
}

// insert writes the record. An uncertain insert is sent again: if the first one
// did happen, the second finds that the execution was made by this very request.
func (a *activation) insert(b *birth, d *draft) error {
	c := store.Creation{
		Snapshot:     a.record(d),
		ID:           a.id,
		DefinitionID: a.fixed.definitionID,
		RootID:       a.id,
		RequestID:    b.requestID,
		StartID:      d.handled[0],
		Priority:     a.fixed.priority,
		Emits:        d.emits,
		Spawns:       d.spawns,
		Trace:        d.trace,
		Now:          d.now,
	}
	if b.first != nil {
		c.Inbox = []store.InboxEntry{*b.first}
	}
	for {
		err := a.rt.cfg.Store.Create(a.rt.ctx, c)
		if !passing(err) && !errors.Is(err, store.ErrUncertain) {
			return err
		}
		if werr := a.rt.waitForStore(); werr != nil {
			return errors.Join(err, werr)
		}
	}
}

// existing answers a start of an execution that is there: with its state if this
// very request made it, else with ErrExists.
func (a *activation) existing(req *request, same bool) (Reply, error) {
	if !same {
		return Reply{}, &store.ExistsError{ID: a.id}
	}
	if a.snap == nil {
		t := a.rt.newTurn(a, nil)
		defer t.free()
		if err := a.load(t); err != nil {
			return Reply{}, err
		}
	}
	return a.current(req.ev.ID), nil
}
