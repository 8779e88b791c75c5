package gate_test

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/durachart/durachart/actor/internal/gate"
)

// What was admitted is finished, what was not is refused, and nothing is both.
func TestDrainFinishesWhatWasAdmitted(t *testing.T) {
	var applied atomic.Int64
	g := doing(t, gate.Config{}, func(string, *gate.Call) error { applied.Add(1); return nil })
	var ok, refused atomic.Int64
	var wg sync.WaitGroup
	for c := range 64 {
		wg.Go(func() {
			for i := 0; ; i++ {
				switch err := g.Do(bg, fmt.Sprint("ex-", (c+i)%20), &gate.Call{}, false); err {
				case nil:
					ok.Add(1)
				case gate.ErrClosed:
					refused.Add(1)
					return
				default:
					t.Errorf("call: %v", err)
					return
				}
			}
		})
	}
	for ok.Load() < 2000 {
		<-time.After(time.Millisecond)
	}
	require.NoError(t, g.Drain(bg))
	wg.Wait()
	assert.Equal(t, ok.Load(), applied.Load())
	assert.EqualValues(t, 64, refused.Load())
	require.NoError(t, g.Drain(bg), "idempotent")
}

// Callers that wait for room learn of the drain at once, not when their deadline
// is over.
func TestDrainRefusesThoseWhoWaitForRoom(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBlocker()
		g := doing(t, gate.Config{Size: 3, Batch: 1}, b.do)
		var ok, refused atomic.Int32
		var wg sync.WaitGroup
		for range 50 {
			wg.Go(func() {
				switch err := g.Do(bg, "a", &gate.Call{}, false); err {
				case nil:
					ok.Add(1)
				case gate.ErrClosed:
					refused.Add(1)
				}
			})
		}
		synctest.Wait()
		done := make(chan error)
		go func() { done <- g.Drain(bg) }()
		synctest.Wait()
		assert.EqualValues(t, 46, refused.Load(), "one runs, three are queued")
		assert.ErrorIs(t, g.Wake("a"), gate.ErrClosed)
		assert.ErrorIs(t, g.Post("b", &gate.Call{}), gate.ErrClosed)
		close(b.release)
		assert.NoError(t, <-done)
		wg.Wait()
		assert.EqualValues(t, 4, ok.Load())
	})
}

func TestDrainEndsWithItsContextAndCloseRefusesTheRest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBlocker()
		g := doing(t, gate.Config{Batch: 1}, b.do)
		errs := make(chan error, 2)
		for range 2 {
			go func() { errs <- g.Do(bg, "a", &gate.Call{}, false) }()
			synctest.Wait()
		}
		ctx, cancel := context.WithTimeout(bg, time.Second)
		defer cancel()
		assert.ErrorIs(t, g.Drain(ctx), context.DeadlineExceeded)

		closed := make(chan struct{})
		go func() { g.Close(); close(closed) }()
		assert.ErrorIs(t, <-errs, gate.ErrClosed)
		b.release <- struct{}{}
		assert.NoError(t, <-errs)
		<-closed
		assert.Zero(t, g.Active())
	})
}

// A call that rests in a pause is refused by a drain, be it paused before or
// during it.
func TestDrainRefusesWhatRestsInAPause(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		hold := make(chan struct{})
		g := open(t, gate.Config{New: func(id string) gate.Behavior {
			return runFunc(func(calls []*gate.Call, _ bool) gate.Next {
				if id == "later" {
					<-hold
				}
				return gate.Next{Back: slices.Clone(calls), Pause: time.Hour}
			})
		}})
		errs := make(chan error, 2)
		go func() { errs <- g.Do(bg, "before", &gate.Call{}, false) }()
		go func() { errs <- g.Do(bg, "later", &gate.Call{}, false) }()
		synctest.Wait()
		drained := make(chan error)
		go func() { drained <- g.Drain(bg) }()
		assert.ErrorIs(t, <-errs, gate.ErrClosed)
		close(hold)
		assert.ErrorIs(t, <-errs, gate.ErrClosed)
		assert.NoError(t, <-drained)
	})
}
