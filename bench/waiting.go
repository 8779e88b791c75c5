package main

import (
	"time"

	"github.com/durachart/durachart/execution"
	"github.com/durachart/durachart/statechart"
	"github.com/durachart/durachart/store"
)

// waiting is an execution of the worker chart that stands on Idle, with both its events
// in the inbox.
func waiting(chart *statechart.Chart, host *execution.Host, id string) (store.Creation, error) {
	now := store.Millis(time.Now())
	start := execution.StartEvent(id, 1)
	res, err := execution.Step(chart, execution.New(chart.Name(), chart.Version(), id, nil), start, now, host)
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
	for _, name := range []string{"begin", "finish"} {
		e, err := execution.NewEvent(id+"-"+name, name, nil)
		if err != nil {
			return store.Creation{}, err
		}
		c.Inbox = append(c.Inbox, store.InboxEntry{ID: e.ID, From: "bench", At: now, Event: e.Encode()})
	}
	return c, nil
}
