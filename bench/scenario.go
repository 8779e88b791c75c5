package main

import (
	"context"
	"errors"
)

// scenario is a workload. run prepares it, measures it into res, and then checks its
// invariant; a broken one is an error that is errBroken.
type scenario struct {
	name      string
	summary   string
	n         int // unless told otherwise
	mongoOnly bool
	run       func(ctx context.Context, b *backend, res *result) error
}

// errBroken reports that a scenario ran and that its invariant does not hold.
var errBroken = errors.New("invariant broken")

var scenarios = []*scenario{
	{name: "floor", summary: "the raw driver: compare-and-set updates of distinct documents", n: 10_000, mongoOnly: true, run: floor},
	{name: "drain", summary: "executions with two events waiting in each inbox", n: 10_000, run: drain},
	{name: "call", summary: "the same chart, event by event, each answered", n: 10_000, run: call},
	{name: "send", summary: "the same chart, each event made durable and applied afterwards", n: 10_000, run: send},
	{name: "cas", summary: "several runtimes contend for one execution", n: 5_000, run: cas},
	{name: "fork", summary: "parents that fork regions and join", n: 1_000, run: fork},
	{name: "fanout", summary: "one parent with n children, 256 alive at a time", n: 10_000, run: fanout},
	{name: "timers", summary: "timers that are due at one instant", n: 10_000, run: timers},
}

func scenarioNamed(name string) *scenario {
	for _, s := range scenarios {
		if s.name == name {
			return s
		}
	}
	return nil
}

func scenarioNames() []string {
	names := make([]string, len(scenarios))
	for i, s := range scenarios {
		names[i] = s.name
	}
	return names
}
