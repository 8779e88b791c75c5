package actor

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/durachart/durachart/store"
)

// Under load every call is either acknowledged and durable, or refused and without
// effect; drained runtimes refuse everything, at once.
func TestDrainUnderLoad(t *testing.T) {
	r := start(t, newData(t), Config{}, nil)
	for i := range 20 {
		r.begin(fmt.Sprint("c", i), "counter")
	}
	var ok atomic.Int64
	var wg sync.WaitGroup
	for w := range 64 {
		wg.Go(func() {
			for i := 0; ; i++ {
				_, err := r.Call(bg, fmt.Sprint("c", (w+i)%20), Event{Name: "add"})
				switch {
				case err == nil:
					ok.Add(1)
				case errors.Is(err, ErrDraining):
					return
				default:
					t.Errorf("call: %v", err)
					return
				}
			}
		})
	}
	for ok.Load() < 500 {
		<-time.After(time.Millisecond)
	}
	require.NoError(t, r.Drain(bg))
	wg.Wait()
	require.NoError(t, <-r.ended)
	require.NoError(t, r.Drain(bg), "idempotent")
	applied := int64(0)
	for i := range 20 {
		applied += int64(len(r.seen(fmt.Sprint("c", i))))
	}
	assert.Equal(t, ok.Load(), applied)

	_, err := r.Start(bg, StartRequest{ID: "x", Chart: "lamp"})
	assert.ErrorIs(t, err, ErrDraining)
	_, err = r.Send(bg, "c1", Event{Name: "add"})
	assert.ErrorIs(t, err, ErrDraining)
	assert.ErrorIs(t, r.WaitIdle(bg), ErrDraining)
	assert.ErrorIs(t, r.Ready(bg), ErrDraining)
	assert.Error(t, r.Run(bg))
}

// A drain waits for a step that runs; when its own context ends first the step is
// cut off, what was not applied stays in the store, and nothing is left running.
func TestADrainThatIsCutShort(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := start(t, newData(t), Config{}, nil)
		r.begin("c", "counter")
		r.send("c", "slow") // a minute, or until its context ends
		synctest.Wait()
		r.send("c", "add")
		ctx, cancel := context.WithTimeout(bg, time.Second)
		defer cancel()
		began := time.Now()
		assert.ErrorIs(t, r.Drain(ctx), context.DeadlineExceeded)
		assert.Equal(t, time.Second, time.Since(began))
		assert.NoError(t, <-r.ended)

		next := start(t, r.data, Config{}, nil)
		next.idle()
		var c tally
		decode(t, next.get("c").Context, &c)
		assert.Equal(t, 2, c.N)
		next.end()
	})
}

// Run drains when its context ends, and returns nil.
func TestRunDrainsWhenItsContextEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		data := newData(t)
		r, err := New(Config{Store: data, Charts: defaultCharts(), Handlers: handlers(), DrainTimeout: 2 * time.Minute})
		require.NoError(t, err)
		ctx, cancel := context.WithCancel(bg)
		ended := make(chan error)
		go func() { ended <- r.Run(ctx) }()
		_, err = r.Start(bg, StartRequest{ID: "c", Chart: "counter"})
		require.NoError(t, err)
		answered := make(chan error)
		go func() {
			_, err := r.Call(bg, "c", Event{Name: "slow"})
			answered <- err
		}()
		synctest.Wait()
		cancel()
		assert.NoError(t, <-answered, "its step takes a minute")
		assert.NoError(t, <-ended)
		assert.Error(t, r.Run(bg), "once")
	})
}

// A runtime that never ran can be drained.
func TestDrainWithoutRun(t *testing.T) {
	r, err := New(Config{Store: newData(t), Charts: defaultCharts(), Handlers: handlers()})
	require.NoError(t, err)
	ctx, cancel := context.WithTimeout(bg, 10*time.Millisecond)
	defer cancel()
	_, err = r.Call(ctx, "x", Event{Name: "add"})
	assert.ErrorIs(t, err, context.DeadlineExceeded, "calls wait for Run")
	require.NoError(t, r.Drain(bg))
	_, err = r.Call(bg, "x", Event{Name: "add"})
	assert.ErrorIs(t, err, ErrDraining)
}

// A store that can never serve ends Run, and calls say why.
func TestAMisconfiguredStoreEndsRun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &faulty{}
		r := startFaulty(t, f, func(method, _ string) error {
			if method == "ready" {
				return fmt.Errorf("no index: %w", store.ErrMisconfigured)
			}
			return nil
		})
		assert.ErrorIs(t, <-r.ended, ErrMisconfigured)
		_, err := r.Start(bg, StartRequest{ID: "x", Chart: "lamp"})
		assert.ErrorIs(t, err, ErrMisconfigured)
		require.NoError(t, r.Drain(bg))
	})
}

// A store that is not up yet is waited for.
func TestRunWaitsForTheStore(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &faulty{}
		r := startFaulty(t, f, down)
		time.AfterFunc(10*time.Second, func() { f.script(nil, nil) })
		r.begin("c", "counter")
		r.end()
	})
}

// A part of the runtime that fails is started again.
func TestAPartThatFailsIsStartedAgain(t *testing.T) {
	withFaults(t, Config{}, func(r *rig, f *faulty) {
		r.begin("c", "counter")
		r.passivate()
		f.script(func(method, _ string) error {
			if method == "poll" {
				panic("a bug in a store")
			}
			return nil
		}, nil)
		time.Sleep(time.Minute)
		f.script(nil, nil)
		push(t, r.data, "c", "e1", "add")
		time.Sleep(time.Minute)
		synctest.Wait()
		assert.Equal(t, []string{"e1"}, r.seen("c"))
	})
}

// What a drain may take is bounded: then the steps that still run are cut off.
func TestRunEndsAfterItsDrainTimeout(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r, err := New(Config{Store: newData(t), Charts: defaultCharts(), Handlers: handlers()})
		require.NoError(t, err)
		ctx, cancel := context.WithCancel(bg)
		ended := make(chan error)
		go func() { ended <- r.Run(ctx) }()
		_, err = r.Start(bg, StartRequest{ID: "c", Chart: "counter"})
		require.NoError(t, err)
		answered := make(chan error, 1)
		go func() {
			_, err := r.Call(bg, "c", Event{Name: "slow"})
			answered <- err
		}()
		synctest.Wait()
		began := time.Now()
		cancel()
		assert.NoError(t, <-ended)
		assert.Equal(t, 10*time.Second, time.Since(began))
		assert.ErrorIs(t, <-answered, ErrDraining)
	})
}
