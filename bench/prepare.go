package main

import (
	"context"
	"fmt"
	"time"

	"github.com/durachart/durachart/execution"
	"github.com/durachart/durachart/statechart"
	"github.com/durachart/durachart/store"
)

// begun is an execution of chart with its first step done.
func begun(chart *statechart.Chart, id string, data map[string]any) (store.Creation, error) {
	now := store.Millis(time.Now())
	context, err := execution.Object(data)
	if err != nil {
		return store.Creation{}, err
	}
	start := execution.StartEvent(id, 1)
	host := execution.Host{Handlers: handlers()}
	res, err := execution.Step(chart, execution.New(chart.Name(), chart.Version(), id, context), start, now, &host)
	if err != nil {
		return store.Creation{}, err
	}
	c := store.Creation{
		Snapshot: store.Snapshot{
			DefinitionVersion: chart.Version(), Data: res.Snapshot.Encode(), Status: store.Running,
			Leaves: res.Snapshot.Configuration, EnteredAt: now,
		},
		ID: id, DefinitionID: chart.Name(), RequestID: id + "-request", StartID: start.ID, Now: now,
	}
	for _, t := range res.Snapshot.Armed() {
		if c.Timers == nil {
			c.Timers = map[string]time.Time{}
		}
		c.Timers[t.Name] = time.UnixMilli(t.At).UTC()
	}
	return c, nil
}

// create inserts n executions in batches, the clients together.
func (b *backend) create(ctx context.Context, s store.Store, record func(i int) (store.Creation, error)) error {
	bulk, ok := s.(store.BulkCommitter)
	if !ok {
		return fmt.Errorf("the store takes no batches")
	}
	const page = 256
	_, err := b.share(ctx, (b.p.n+page-1)/page, func(ctx context.Context, i int, _ func(time.Duration)) error {
		var batch []store.Creation
		for k := i * page; k < min((i+1)*page, b.p.n); k++ {
			c, err := record(k)
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
