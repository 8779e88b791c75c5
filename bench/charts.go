package main

import (
	"fmt"
	"strconv"

	"github.com/durachart/durachart/execution"
	"github.com/durachart/durachart/statechart"
)

// worker is the chart of drain and call, and its snapshot is what floor writes:
// Idle → Working → Done, with an entry action that does nothing.
func worker() *statechart.Chart {
	b := statechart.New("worker").Version("1").Initial("Idle")
	b.State("Idle")
	b.State("Working").OnEnter(statechart.Call("nothing"))
	b.Final("Done")
	b.From("Idle").To("Working").On("begin")
	b.From("Working").To("Done").On("finish")
	return b.MustBuild()
}

// tally is the chart of cas: it keeps of each client the number of its last event.
func tallyChart() *statechart.Chart {
	b := statechart.New("tally").Version("1").Initial("Counting")
	b.State("Counting").Resting() // it never ends by itself
	b.From("Counting").On("count").Do(statechart.Call("count"))
	return b.MustBuild()
}

// tally is the context of a tally chart: what has been applied, told by the execution
// itself. Clients number their events from 1, one after another.
type tally struct {
	Applied int64            `json:"applied"`
	Lost    int64            `json:"lost"`  // numbers that were left out
	Twice   int64            `json:"twice"` // numbers that came again
	Last    map[string]int64 `json:"last"`  // of each client
}

// count is the action of the tally chart.
func count(_ execution.Ctx, s *execution.Scope[tally]) error {
	var got struct {
		Client int   `json:"client"`
		Number int64 `json:"number"`
	}
	if err := s.Event().Decode(&got); err != nil {
		return err
	}
	t, client := s.Context(), strconv.Itoa(got.Client)
	if t.Last == nil {
		t.Last = map[string]int64{}
	}
	last := t.Last[client]
	t.Applied++
	if got.Number <= last {
		t.Twice++
		return nil
	}
	t.Lost += got.Number - last - 1
	t.Last[client] = got.Number
	return nil
}

// forker forks regions that are done at once, and joins them.
func forker(regions int) *statechart.Chart {
	b := statechart.New("forker").Version("1").Initial("Forked")
	b.Orthogonal("Forked", func(s *statechart.StateBuilder) {
		for i := range regions {
			s.State(fmt.Sprintf("R%d", i), func(s *statechart.StateBuilder) {
				s.Initial("Over")
				s.Final("Over")
			})
		}
	})
	b.Final("Joined")
	b.Final("Broken", "failed")
	b.From("Forked").JoinAll().To("Joined").Else("Broken")
	return b.MustBuild()
}

// spreader has a child for each item of a list, and joins them.
func spreader() *statechart.Chart {
	leaf := statechart.New("leaf").Version("1").Initial("Over")
	leaf.Final("Over")
	b := statechart.New("spreader").Version("1").Import(leaf.MustBuild()).Initial("Spread")
	b.State("Spread", func(s *statechart.StateBuilder) { s.Invoke("leaf").Each("item", "items").Limit(256) })
	b.Final("Joined")
	b.Final("Broken", "failed")
	b.From("Spread").JoinAll().To("Joined").Else("Broken")
	return b.MustBuild()
}

// sleeper is done at the instant that its context names.
func sleeper() *statechart.Chart {
	b := statechart.New("sleeper").Version("1").Initial("Asleep")
	b.State("Asleep")
	b.Final("Awake")
	b.From("Asleep").To("Awake").AtContext("at")
	return b.MustBuild()
}

func handlers() execution.Handlers {
	return execution.Handlers{
		"nothing": execution.Action(func(execution.Ctx, *execution.Scope[map[string]any]) error { return nil }),
		"count":   execution.ActionOf(count),
	}
}
