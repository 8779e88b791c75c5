package main

import (
	"context"
	"io"

	"golang.org/x/sync/errgroup"

	"github.com/durachart/durachart/actor"
	"github.com/durachart/durachart/statechart"
	"github.com/durachart/durachart/store"
)

// process applies all events to the orders in st, waits until nothing moves any
// more, and counts what came of it.
func process(ctx context.Context, st store.Store, events io.Reader, people *console) (*summary, error) {
	rt, err := actor.New(actor.Config{
		Store:    st,
		Charts:   []*statechart.Chart{orderChart()},
		Handlers: handlers(),
	})
	if err != nil {
		return nil, err
	}
	result := &summary{}
	work, workCtx := errgroup.WithContext(ctx)
	work.Go(func() error { return rt.Run(workCtx) })
	work.Go(func() error {
		if err := feed(workCtx, rt, events, people, result); err != nil {
			return err // ends workCtx, and with it Run
		}
		return rt.Drain(workCtx)
	})
	if err := work.Wait(); ctx.Err() != nil {
		return nil, context.Cause(ctx) // whatever this looked like from inside
	} else if err != nil {
		return nil, err
	}
	return result, nil
}

// feed does the work of process on a runtime that runs.
func feed(ctx context.Context, rt *actor.Runtime, events io.Reader, people *console, result *summary) error {
	if err := applyAll(ctx, rt, events, people, result); err != nil {
		return err
	}
	if err := rt.WaitIdle(ctx); err != nil {
		return err
	}
	return result.countOrders(ctx, rt)
}

// applyAll applies every event, and counts the lines that were none.
func applyAll(ctx context.Context, rt starter, events io.Reader, people *console, result *summary) error {
	in, orders := newInput(events), newApplier(ctx, rt, people)
	readErr := in.each(func(ev event, bad *badLine) error {
		if bad == nil {
			return orders.add(ev)
		}
		result.Malformed++
		people.refuse(bad.line, bad.reason)
		people.advance()
		return nil
	})
	// What an order failed with says more than that adding stopped.
	if err := orders.wait(); err != nil {
		return err
	}
	result.Lines, result.UnknownOrder = in.read, int(orders.unknown.Load())
	return readErr
}
