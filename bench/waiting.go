package main

import (
	"github.com/durachart/durachart/execution"
	"github.com/durachart/durachart/statechart"
	"github.com/durachart/durachart/store"
)

// waiting is an execution of the worker chart that stands on Idle, with both its events
// in the inbox.
func waiting(chart *statechart.Chart, id string) (store.Creation, error) {
	c, err := begun(chart, id, nil)
	if err != nil {
		return store.Creation{}, err
	}
	for _, name := range []string{"begin", "finish"} {
		e, err := execution.NewEvent(id+"-"+name, name, nil)
		if err != nil {
			return store.Creation{}, err
		}
		c.Inbox = append(c.Inbox, store.InboxEntry{ID: e.ID, From: "bench", At: c.Now, Event: e.Encode()})
	}
	return c, nil
}
