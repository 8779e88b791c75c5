package main

import (
	"context"
	"fmt"
	"time"

	"github.com/durachart/durachart/actor"
	"github.com/durachart/durachart/store"
)

// fork measures children: each client starts a parent, which forks its regions as child
// executions and joins them, and waits until it is done, n times in all. The events are
// the start of the parent, and of each region the start and the report of its end.
func fork(ctx context.Context, b *backend, res *result) error {
	p, err := b.process(ctx, forker(b.p.regions))
	if err != nil {
		return err
	}
	defer func() { _ = p.stop() }() // the figures are taken, or an error is on its way
	events := int64(b.p.n) * int64(1+2*b.p.regions)
	watch := b.start()
	latencies, err := b.share(ctx, b.p.n, func(ctx context.Context, i int, record func(time.Duration)) error {
		before := time.Now()
		if _, err := p.Start(ctx, actor.StartRequest{ID: executionID(i), Chart: "forker"}); err != nil {
			return err
		}
		e, err := p.Wait(ctx, executionID(i), nil)
		if err != nil {
			return err
		}
		if e.Status != actor.StatusDone || len(e.Active) != 1 || e.Active[0] != "Joined" {
			return fmt.Errorf("%w: %s ended as %s in %v", errBroken, executionID(i), e.Status, e.Active)
		}
		record(time.Since(before))
		return nil
	})
	watch.stop(res, events, latencies)
	if err != nil {
		return err
	}
	if err := p.WaitIdle(ctx); err != nil {
		return err
	}
	return judgeFork(ctx, b, p)
}

// judgeFork checks that each child came once and is done, and that nobody was told twice.
func judgeFork(ctx context.Context, b *backend, p *process) error {
	if err := allDone(ctx, p.store, "forker", b.p.n); err != nil {
		return err
	}
	all := b.p.n * (1 + b.p.regions)
	done, err := p.Count(ctx, store.Filter{Statuses: []store.Status{store.Done}}, all+1)
	if err != nil {
		return err
	}
	if done != all {
		return fmt.Errorf("%w: %d of %d executions are DONE", errBroken, done, all)
	}
	for i := range b.p.n {
		e, err := p.store.Load(ctx, executionID(i))
		if err != nil {
			return err
		}
		// The start, then at most one commit for each report.
		if e.Version < 2 || e.Version > int64(1+b.p.regions) {
			return fmt.Errorf("%w: %s took %d commits for %d regions", errBroken, e.ID, e.Version, b.p.regions)
		}
		if i == 99 {
			break // a sample: each costs a read
		}
	}
	return nil
}
