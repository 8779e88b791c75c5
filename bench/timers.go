package main

import (
	"context"
	"fmt"
	"time"

	"github.com/durachart/durachart/store"
)

// timers measures n timers that are due at one instant, of n executions that are not in
// memory. The clock runs from that instant until the last one is applied; the latencies
// are how late each was.
func timers(ctx context.Context, b *backend, res *result) error {
	s, err := b.handle(ctx)
	if err != nil {
		return err
	}
	// Long enough to prepare them all, on a slow server too.
	due := store.Millis(time.Now().Add(2*time.Second + time.Duration(b.p.n)*300*time.Microsecond))
	chart := sleeper()
	err = b.create(ctx, s, func(i int) (store.Creation, error) {
		return begun(chart, executionID(i), map[string]any{"at": due.UnixMilli()})
	})
	if err != nil {
		return err
	}
	p, err := b.processOn(ctx, s, chart)
	if err != nil {
		return err
	}
	time.Sleep(time.Until(due)) // none if the preparation took longer: then they are overdue
	watch := b.start()
	err = p.waitSteps(ctx, int64(b.p.n))
	watch.stop(res, int64(b.p.n), nil)
	if stopping := p.stop(); err == nil {
		err = stopping
	}
	if err != nil {
		return err
	}
	check, err := b.handle(ctx)
	if err != nil {
		return err
	}
	return judgeTimers(ctx, b, check, due, res)
}

// judgeTimers reads when each execution ended, and whether any did too early.
func judgeTimers(ctx context.Context, b *backend, s store.Store, due time.Time, res *result) error {
	if err := allDone(ctx, s, "sleeper", b.p.n); err != nil {
		return err
	}
	var late []time.Duration
	for page := (store.Page{Limit: 1000}); ; {
		found, err := s.List(ctx, store.Filter{DefinitionID: "sleeper"}, page)
		if err != nil {
			return err
		}
		for _, e := range found.Items {
			by := e.EndedAt.Sub(due)
			if by < 0 {
				return fmt.Errorf("%w: %s fired %v early", errBroken, e.ID, -by)
			}
			late = append(late, by)
		}
		if page.Cursor = found.Next; page.Cursor == "" {
			res.setLatencies(late)
			return nil
		}
	}
}
