package main

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/durachart/durachart/actor"
)

// inFlight bounds the events that have been read and are not applied yet.
const inFlight = 512

// starter is what applying asks of the runtime.
type starter interface {
	Start(ctx context.Context, start actor.StartRequest) (actor.Reply, error)
	Call(ctx context.Context, id string, ev actor.Event) (actor.Reply, error)
}

// applier applies events: those of one order one after another as they came,
// those of different orders side by side.
type applier struct {
	rt      starter
	people  *console
	unknown atomic.Int64 // events for orders that do not exist

	work  *errgroup.Group
	ctx   context.Context // of work: ends with the first error
	slots chan struct{}

	mu     sync.Mutex
	queues map[string][]event // order → what waits; an entry means that a goroutine works on it
}

func newApplier(ctx context.Context, rt starter, people *console) *applier {
	a := &applier{rt: rt, people: people, slots: make(chan struct{}, inFlight), queues: map[string][]event{}}
	a.work, a.ctx = errgroup.WithContext(ctx)
	return a
}

// add queues ev behind the earlier events of its order. It waits while inFlight
// events are under way, and fails when one of them could not be applied.
func (a *applier) add(ev event) error {
	select {
	case a.slots <- struct{}{}:
	case <-a.ctx.Done():
		return context.Cause(a.ctx)
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	waiting, busy := a.queues[ev.order]
	a.queues[ev.order] = append(waiting, ev)
	if !busy {
		a.work.Go(func() error { return a.applyOrder(ev.order) })
	}
	return nil
}

// wait returns when everything that was added is applied.
func (a *applier) wait() error { return a.work.Wait() }

// applyOrder applies what waits for one order until nothing does.
func (a *applier) applyOrder(order string) error {
	for {
		ev, ok := a.take(order)
		if !ok {
			return nil
		}
		if err := a.apply(ev); err != nil {
			return fmt.Errorf("line %d: %s for order %q: %w", ev.line, ev.name, order, err)
		}
		a.people.advance()
		<-a.slots
	}
}

// take removes the oldest event of the order; without one the queue goes away, so
// that the next add starts a goroutine again.
func (a *applier) take(order string) (event, bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	waiting := a.queues[order]
	if len(waiting) == 0 {
		delete(a.queues, order)
		return event{}, false
	}
	a.queues[order] = waiting[1:]
	return waiting[0], true
}

// apply brings one event to its order. An error means that nothing can be applied
// any more.
func (a *applier) apply(ev event) error {
	err := untilKnown(a.ctx, func() error { return a.attempt(ev) })
	switch {
	case err == nil:
	case errors.Is(err, actor.ErrEnded), errors.Is(err, actor.ErrExists):
		// The order is over, or there: the event has no effect.
	case errors.Is(err, actor.ErrNotFound):
		a.unknown.Add(1)
		a.people.refuse(ev.line, fmt.Sprintf("order %q was never created", ev.order))
	case errors.Is(err, actor.ErrInvalidEvent), errors.Is(err, actor.ErrInvalidID), errors.Is(err, actor.ErrTooLarge):
		a.people.refuse(ev.line, err.Error())
	default:
		return err
	}
	return nil
}

// attempt applies ev under its own id, so a second attempt changes nothing if the
// first one did.
func (a *applier) attempt(ev event) error {
	var err error
	if ev.name == "Create" {
		_, err = a.rt.Start(a.ctx, actor.StartRequest{ID: ev.order, Chart: chartName, RequestID: ev.id})
		return err
	}
	call := actor.Event{ID: ev.id, Name: ev.name}
	if ev.data != nil {
		call.Data = ev.data
	}
	_, err = a.rt.Call(a.ctx, ev.order, call)
	return err
}

// untilKnown repeats attempt while its outcome is unknown or the store is busy,
// more and more slowly, until ctx ends.
func untilKnown(ctx context.Context, attempt func() error) error {
	for pause := 10 * time.Millisecond; ; pause = min(2*pause, time.Second) {
		err := attempt()
		if !worthRepeating(err) {
			return err
		}
		select {
		case <-time.After(pause):
		case <-ctx.Done():
			return errors.Join(context.Cause(ctx), err)
		}
	}
}

func worthRepeating(err error) bool {
	for _, passing := range []error{actor.ErrUncertain, actor.ErrUnavailable, actor.ErrBackpressure, actor.ErrConflict, actor.ErrMailboxFull} {
		if errors.Is(err, passing) {
			return true
		}
	}
	return false
}
