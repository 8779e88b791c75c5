package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/durachart/durachart/actor"
	"github.com/durachart/durachart/statechart"
	"github.com/durachart/durachart/store"
)

// process is a runtime on a store of its own, as one process would have it.
type process struct {
	*actor.Runtime
	store store.Store
	ended chan error
}

// process starts a runtime and waits until it is ready. stop ends it.
func (b *backend) process(ctx context.Context, charts ...*statechart.Chart) (*process, error) {
	s, err := b.handle(ctx)
	if err != nil {
		return nil, err
	}
	p, err := b.processOn(ctx, s, charts...)
	if err != nil {
		return nil, err
	}
	if err := p.Ready(ctx); err != nil {
		return nil, errors.Join(err, p.stop())
	}
	return p, nil
}

// processOn starts a runtime on a store that is open.
func (b *backend) processOn(ctx context.Context, s store.Store, charts ...*statechart.Chart) (*process, error) {
	rt, err := actor.New(actor.Config{
		Store: s, Charts: charts, Handlers: handlers(),
		IdleAfter: time.Hour, // nothing leaves memory while the clock runs
		MaxActive: max(50_000, 2*b.p.n),
	})
	if err != nil {
		return nil, err
	}
	p := &process{Runtime: rt, store: s, ended: make(chan error, 1)}
	go func() { p.ended <- rt.Run(context.WithoutCancel(ctx)) }()
	return p, nil
}

// stop drains the runtime and closes its store.
func (p *process) stop() error {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	return errors.Join(p.Drain(ctx), <-p.ended, p.store.Close(ctx))
}

// startAll starts n executions of a chart, named by name.
func (p *process) startAll(ctx context.Context, b *backend, n int, chart string, name func(int) string) error {
	_, err := b.share(ctx, n, func(ctx context.Context, i int, _ func(time.Duration)) error {
		_, err := p.Start(ctx, actor.StartRequest{ID: name(i), Chart: chart})
		return err
	})
	return err
}

// allDone checks that exactly n roots of a chart are DONE.
func allDone(ctx context.Context, s store.Store, chart string, n int) error {
	done, err := s.Count(ctx, store.Filter{DefinitionID: chart, RootsOnly: true, Statuses: []store.Status{store.Done}}, n+1)
	if err != nil {
		return fmt.Errorf("count what is done: %w", err)
	}
	if done != n {
		return fmt.Errorf("%w: %d of %d executions are DONE", errBroken, done, n)
	}
	return nil
}
