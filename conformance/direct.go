package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/durachart/durachart/execution"
	"github.com/durachart/durachart/execution/executiontest"
)

// direct is the bare interpreter in a world in memory, which also repeats every
// step from a decoded copy. What it lacks, the dedupe of a store, stands here.
type direct struct {
	w    *executiontest.World
	seen map[string]bool // execution and event id
}

func openDirect(_ context.Context, s setting) (world, error) {
	return &direct{
		w:    executiontest.New(executiontest.Config{Charts: s.charts, Handlers: s.handlers, NoTrace: true}),
		seen: map[string]bool{},
	}, nil
}

func (d *direct) start(id, chart string, context any) error {
	first, err := d.w.Start(id, chart, context)
	if err != nil {
		return err
	}
	return faults(append(d.w.Stabilize(), first))
}

func (d *direct) send(id string, e execution.Event) error {
	if key := id + "\n" + e.ID; d.seen[key] {
		return nil
	} else {
		d.seen[key] = true
	}
	return d.apply(id, e)
}

func (d *direct) apply(id string, e execution.Event) error {
	first := d.w.Apply(id, e)
	if err := faults(append(d.w.Stabilize(), first)); err != nil {
		return err
	}
	if first.Result.Disposition == execution.Dead || first.Result.Disposition == execution.Refused {
		return errEnded
	}
	return nil
}

func (d *direct) control(id, operation string, reason any) error {
	op := fmt.Sprintf("%s:%s:%d", id, operation, len(d.seen))
	d.seen[op] = true
	e, err := operationEvent(op, operation, reason)
	if err != nil {
		return err
	}
	return d.apply(id, e)
}

func operationEvent(id, operation string, reason any) (execution.Event, error) {
	switch operation {
	case "cancel":
		return execution.CancelEvent(id, reason)
	case "terminate":
		return execution.TerminateEvent(id, reason)
	case "suspend":
		return execution.SuspendEvent(id), nil
	case "resume":
		return execution.ResumeEvent(id), nil
	}
	return execution.Event{}, fmt.Errorf("no operation %q", operation)
}

func (d *direct) advance(by time.Duration) error { return faults(d.w.Advance(by)) }

func (d *direct) now() time.Time { return d.w.Now() }

func (d *direct) nextTimer() (time.Time, bool) {
	timers := d.w.Timers()
	if len(timers) == 0 {
		return time.Time{}, false
	}
	return timers[0].At, true
}

func (d *direct) snapshot(id string) (*execution.Snapshot, error) {
	s := d.w.Snapshot(id)
	if s == nil {
		return nil, fmt.Errorf("no execution %q", id)
	}
	return s, nil
}

func (d *direct) all() ([]string, error) { return d.w.IDs(), nil }

func (d *direct) letters(id string) ([]execution.Event, error) {
	var out []execution.Event
	for _, l := range d.w.Letters() {
		if l.ID == id {
			out = append(out, l.Event)
		}
	}
	return out, nil
}

func (d *direct) close() {}

// faults joins what the interpreter did wrong in steps.
func faults(steps []executiontest.Step) error {
	var all []error
	for _, s := range steps {
		if s.Err != nil {
			all = append(all, fmt.Errorf("%s: %w", s.ID, s.Err))
		}
		for _, c := range s.Complaints {
			all = append(all, fmt.Errorf("%s: %s", s.ID, c))
		}
	}
	return errors.Join(all...)
}
