package actor

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/durachart/durachart/execution"
	"github.com/durachart/durachart/store"
)

// Call applies ev and returns the outcome of its step, after the commit. On a
// held execution it makes ev durable and returns disposition Held. For an event
// id that was applied before it returns the current state with disposition Known.
//
// ErrNotFound, ErrEnded, ErrInvalidEvent, ErrMailboxFull, ErrTooLarge. When ctx
// ends: its bare error if ev was certainly not applied, else ErrUncertain:
// repeat the call with the same event id, which is in Reply.EventID beside the
// error.
func (r *Runtime) Call(ctx context.Context, id string, ev Event) (Reply, error) {
	e, err := r.event(id, ev)
	if err != nil {
		return Reply{ID: id, EventID: ev.ID}, err
	}
	if err := r.enter(ctx); err != nil {
		return Reply{ID: id, EventID: e.ID}, err
	}
	if !r.shards.owns(id) {
		return r.callRemote(ctx, id, e)
	}
	req := newRequest(callEvent, e)
	req.from = ev.From
	return r.do(ctx, id, req)
}

// event checks what a caller sends.
func (r *Runtime) event(id string, ev Event) (execution.Event, error) {
	if err := checkTarget(id); err != nil {
		return execution.Event{}, err
	}
	eventID, err := givenOrNew("event id", ev.ID)
	if err != nil {
		return execution.Event{}, err
	}
	if ev.From != "" {
		if err := checkText("origin", ev.From, maxDerivedID); err != nil {
			return execution.Event{}, err
		}
	}
	e, err := execution.NewEvent(eventID, ev.Name, ev.Data)
	if err != nil {
		return execution.Event{}, err
	}
	e.Origin = ev.From
	if most := r.limits.EventBytes; len(e.Data) > most {
		return execution.Event{}, fmt.Errorf("%w: event data has %d bytes, at most %d", ErrTooLarge, len(e.Data), most)
	}
	return e, nil
}

// remoteCall begins the origin label of an inbox entry whose sender waits for it in
// another process (D68).
const remoteCall = "call:"

func isRemoteCall(from string) bool { return strings.HasPrefix(from, remoteCall) }

// callRemote is Call for an execution that another process runs: through the
// inbox, and then looking until the event is applied.
func (r *Runtime) callRemote(ctx context.Context, id string, e execution.Event) (Reply, error) {
	reply := Reply{ID: id, EventID: e.ID}
	if err := r.push(ctx, id, e, remoteCall+r.owner); err != nil {
		return reply, err
	}
	changes, stop := r.watchers.watch(id)
	defer stop()
	for pause := 5 * time.Millisecond; ; pause = min(2*pause, r.cfg.PollMax) {
		l, err := r.cfg.Store.LoadForEvent(ctx, id, []string{e.ID}, 0)
		switch {
		case err == nil && len(l.Seen) > 0:
			return r.remoteReply(reply, &l, Known)
		case err == nil && (l.Status == StatusSuspended || l.Parked != nil):
			return r.remoteReply(reply, &l, Held)
		case err != nil && !passing(err):
			return reply, r.uncertain(ctx, id, err)
		}
		t := time.NewTimer(pause)
		select {
		case <-changes:
		case <-t.C:
		case <-ctx.Done():
			t.Stop()
			return reply, r.uncertain(ctx, id, context.Cause(ctx))
		}
		t.Stop()
	}
}

// uncertain is the error of a call whose event is in the inbox, and whose fate the
// caller does not hear.
func (r *Runtime) uncertain(ctx context.Context, id string, err error) error {
	if errors.Is(err, store.ErrNotFound) && ctx.Err() == nil {
		return err
	}
	return &store.UncertainError{ID: id, Cause: err}
}

func (r *Runtime) remoteReply(reply Reply, l *store.Loaded, what Disposition) (Reply, error) {
	e, err := r.view(&l.Execution)
	if err != nil {
		return reply, err
	}
	reply.Disposition, reply.Status, reply.Outcome = what, e.Status, e.Outcome
	reply.Active, reply.Error, reply.Revision = e.Active, e.Error, e.Revision
	reply.Output, reply.context = e.Output, e.Context
	return reply, nil
}
