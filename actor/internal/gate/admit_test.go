package gate_test

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/durachart/durachart/actor/internal/gate"
)

func TestCallsOfOneExecutionRunInOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var got []int
		g := doing(t, gate.Config{Size: 2}, func(_ string, c *gate.Call) error {
			got = append(got, c.Work.(int))
			return nil
		})
		var wg sync.WaitGroup
		for i := range 50 { // far more than there is room for
			wg.Go(func() { assert.NoError(t, g.Do(bg, "a", &gate.Call{Work: i}, false)) })
			synctest.Wait()
		}
		wg.Wait()
		for i, n := range got {
			assert.Equal(t, i, n)
		}
		assert.Len(t, got, 50)
	})
}

func TestAFullQueueFailsOrWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBlocker()
		g := doing(t, gate.Config{Size: 2, Batch: 1}, b.do)
		var wg sync.WaitGroup
		for range 3 { // one runs, two are queued
			wg.Go(func() { assert.NoError(t, g.Do(bg, "a", &gate.Call{}, false)) })
		}
		synctest.Wait()
		assert.ErrorIs(t, g.Do(bg, "a", &gate.Call{}, true), gate.ErrFull)
		assert.NoError(t, g.Post("a", &gate.Call{}), "a post never waits for room")
		wg.Go(func() { assert.NoError(t, g.Do(bg, "a", &gate.Call{}, false)) })
		synctest.Wait()
		close(b.release)
		wg.Wait()
		assert.Len(t, b.entered, 5)
	})
}

// 100 patient callers are all served, in order, beside 100 whose contexts end
// while they wait: a slot that a cancelled one leaves is not lost.
func TestCancelledWaitersLeaveTheirSlotsToTheNext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBlocker()
		var order []int
		g := doing(t, gate.Config{Size: 4, Batch: 1}, func(id string, c *gate.Call) error {
			if c.Work == nil {
				return b.do(id, c)
			}
			order = append(order, c.Work.(int))
			return nil
		})
		require.NoError(t, g.Post("a", &gate.Call{}))
		<-b.entered

		ctx, cancel := context.WithCancel(bg)
		var wg sync.WaitGroup
		for i := range 100 {
			wg.Go(func() { assert.NoError(t, g.Do(bg, "a", &gate.Call{Work: i}, false)) })
			synctest.Wait()
			wg.Go(func() {
				assert.ErrorIs(t, g.Do(ctx, "a", &gate.Call{Work: -1}, false), context.Canceled)
			})
			synctest.Wait()
		}
		cancel()
		synctest.Wait()
		close(b.release)
		wg.Wait()
		require.Len(t, order, 100)
		for i, n := range order {
			assert.Equal(t, i, n)
		}
	})
}

// 50 callers give up while one call runs: that one is uncertain, the others have
// certainly no effect, and each is counted once.
func TestACancelledCallIsEitherCertainlyNotAppliedOrUncertain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBlocker()
		var started atomic.Int32
		g := doing(t, gate.Config{}, func(id string, c *gate.Call) error {
			started.Add(1)
			return b.do(id, c)
		})
		var ok, none, unknown atomic.Int32
		ctx, cancel := context.WithCancelCause(bg)
		gaveUp := errors.New("gave up")
		var wg sync.WaitGroup
		for range 50 {
			wg.Go(func() {
				switch err := g.Do(ctx, "a", &gate.Call{}, false); {
				case err == nil:
					ok.Add(1)
				case errors.Is(err, gate.ErrStarted):
					assert.ErrorIs(t, err, gaveUp)
					unknown.Add(1)
				default:
					assert.ErrorIs(t, err, gaveUp)
					none.Add(1)
				}
			})
		}
		synctest.Wait()
		for range 4 {
			b.release <- struct{}{}
			synctest.Wait()
		}
		cancel(gaveUp)
		wg.Wait()
		close(b.release)
		synctest.Wait()
		assert.EqualValues(t, 4, ok.Load())
		assert.EqualValues(t, 1, unknown.Load())
		assert.EqualValues(t, 45, none.Load())
		assert.EqualValues(t, 5, started.Load())
		assert.ErrorIs(t, g.Do(ctx, "a", &gate.Call{}, false), gaveUp, "over before the call")
	})
}

// An unclaimed call, one whose step had no effect and will be tried again, may be
// abandoned for certain.
func TestAnUnclaimedCallMayBeAbandoned(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tries := 0
		g := open(t, gate.Config{New: func(string) gate.Behavior {
			return runFunc(func(calls []*gate.Call, _ bool) (next gate.Next) {
				for _, c := range calls {
					if c.Claim() {
						tries++
						c.Unclaim()
						next.Back = append(next.Back, c)
					}
				}
				next.Pause = time.Minute
				return next
			})
		}})
		ctx, cancel := context.WithTimeout(bg, 150*time.Second)
		defer cancel()
		err := g.Do(ctx, "a", &gate.Call{}, false)
		assert.ErrorIs(t, err, context.DeadlineExceeded)
		assert.NotErrorIs(t, err, gate.ErrStarted)
		assert.Equal(t, 3, tries)
		time.Sleep(time.Hour)
		synctest.Wait()
		assert.Equal(t, 3, tries)
	})
}

