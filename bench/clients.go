package main

import (
	"context"
	"sync"
	"sync/atomic"
	"time"
)

// eachClient runs work once for each client, all at the same time, and returns the first
// error; the others are stopped by it.
func (b *backend) eachClient(ctx context.Context, work func(ctx context.Context, client int) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var wg sync.WaitGroup
	for client := range b.p.clients {
		wg.Go(func() {
			if err := work(ctx, client); err != nil {
				cancel(err)
			}
		})
	}
	wg.Wait()
	return context.Cause(ctx)
}

// share has the clients do the jobs 0 to n−1, each taking the next one when it is done
// with the one before, and returns the durations that they recorded.
func (b *backend) share(ctx context.Context, n int, job func(ctx context.Context, i int, record func(time.Duration)) error) ([][]time.Duration, error) {
	latencies := make([][]time.Duration, b.p.clients)
	var next atomic.Int64
	err := b.eachClient(ctx, func(ctx context.Context, client int) error {
		own := make([]time.Duration, 0, 2*n/b.p.clients+16)
		defer func() { latencies[client] = own }()
		record := func(d time.Duration) { own = append(own, d) }
		for ctx.Err() == nil {
			i := int(next.Add(1)) - 1
			if i >= n {
				return nil
			}
			if err := job(ctx, i, record); err != nil {
				return err
			}
		}
		return nil
	})
	return latencies, err
}
