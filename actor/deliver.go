package actor

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/durachart/durachart/execution"
	"github.com/durachart/durachart/relay"
	"github.com/durachart/durachart/store"
	"github.com/durachart/durachart/timer"
)

// target implements [relay.Target] and [timer.Target]: what the relay delivers and
// the timers fire are calls of the executions of this process.
type target struct{ rt *Runtime }

// Owns implements [relay.Target].
func (t target) Owns(id string) bool { return t.rt.shards.owns(id) }

// Deliver implements [relay.Target].
func (t target) Deliver(ctx context.Context, id string, events []store.InboxEntry) (int, error) {
	if !t.Owns(id) {
		return 0, relay.ErrNotOwned
	}
	d := delivery{done: make(chan struct{}, 1), left: len(events), errs: make([]error, len(events))}
	for i, e := range events {
		ev, err := execution.DecodeEvent(e.Event)
		if err != nil {
			d.finish(i, &relay.DeadError{Reason: relay.ReasonInvalid, Err: err})
			continue
		}
		req := newRequest(callEvent, ev)
		req.from, req.impatient = e.From, true
		req.Done = func(err error) { d.finish(i, err) }
		if err := t.rt.gate.Post(id, &req.Call); err != nil {
			d.finish(i, err)
		}
	}
	select {
	case <-d.done:
	case <-ctx.Done():
		return 0, context.Cause(ctx)
	}
	return d.taken(id)
}

// Control implements [relay.Target]: an operation on a child, which has no effect
// where its status does not allow it.
func (t target) Control(ctx context.Context, id string, op store.InboxEntry) error {
	ev, err := execution.DecodeEvent(op.Event)
	if err != nil {
		return &relay.DeadError{Reason: relay.ReasonInvalid, Err: err}
	}
	err = t.rt.gate.Do(ctx, id, &newRequest(callOperation, ev).Call, false)
	var refused *StateError
	if errors.As(err, &refused) {
		return nil
	}
	return callError(id, err)
}

// Fire implements [timer.Target].
func (t target) Fire(ctx context.Context, due []store.DueTimer, done func(store.DueTimer, error)) {
	for page := range slices.Chunk(due, pollPage) {
		t.rt.warm(ctx, page)
		for _, d := range page {
			t.fire(d, done)
		}
	}
}

func (t target) fire(d store.DueTimer, done func(store.DueTimer, error)) {
	if !t.Owns(d.ID) {
		done(d, timer.ErrNotOwned)
		return
	}
	req := newRequest(callTimer, execution.Event{})
	req.timer = &d
	req.Done = func(err error) { done(d, err) }
	if err := t.rt.gate.Post(d.ID, &req.Call); err != nil {
		done(d, fmt.Errorf("fire %q: %w", d.ID, ErrDraining))
	}
}

// warm activates the executions of due that are not in memory, with one read for all of
// them where the store can do that. Timers are mostly of executions that have waited
// long.
func (r *Runtime) warm(ctx context.Context, due []store.DueTimer) {
	bulk, ok := r.cfg.Store.(store.BulkCommitter)
	if !ok {
		return
	}
	cold := make([]string, 0, len(due))
	for _, d := range due {
		if r.shards.owns(d.ID) && r.gate.Incarnation(d.ID) == 0 && !slices.Contains(cold, d.ID) {
			cold = append(cold, d.ID)
		}
	}
	if len(cold) < 2 {
		return
	}
	loaded, errs := bulk.LoadBatch(ctx, cold, loadInbox)
	for i := range cold {
		if errs[i] == nil { // else its own load will tell
			r.stats.loads.Add(1)
			r.preload(&loaded[i], false)
		}
	}
}
