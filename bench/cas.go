package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/durachart/durachart/actor"
)

// cas measures contention: several runtimes, of which each thinks that it is the only
// one, and clients that are spread over them, all calling one execution. Only the
// compare-and-set decides. n events are sent in all.
func cas(ctx context.Context, b *backend, res *result) error {
	const id = "contended"
	var processes []*process
	defer func() {
		for _, p := range processes {
			_ = p.stop() // after the figures are taken there is nothing to lose
		}
	}()
	for range b.p.runtimes {
		p, err := b.process(ctx, tallyChart())
		if err != nil {
			return err
		}
		processes = append(processes, p)
	}
	if _, err := processes[0].Start(ctx, actor.StartRequest{ID: id, Chart: "tally"}); err != nil {
		return err
	}
	before := sum(processes)

	watch := b.start()
	latencies := make([][]time.Duration, b.p.clients)
	err := b.eachClient(ctx, func(ctx context.Context, client int) error {
		p := processes[client%len(processes)]
		for number := 1; number <= b.sharesOf(client); number++ {
			at := time.Now()
			event := actor.Event{
				ID: fmt.Sprintf("c%d-%d", client, number), Name: "count",
				Data: map[string]any{"client": client, "number": number},
			}
			if err := persist(ctx, func() error { _, err := p.Call(ctx, id, event); return err }); err != nil {
				return fmt.Errorf("client %d, event %d: %w", client, number, err)
			}
			latencies[client] = append(latencies[client], time.Since(at))
		}
		return nil
	})
	watch.stop(res, int64(b.p.n), latencies)
	if err != nil {
		return err
	}
	after := sum(processes)
	return judgeCAS(ctx, b, processes[0], id, res, after.Commits-before.Commits, after.Conflicts-before.Conflicts)
}

// sharesOf is how many of the n events a client sends.
func (b *backend) sharesOf(client int) int {
	n := b.p.n / b.p.clients
	if client < b.p.n%b.p.clients {
		n++
	}
	return n
}

// persist repeats a call, with the same event id, while it is not known whether it
// happened, or while it lost every race: the duty of a caller.
func persist(ctx context.Context, call func() error) error {
	for {
		err := call()
		if !errors.Is(err, actor.ErrUncertain) && !errors.Is(err, actor.ErrConflict) {
			return err
		}
		if ctx.Err() != nil {
			return err
		}
	}
}

func sum(processes []*process) (all actor.Stats) {
	for _, p := range processes {
		s := p.Stats()
		all.Commits += s.Commits
		all.Conflicts += s.Conflicts
	}
	return all
}

// judgeCAS compares what the clients know with what the execution says.
func judgeCAS(ctx context.Context, b *backend, p *process, id string, res *result, wins, conflicts int64) error {
	e, err := p.Get(ctx, id)
	if err != nil {
		return err
	}
	var t tally
	if err := json.Unmarshal(e.Context, &t); err != nil {
		return err
	}
	lost := t.Lost
	for client := range b.p.clients {
		lost += int64(b.sharesOf(client)) - t.Last[strconv.Itoa(client)]
	}
	res.Wins, res.Conflicts, res.FinalVersion = &wins, &conflicts, &e.Revision
	res.Lost, res.AppliedTwice = &lost, &t.Twice
	switch {
	case lost != 0 || t.Twice != 0 || t.Applied != int64(b.p.n):
		return fmt.Errorf("%w: of %d events %d were applied, %d lost, %d twice", errBroken, b.p.n, t.Applied, lost, t.Twice)
	case wins != e.Revision-1:
		return fmt.Errorf("%w: %d wins, but the final version is %d", errBroken, wins, e.Revision)
	}
	return nil
}
