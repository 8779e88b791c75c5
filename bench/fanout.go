package main

import (
	"context"
	"fmt"
	"time"

	"github.com/durachart/durachart/actor"
	"github.com/durachart/durachart/store"
)

// fanout measures one parent with n children, at most 256 of them alive at a time, which
// are done at once. The events are the children: of each the creation with its start, and
// its report.
func fanout(ctx context.Context, b *backend, res *result) error {
	p, err := b.process(ctx, spreader())
	if err != nil {
		return err
	}
	defer func() { _ = p.stop() }() // the figures are taken, or an error is on its way
	const id = "parent"
	watch := b.start()
	start := actor.StartRequest{ID: id, Chart: "spreader", Context: map[string]any{"items": make([]int, b.p.n)}}
	if _, err := p.Start(ctx, start); err != nil {
		return err
	}
	// The steps are counted here, for Wait would read the parent after each of its commits.
	err = p.waitSteps(ctx, int64(1+2*b.p.n))
	watch.stop(res, int64(b.p.n), nil)
	if err != nil {
		return err
	}
	e, err := p.Wait(ctx, id, nil)
	if err != nil {
		return err
	}
	if e.Status != actor.StatusDone || len(e.Active) != 1 || e.Active[0] != "Joined" {
		return fmt.Errorf("%w: the parent ended as %s in %v", errBroken, e.Status, e.Active)
	}
	if err := p.WaitIdle(ctx); err != nil {
		return err
	}
	children, err := p.Count(ctx, store.Filter{ParentID: id, Statuses: []store.Status{store.Done}}, b.p.n+1)
	if err != nil {
		return err
	}
	if children != b.p.n {
		return fmt.Errorf("%w: %d of %d children are DONE", errBroken, children, b.p.n)
	}
	return nil
}

// waitSteps waits until the runtime has committed n steps.
func (p *process) waitSteps(ctx context.Context, n int64) error {
	for p.Stats().Steps < n {
		if err := ctx.Err(); err != nil {
			return err
		}
		time.Sleep(time.Millisecond)
	}
	return nil
}
