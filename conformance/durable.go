package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/durachart/durachart/actor"
	"github.com/durachart/durachart/execution"
	"github.com/durachart/durachart/store"
)

// durable is the whole runtime over a store. Its clock stands still but for
// advance, which starts a new runtime at each instant at which a timer is due: a
// takeover reads all timers.
type durable struct {
	ctx   context.Context
	data  store.Store // survives crashes
	free  func()
	cfg   setting
	crash bool
	twice bool
	clock time.Time

	rt      *actor.Runtime
	stop    func()
	crashed chan struct{} // closed when the process has died; nil without crashes
	ops     atomic.Int64
}

// horizon is how far ahead timers are looked for: the longest delay there is.
const horizon = 3650 * 24 * time.Hour

// patience is how long one call may take before the test has failed.
const patience = 30 * time.Second

func (o *options) openDurable(stores storeOpener) opener {
	return func(ctx context.Context, s setting) (world, error) {
		data, free, err := stores(ctx)
		if err != nil {
			return nil, err
		}
		d := &durable{
			ctx: ctx, data: data, free: free, cfg: s,
			crash: o.mode == modeCrash, twice: o.mode == modeTwice,
			clock: time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC),
		}
		if err := d.boot(); err != nil {
			free()
			return nil, err
		}
		return d, nil
	}
}

// boot starts a process on the data.
func (d *durable) boot() error {
	var st store.Store = d.data
	drain := patience
	d.crashed = nil
	if d.crash {
		mortal := newMortal(d.data)
		st, d.crashed, drain = mortal, mortal.dead, actor.NoDrain
	}
	clock := d.clock
	rt, err := actor.New(actor.Config{
		Store: st, Charts: d.cfg.charts, Handlers: d.cfg.handlers,
		Clock:   func() time.Time { return clock },
		PollMin: time.Millisecond, PollMax: 20 * time.Millisecond, DrainTimeout: drain,
	})
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(d.ctx)
	done := make(chan error, 1)
	go func() { done <- rt.Run(ctx) }()
	d.rt = rt
	d.stop = func() { cancel(); <-done }
	return nil
}

// reboot ends the process and starts another.
func (d *durable) reboot() error {
	d.stop()
	return d.boot()
}

// do calls f until it has an answer from a process that lived long enough to give
// one, and then waits until all is quiet. f is safe to repeat: it has ids of its own.
func (d *durable) do(f func(ctx context.Context) error) error {
	answer := d.living(f)
	if err := d.living(d.idle); err != nil {
		return fmt.Errorf("does not come to rest: %w", err)
	}
	return answer
}

func (d *durable) idle(ctx context.Context) error { return d.rt.WaitIdle(ctx) }

// living calls f in one process after the other until one has not died meanwhile.
func (d *durable) living(f func(ctx context.Context) error) error {
	limit, cancel := context.WithTimeout(d.ctx, patience)
	defer cancel()
	for {
		ctx, done := context.WithCancel(limit)
		crashed := d.crashed
		go func() {
			select {
			case <-crashed: // never, if nil
				done()
			case <-ctx.Done():
			}
		}()
		err := f(ctx)
		done()
		if limit.Err() != nil {
			return fmt.Errorf("no answer after %v: %w", patience, err)
		}
		select {
		case <-crashed:
			if err := d.reboot(); err != nil {
				return err
			}
			continue
		default:
			return err
		}
	}
}

func (d *durable) start(id, chart string, context_ any) error {
	return d.do(func(ctx context.Context) error {
		_, err := d.rt.Start(ctx, actor.StartRequest{ID: id, Chart: chart, Context: context_, RequestID: "start-" + id})
		return err
	})
}

func (d *durable) send(id string, e execution.Event) error {
	if strings.HasPrefix(e.Name, "$") {
		return d.push(id, e)
	}
	err := d.deliver(id, e)
	if err == nil && d.twice {
		err = d.deliver(id, e)
	}
	return err
}

func (d *durable) deliver(id string, e execution.Event) error {
	return d.do(func(ctx context.Context) error {
		_, err := d.rt.Send(ctx, id, actor.Event{ID: e.ID, Name: e.Name, Data: e.Data})
		if errors.Is(err, actor.ErrEnded) {
			return errEnded
		}
		return err
	})
}

// push puts an event where only the runtime itself puts it: a system event that
// comes late.
func (d *durable) push(id string, e execution.Event) error {
	return d.do(func(ctx context.Context) error {
		_, err := d.data.Push(ctx, store.Push{ID: id, Now: d.clock, Entries: []store.InboxEntry{{ID: e.ID, At: d.clock, Event: e.Encode()}}})
		if errors.Is(err, store.ErrEnded) {
			return nil // as late as can be
		}
		return err
	})
}

func (d *durable) control(id, operation string, reason any) error {
	op := actor.OperationID(fmt.Sprintf("operation-%d", d.ops.Add(1)))
	return d.do(func(ctx context.Context) error {
		var err error
		switch operation {
		case "cancel":
			_, err = d.rt.Cancel(ctx, id, reason, op)
		case "terminate":
			_, err = d.rt.Terminate(ctx, id, reason, op)
		case "suspend":
			_, err = d.rt.Suspend(ctx, id, op)
		case "resume":
			_, err = d.rt.Resume(ctx, id, op)
		default:
			return fmt.Errorf("no operation %q", operation)
		}
		if errors.Is(err, actor.ErrEnded) {
			return errEnded
		}
		return err
	})
}

// advance goes from one due timer to the next, each in a new process.
func (d *durable) advance(by time.Duration) error {
	until := d.clock.Add(by)
	for {
		due, ok := d.nextTimer()
		if !ok || due.After(until) {
			d.clock = until
			return d.at()
		}
		d.clock = later(d.clock, due)
		if err := d.at(); err != nil {
			return err
		}
	}
}

// at lets a new process find what is due now.
func (d *durable) at() error {
	if err := d.reboot(); err != nil {
		return err
	}
	return d.do(func(context.Context) error { return nil })
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

func (d *durable) now() time.Time { return d.clock }

func (d *durable) nextTimer() (time.Time, bool) {
	shards := make([]int, store.DefaultShards)
	for i := range shards {
		shards[i] = i
	}
	due, err := d.data.DueTimers(d.ctx, store.PollQuery{Shards: shards, Until: d.clock.Add(horizon), Limit: 1})
	if err != nil || len(due) == 0 {
		return time.Time{}, false
	}
	return due[0].Due, true
}

func (d *durable) snapshot(id string) (*execution.Snapshot, error) {
	e, err := d.data.Load(d.ctx, id)
	if err != nil {
		return nil, err
	}
	return execution.Decode(e.Data)
}

func (d *durable) all() ([]string, error) {
	var ids []string
	page := store.Page{Limit: 100}
	for {
		list, err := d.data.List(d.ctx, store.Filter{}, page)
		if err != nil {
			return nil, err
		}
		for _, e := range list.Items {
			ids = append(ids, e.ID)
		}
		if list.Next == "" {
			return ids, nil
		}
		page.Cursor = list.Next
	}
}

func (d *durable) letters(id string) ([]execution.Event, error) {
	list, err := d.data.ListDeadLetters(d.ctx, store.DeadLetterFilter{ExecutionID: id}, store.Page{Limit: 100})
	if err != nil {
		return nil, err
	}
	var out []execution.Event
	for _, l := range slices.Backward(list.Items) {
		e, err := execution.DecodeEvent(l.Event)
		if err != nil {
			return nil, err
		}
		out = append(out, e)
	}
	return out, nil
}

func (d *durable) close() {
	d.stop()
	d.free()
}
