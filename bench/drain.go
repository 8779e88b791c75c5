package main

import (
	"context"
	"fmt"
	"time"

	"github.com/durachart/durachart/execution"
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
	if err := fillInboxes(ctx, b, s); err != nil {
		return err
	}
	const events = 2
	want := int64(events * b.p.n)
	watch := b.start()
	p, err := b.processOn(ctx, s, worker())
	if err != nil {
		return err
	}
	for p.Stats().Steps < want && ctx.Err() == nil {
		time.Sleep(time.Millisecond)
	}
	watch.stop(res, want, nil)
	if err := p.stop(); err != nil {
		return err
	}
	if ctx.Err() != nil {
		return ctx.Err()
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

// fillInboxes creates the executions, their first step done, with their events waiting.
func fillInboxes(ctx context.Context, b *backend, s store.Store) error {
	chart := worker()
	host := &execution.Host{Handlers: handlers()}
	bulk, ok := s.(store.BulkCommitter)
	if !ok {
		return fmt.Errorf("the store takes no batches")
	}
	const page = 256
	_, err := b.share(ctx, (b.p.n+page-1)/page, func(ctx context.Context, i int, _ func(time.Duration)) error {
		var batch []store.Creation
		for k := i * page; k < min((i+1)*page, b.p.n); k++ {
			c, err := waiting(chart, host, executionID(k))
			if err != nil {
				return err
			}
			batch = append(batch, c)
		}
		for _, err := range bulk.CreateBatch(ctx, batch) {
			if err != nil {
				return err
			}
		}
		return nil
	})
	return err
}
