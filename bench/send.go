package main

import (
	"context"
	"fmt"
	"time"

	"github.com/durachart/durachart/actor"
)

// send measures events that are made durable and applied afterwards: as call, but the
// clients only wait until their event is in the inbox. The clock stops when the last one
// is applied; the latencies are of Send.
func send(ctx context.Context, b *backend, res *result) error {
	p, err := b.process(ctx, worker())
	if err != nil {
		return err
	}
	defer func() { _ = p.stop() }() // the figures are taken, or an error is on its way
	if err := p.startAll(ctx, b, b.p.n, "worker", executionID); err != nil {
		return err
	}
	names := []string{"begin", "finish"}
	events := int64(len(names) * b.p.n)
	want := p.Stats().Steps + events
	watch := b.start()
	latencies, err := b.share(ctx, b.p.n, func(ctx context.Context, i int, record func(time.Duration)) error {
		for _, name := range names {
			before := time.Now()
			if _, err := p.Send(ctx, executionID(i), actor.Event{Name: name}); err != nil {
				return fmt.Errorf("send %s to %s: %w", name, executionID(i), err)
			}
			record(time.Since(before))
		}
		return nil
	})
	if err == nil {
		err = p.waitSteps(ctx, want)
	}
	watch.stop(res, events, latencies)
	if err != nil {
		return err
	}
	return allDone(ctx, p.store, "worker", b.p.n)
}