func TestUrgentCallsGoFirstAndEndAPause(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var got []string
		g := open(t, gate.Config{Batch: 2, New: func(string) gate.Behavior {
			resting := true
			return runFunc(func(calls []*gate.Call, _ bool) (next gate.Next) {
				for _, c := range calls {
					if c.Urgent {
						resting = false
					}
					if resting {
						next.Back = append(next.Back, c)
						next.Pause = time.Hour
						continue
					}
					c.Claim()
					got = append(got, c.Work.(string))
					c.Finish(nil)
				}
				return next
			})
		}})
		start := time.Now()
		for _, w := range []string{"a", "b", "c"} {
			require.NoError(t, g.Post("x", &gate.Call{Work: w}))
		}
		synctest.Wait()
		assert.Empty(t, got)
		assert.Zero(t, g.Busy(), "a pause is not work")
		require.NoError(t, g.Do(bg, "x", &gate.Call{Work: "now", Urgent: true}, false))
		require.NoError(t, g.Quiet(bg))
		assert.Equal(t, []string{"now", "a", "b", "c"}, got)
		assert.Zero(t, time.Since(start))
	})
}

func TestAPausedEntryComesBackAndIsNotPassivated(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		runs := 0
		g := open(t, gate.Config{IdleAfter: time.Second, New: func(string) gate.Behavior {
			return runFunc(func([]*gate.Call, bool) gate.Next {
				runs++
				return gate.Next{Again: runs < 3, Pause: time.Minute}
			})
		}})
		require.NoError(t, g.Wake("a"))
		synctest.Wait()
		g.Sweep(time.Now().Add(time.Hour), 1)
		assert.Equal(t, 1, g.Active())
		time.Sleep(10 * time.Minute)
		synctest.Wait()
		assert.Equal(t, 3, runs)
		g.Sweep(time.Now().Add(time.Hour), 1)
		assert.Zero(t, g.Active())
	})
}

func TestAPanicAnswersTheCallsInHandAndNoOther(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		made := 0
		g := open(t, gate.Config{Batch: 1, New: func(string) gate.Behavior {
			made++
			return runFunc(func(calls []*gate.Call, _ bool) gate.Next {
				if calls[0].Work == "boom" {
					panic("boom")
				}
				calls[0].Claim()
				calls[0].Finish(nil)
				return gate.Next{}
			})
		}})
		assert.ErrorIs(t, g.Do(bg, "a", &gate.Call{Work: "boom"}, false), gate.ErrPanic)
		assert.NoError(t, g.Do(bg, "a", &gate.Call{Work: "fine"}, false))
		assert.Equal(t, 2, made, "the behaviour that panicked is replaced")
	})
}

func TestPostToReachesOnlyThatIncarnation(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ran := 0
		g := doing(t, gate.Config{}, func(string, *gate.Call) error { ran++; return nil })
		assert.Zero(t, g.Incarnation("a"))
		assert.False(t, g.PostTo("a", 0, &gate.Call{}))
		require.NoError(t, g.Do(bg, "a", &gate.Call{}, false))
		first := g.Incarnation("a")
		assert.True(t, g.PostTo("a", first, &gate.Call{}))
		synctest.Wait()
		assert.Equal(t, 2, ran)

		g.Sweep(time.Now().Add(2*time.Hour), 1)
		require.NoError(t, g.Do(bg, "a", &gate.Call{}, false))
		assert.NotEqual(t, first, g.Incarnation("a"))
		assert.False(t, g.PostTo("a", first, &gate.Call{}))
	})
}

func TestOfferActivatesOnlyWhatIsNotActive(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		wakes := 0
		offered := func() gate.Behavior {
			return runFunc(func(_ []*gate.Call, wake bool) gate.Next {
				if wake {
					wakes++
				}
				return gate.Next{}
			})
		}
		g := doing(t, gate.Config{}, func(string, *gate.Call) error { return nil })
		made, err := g.Offer("a", false, offered)
		assert.True(t, made)
		assert.NoError(t, err)
		synctest.Wait()
		assert.Zero(t, wakes)
		made, err = g.Offer("a", true, offered)
		assert.False(t, made)
		assert.NoError(t, err)
		synctest.Wait()
		assert.Equal(t, 1, wakes)
	})
}
