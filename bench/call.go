package main

import (
	"context"
	"fmt"
	"time"

	"github.com/durachart/durachart/actor"
)

// call measures events that are answered: n executions of the worker chart, started
// before the clock, and in memory; each client takes the next one, calls begin, and then
// finish.
func call(ctx context.Context, b *backend, res *result) error {
	p, err := b.process(ctx, worker())
	if err != nil {
		return err
	}
	defer func() { _ = p.stop() }() // again after an error only, and then that one counts
	if err := p.startAll(ctx, b, b.p.n, "worker", executionID); err != nil {
		return err
	}
	names := []string{"begin", "finish"}
	watch := b.start()
	latencies, err := b.share(ctx, b.p.n, func(ctx context.Context, i int, record func(time.Duration)) error {
		for _, name := range names {
			before := time.Now()
			reply, err := p.Call(ctx, executionID(i), actor.Event{Name: name})
			if err != nil {
				return err
			}
			if reply.Disposition != actor.Applied {
				return fmt.Errorf("%w: %s of %s was %s", errBroken, name, executionID(i), reply.Disposition)
			}
			record(time.Since(before))
		}
		return nil
	})
	watch.stop(res, int64(len(names)*b.p.n), latencies)
	if err != nil {
		return err
	}
	return allDone(ctx, p.store, "worker", b.p.n)
}
