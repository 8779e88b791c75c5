package main

import (
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/durachart/durachart/actor"
	"github.com/durachart/durachart/execution"
	"github.com/durachart/durachart/statechart"
)

// TestTimingDoesNotMatter steps the chart without a runtime. What an execution
// gives out is delivered whenever a die says so, in order for each sender but at
// any time, so that regions start late, answer late, and are met after their end.
func TestTimingDoesNotMatter(t *testing.T) {
	for seed := range uint64(20) {
		events := stream(seed, 50)
		want := modelled(newInput(strings.NewReader(events)))
		w := &slowWorld{t: t, chart: orderChart(), dice: rand.New(rand.NewPCG(seed, 1))}
		w.host.Handlers = handlers()
		got := w.run(newInput(strings.NewReader(events)))
		assert.Equal(t, want.Outcomes, got.Outcomes, "seed %d", seed)
		assert.Equal(t, want.Active, got.Active, "seed %d", seed)
	}
}

// slowWorld holds executions in memory and delivers their effects late.
type slowWorld struct {
	t     *testing.T
	chart *statechart.Chart
	host  execution.Host
	dice  *rand.Rand

	executions map[string]*execution.Snapshot
	seen       map[string]bool // execution and event id
	senders    []string        // those with something to deliver
	outbox     map[string][]execution.Effect
}

func (w *slowWorld) run(in *input) *summary {
	w.executions, w.seen, w.outbox = map[string]*execution.Snapshot{}, map[string]bool{}, map[string][]execution.Effect{}
	orders := map[string]bool{}
	err := in.each(func(ev event, bad *badLine) error {
		switch {
		case bad != nil:
		case ev.name == "Create":
			if !orders[ev.order] {
				orders[ev.order] = true
				w.create(execution.New(chartName, w.chart.Version(), ev.order, nil))
			}
		case orders[ev.order]:
			w.step(ev.order, execution.Event{ID: ev.id, Name: ev.name, Data: ev.data})
		}
		for w.dice.IntN(3) > 0 && w.deliverOne() {
		}
		return nil
	})
	require.NoError(w.t, err)
	for w.deliverOne() {
	}
	s := &summary{Outcomes: map[string]int{}, Active: map[string]int{}}
	for id := range orders {
		e := w.executions[id]
		read := actor.Execution{ID: id, Status: actor.Status(e.Status), Outcome: e.Outcome, Active: e.Configuration}
		if e.Status == execution.Done {
			read.EndedAt = time.Unix(1, 0)
		}
		s.count(read)
	}
	require.Empty(w.t, s.failed)
	return s
}

func (w *slowWorld) create(s *execution.Snapshot) {
	if w.executions[s.ID] == nil {
		w.executions[s.ID] = s
		w.step(s.ID, execution.StartEvent(s.ID, 1))
	}
}

func (w *slowWorld) step(id string, ev execution.Event) {
	key := id + " " + ev.ID
	if w.seen[key] {
		return
	}
	w.seen[key] = true
	result, err := execution.Step(w.chart, w.executions[id], ev, time.Unix(0, 0), &w.host)
	require.NoError(w.t, err, "%s %s", id, ev.Name)
	w.executions[id] = result.Snapshot
	if len(result.Effects) > 0 && len(w.outbox[id]) == 0 {
		w.senders = append(w.senders, id)
	}
	w.outbox[id] = append(w.outbox[id], result.Effects...)
}

// deliverOne carries out the oldest effect of some execution.
func (w *slowWorld) deliverOne() bool {
	if len(w.senders) == 0 {
		return false
	}
	n := w.dice.IntN(len(w.senders))
	sender := w.senders[n]
	effect := w.outbox[sender][0]
	if w.outbox[sender] = w.outbox[sender][1:]; len(w.outbox[sender]) == 0 {
		w.senders = append(w.senders[:n], w.senders[n+1:]...)
	}
	switch e := effect.(type) {
	case execution.Spawn:
		w.create(execution.NewChild(e))
	case execution.Emit:
		w.step(e.Target, e.Event)
	case execution.CancelChild:
		w.step(e.Child, execution.StopEvent(e.Child))
	case execution.Finished:
		w.step(e.Parent, execution.FinishedEvent(e))
	case execution.DeadLetter: // an event that a region is too old for
	default:
		require.Fail(w.t, "unexpected effect", "%T", e)
	}
	return true
}
