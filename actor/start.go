package actor

import (
	"context"
	"errors"
	"fmt"

	"github.com/durachart/durachart/execution"
	"github.com/durachart/durachart/store"
)

// Start creates an execution and runs its first step, in one write. The chart is
// pinned to the version that it starts with.
//
// It returns ErrExists if an execution of that id exists, unless it was made by
// the same RequestID: then it returns its current state with disposition Known.
// Others: ErrUnknownChart, ErrInvalidID, ErrInvalidEvent (of the context),
// ErrTooLarge, ErrUncertain: repeat it with the same RequestID.
func (r *Runtime) Start(ctx context.Context, start StartRequest) (Reply, error) {
	b, err := r.birth(start)
	if err != nil {
		return Reply{ID: start.ID}, err
	}
	if err := r.enter(ctx); err != nil {
		return Reply{ID: start.ID}, err
	}
	return r.do(ctx, start.ID, b.request())
}

// SendOrStart is Send to the execution start.ID, which it creates if there is
// none. An execution that is made so gets ev after its first step. An execution
// that is there is not changed by start.
func (r *Runtime) SendOrStart(ctx context.Context, start StartRequest, ev Event) (eventID string, err error) {
	b, err := r.birth(start)
	if err != nil {
		return ev.ID, err
	}
	e, err := r.event(start.ID, ev)
	if err != nil {
		return ev.ID, err
	}
	if err := r.enter(ctx); err != nil {
		return e.ID, err
	}
	now := r.clock.now()
	b.first = &store.InboxEntry{ID: e.ID, From: ev.From, At: now, Event: e.Encode()}
	return e.ID, r.sendOrStart(ctx, start.ID, b, e, ev.From)
}

// sendOrStart pushes to an execution that is known to be there, else creates it,
// else pushes: it may come and go meanwhile, so three times (D15).
func (r *Runtime) sendOrStart(ctx context.Context, id string, b *birth, e execution.Event, from string) error {
	there := r.gate.Incarnation(id) != 0
	for range 3 {
		if !there {
			reply, err := r.do(ctx, id, b.request())
			switch {
			case err == nil && reply.Disposition == Known:
				// This request made it before, with another event perhaps: so push.
			case !errors.Is(err, store.ErrExists):
				return err
			}
		}
		there = false
		if err := r.push(ctx, id, e, from); !errors.Is(err, store.ErrNotFound) {
			return err
		}
	}
	return fmt.Errorf("send or start %q: it comes and goes: %w", id, store.ErrConflict)
}

// birth checks what a caller asks to start.
func (r *Runtime) birth(start StartRequest) (*birth, error) {
	if err := checkID("execution id", start.ID); err != nil {
		return nil, err
	}
	requestID, err := givenOrNew("request id", start.RequestID)
	if err != nil {
		return nil, err
	}
	chart, err := r.charts.get(start.Chart, start.Version)
	if err != nil {
		return nil, err
	}
	data, err := execution.Object(start.Context)
	if err != nil {
		return nil, fmt.Errorf("context: %w", err)
	}
	if most := r.limits.ContextBytes; len(data) > most {
		return nil, fmt.Errorf("%w: context has %d bytes, at most %d", ErrTooLarge, len(data), most)
	}
	if start.Priority < 0 || start.Priority > 4 {
		return nil, fmt.Errorf("%w: priority %d is not within 0 to 4", ErrInvalidArgument, start.Priority)
	}
	snap := execution.New(chart.Name(), chart.Version(), start.ID, data)
	snap.Priority = start.Priority
	return &birth{chart: chart, snap: snap, requestID: processedRequest(requestID), attrs: start.Attrs}, nil
}

// processedRequest is the id under which a start request is remembered. It stands
// among the ids of events (D14): a caller who has one key for a start and its event
// means both.
func processedRequest(requestID string) string { return execution.DerivedID("$request", requestID) }

// request is the call that carries out b.
func (b *birth) request() *request {
	req := newRequest(callStart, execution.StartEvent(b.snap.ID, b.snap.Run))
	req.start = b
	return req
}

// givenLimits are the limits of what callers send, with their defaults.
func givenLimits(l execution.Limits) execution.Limits {
	setDefault(&l.EventBytes, 256<<10)
	setDefault(&l.ContextBytes, 1<<20)
	return l
}
