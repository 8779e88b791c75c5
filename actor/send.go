package actor

import (
	"context"
	"errors"

	"github.com/durachart/durachart/execution"
	"github.com/durachart/durachart/store"
)

// Send makes ev durable in the inbox of the execution and returns its event id.
// It is applied soon after. An event id that was sent before is success and adds
// nothing.
//
// ErrNotFound, ErrEnded, ErrInvalidEvent, ErrBackpressure, ErrTooLarge,
// ErrUncertain: repeat it with the same event id; the id is returned beside the
// error too.
func (r *Runtime) Send(ctx context.Context, id string, ev Event) (eventID string, err error) {
	e, err := r.event(id, ev)
	if err != nil {
		return ev.ID, err
	}
	if err := r.enter(ctx); err != nil {
		return e.ID, err
	}
	return e.ID, r.push(ctx, id, e, ev.From)
}

// push makes e durable and then, before the sender goes on, tells the activation
// of the execution, so that nothing later of this sender overtakes it (D32).
func (r *Runtime) push(ctx context.Context, id string, e execution.Event, from string) error {
	before := r.gate.Incarnation(id)
	if err := r.store(ctx, id, e, from); err != nil {
		return err
	}
	if !r.shards.owns(id) {
		return nil // its owner finds it by its poll, or by a hint
	}
	if before != 0 {
		req := newRequest(callPosted, e)
		if r.gate.PostTo(id, before, &req.Call) {
			return nil
		}
	}
	// The activation is younger than the push, or has no room: it reads the inbox.
	_ = r.gate.Wake(id) // a closed gate: the next owner finds it
	return nil
}

// store pushes e, and waits while the store does not answer.
func (r *Runtime) store(ctx context.Context, id string, e execution.Event, from string) error {
	now := r.clock.now()
	p := store.Push{ID: id, Now: now, Entries: []store.InboxEntry{{ID: e.ID, From: from, At: now, Event: e.Encode()}}}
	for {
		_, err := r.cfg.Store.Push(ctx, p)
		if !passing(err) {
			return err
		}
		if werr := r.prober.wait(ctx); werr != nil {
			if errors.Is(werr, errStopped) {
				return ErrDraining
			}
			return werr
		}
	}
}
