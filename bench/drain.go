package main

import (
	"context"
	"fmt"

	"github.com/durachart/durachart/store"
)

// drain measures how fast a process works off what waits: n executions with two events
// in each inbox, put there before the clock starts. The clock runs from the start of the
// runtime until the last event is applied.
func drain(ctx context.Context, b *backend, res *result) error {
	s, err := b.handle(ctx)
	if err != nil {
		return err
	}
	chart := worker()
	err = b.create(ctx, s, func(i int) (store.Creation, error) { return waiting(chart, executionID(i)) })
	if err != nil {
		return err
	}
	const events = 2
	want := int64(events * b.p.n)
	watch := b.start()
	p, err := b.processOn(ctx, s, chart)
	if err != nil {
		return err
	}
	err = p.waitSteps(ctx, want)
	watch.stop(res, want, nil)
	if stopping := p.stop(); err == nil {
		err = stopping
	}
	if err != nil {
		return err
	}
	if got := p.Stats().Steps; got != want {
		return fmt.Errorf("%w: %d steps for %d events", errBroken, got, want)
	}
	check, err := b.handle(ctx)
	if err != nil {
		return err
	}
	return allDone(ctx, check, "worker", b.p.n)
}
