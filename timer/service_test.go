package timer_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/durachart/durachart/store"
	"github.com/durachart/durachart/timer"
)

func TestATimerThatACommitArmedFiresExactlyWhenItIsDue(t *testing.T) {
	story(t, func(t *testing.T, w *world) {
		w.create("a", nil)
		p := w.process()
		timers := in(map[string]time.Duration{"x": 35 * time.Second, "y": 1500 * time.Millisecond})
		p.Armed("a", w.arm("a", timers), timers)
		before := p.queries.Load()
		after(34 * time.Second)
		assert.Equal(t, []string{"a y +0s"}, w.log())
		assert.Equal(t, before, p.queries.Load(), "without a query")
		after(2 * time.Second)
		assert.Equal(t, []string{"a y +0s", "a x +0s"}, w.log())
		p.kill()
	})
}

func TestATimerBeyondTheHorizonIsReadWhenItComesNear(t *testing.T) {
	story(t, func(t *testing.T, w *world) {
		w.create("a", in(map[string]time.Duration{"x": 61 * time.Minute}))
		p := w.process()
		timers := in(map[string]time.Duration{"x": 61 * time.Minute, "y": 59 * time.Minute})
		p.Armed("a", w.arm("a", timers), timers)
		after(2 * time.Hour)
		assert.Equal(t, []string{"a y +0s", "a x +0s"}, w.log())
		// Every half horizon one query for each 64 shards.
		assert.LessOrEqual(t, p.queries.Load(), int64(4*(120+2)))
		p.kill()
	})
}

func TestTimersAreReadAtTakeoverAndOverdueOnesFireInDueOrder(t *testing.T) {
	story(t, func(t *testing.T, w *world) {
		for _, i := range rand.Perm(500) {
			w.create(fmt.Sprintf("x%03d", i), in(map[string]time.Duration{"t": time.Duration(i) * time.Second}))
		}
		after(1000 * time.Second) // nobody runs
		p := w.process(func(p *process, c *timer.Config) { c.Batch, c.Parallel, c.Page = 10, 10, 20 })
		after(time.Minute)
		require.Len(t, p.given, 500)
		for i := 1; i < 500; i++ {
			assert.False(t, p.given[i].Due.Before(p.given[i-1].Due), "in due order")
		}
		p.kill()
	})
}

func TestNothingFiresEarlyByAClockThatLags(t *testing.T) {
	story(t, func(t *testing.T, w *world) {
		w.create("a", nil)
		// The server's time is known as a lower bound only, here 3 s behind.
		p := w.process(func(_ *process, c *timer.Config) {
			c.Clock = func() time.Time { return time.Now().Add(-3 * time.Second) }
		})
		timers := in(map[string]time.Duration{"x": 10 * time.Second})
		p.Armed("a", w.arm("a", timers), timers)
		after(12999 * time.Millisecond)
		assert.Empty(t, w.log())
		after(time.Millisecond)
		assert.Equal(t, []string{"a x +3s"}, w.log())
		p.kill()
	})
}

func TestADisarmedOrMovedTimerDoesNotFireAtItsOldDate(t *testing.T) {
	story(t, func(t *testing.T, w *world) {
		w.create("a", nil)
		p := w.process()
		timers := in(map[string]time.Duration{"gone": 10 * time.Second, "moved": 10 * time.Second, "stays": 10 * time.Second})
		p.Armed("a", w.arm("a", timers), timers)
		delete(timers, "gone")
		timers["moved"] = timers["moved"].Add(5 * time.Second)
		p.Armed("a", w.arm("a", timers), timers)
		after(time.Minute)
		assert.Equal(t, []string{"a stays +0s", "a moved +0s"}, w.log())
		assert.Zero(t, p.times("a", "gone"))
		p.kill()
	})
}

func TestWhatACommitTellsIsNotUndoneByAnOlderOne(t *testing.T) {
	story(t, func(t *testing.T, w *world) {
		w.create("a", nil)
		p := w.process()
		old := in(map[string]time.Duration{"x": 10 * time.Second})
		first := w.arm("a", old)
		second := w.arm("a", in(map[string]time.Duration{"y": 10 * time.Second}))
		p.Armed("a", second, in(map[string]time.Duration{"y": 10 * time.Second}))
		p.Armed("a", first, old)
		after(time.Minute)
		assert.Zero(t, p.times("a", "x"))
		assert.Equal(t, 1, p.times("a", "y"))
		p.kill()
	})
}

func TestAReadThatIsOlderThanACommitDoesNotUndoIt(t *testing.T) {
	story(t, func(t *testing.T, w *world) {
		w.create("a", in(map[string]time.Duration{"gone": 10 * time.Second}))
		p := w.process(func(p *process, _ *timer.Config) { p.slow = time.Second })
		after(500 * time.Millisecond) // the first read has found it and is on its way back
		p.Armed("a", w.arm("a", nil), nil)
		later := in(map[string]time.Duration{"new": 5 * time.Second})
		w.create("b", later)
		p.Armed("b", 1, later)
		after(time.Minute)
		assert.Zero(t, p.times("a", "gone"))
		assert.Equal(t, []string{"b new +0s"}, w.log(), "committed behind the back of the read")
		p.kill()
	})
}

func TestAFailedFireIsTriedAgainWithABackOff(t *testing.T) {
	story(t, func(t *testing.T, w *world) {
		w.create("a", in(map[string]time.Duration{"x": time.Second}))
		p := w.process()
		p.refuses(func(store.DueTimer) error { return errors.New("no") })
		after(60 * time.Second) // at 1, 2, 4, 8, 16 and 32 s
		assert.Equal(t, 6, p.times("a", "x"))
		assert.Equal(t, 1, p.Overdue())
		assert.Equal(t, 59*time.Second, p.Lag())
		p.refuses(nil)
		after(time.Minute)
		assert.Equal(t, []string{"a x +1m3s"}, w.log())
		assert.Zero(t, p.Overdue())
		assert.Zero(t, p.Lag())
		p.kill()
	})
}

func TestTimersThatNobodyCanFireDoNotHideTheOthers(t *testing.T) {
	story(t, func(t *testing.T, w *world) {
		for i := range 300 { // more than a page
			w.create(fmt.Sprintf("bad%d", i), in(map[string]time.Duration{"x": time.Second}))
		}
		w.create("good", in(map[string]time.Duration{"x": time.Hour}))
		p := w.process(func(_ *process, c *timer.Config) { c.Page = 20 })
		p.refuses(func(d store.DueTimer) error {
			if d.ID != "good" {
				return errors.New("no")
			}
			return nil
		})
		after(2 * time.Hour)
		assert.Equal(t, []string{"good x +0s"}, w.log())
		p.kill()
	})
}

func TestAnExecutionThatIsNotRunHereIsForgotten(t *testing.T) {
	story(t, func(t *testing.T, w *world) {
		w.create("a", in(map[string]time.Duration{"x": time.Second, "y": 2 * time.Second}))
		p := w.process()
		p.refuses(func(store.DueTimer) error { return timer.ErrNotOwned })
		after(30 * time.Second)
		assert.Equal(t, 1, p.times("a", "x"))
		assert.Zero(t, p.times("a", "y"))
		assert.Zero(t, p.Overdue())
		p.kill()
	})
}

func TestAnOutageDelaysAndLosesNothing(t *testing.T) {
	story(t, func(t *testing.T, w *world) {
		for i := range 20 {
			w.create(fmt.Sprintf("x%02d", i), in(map[string]time.Duration{"t": time.Duration(10*i) * time.Second}))
		}
		p := w.process()
		after(5 * time.Second)
		p.down.Store(true)
		after(10 * time.Minute)
		assert.Len(t, w.log(), 1)
		p.down.Store(false)
		after(2 * time.Minute) // the longest back-off of a fire is one
		assert.Len(t, w.log(), 20)
		p.kill()
	})
}

func TestAFullWheelHasAShorterHorizonAndLosesNothing(t *testing.T) {
	story(t, func(t *testing.T, w *world) {
		p := w.process(func(_ *process, c *timer.Config) { c.Held, c.Page = 50, 20 })
		const n = 1000
		for _, i := range rand.Perm(n) {
			id := fmt.Sprintf("x%03d", i)
			timers := in(map[string]time.Duration{"t": time.Duration(100*i) * time.Millisecond})
			w.create(id, timers)
			p.Armed(id, 1, timers)
		}
		after(3 * time.Minute)
		require.Len(t, w.log(), n)
		for _, f := range w.fired {
			assert.Less(t, f.at.Sub(f.due), 300*time.Millisecond, "%s", f.id)
			assert.False(t, f.at.Before(f.due))
		}
		p.kill()
	})
}

func TestManyTimersDueAtOnceAreAllFiredOnce(t *testing.T) {
	story(t, func(t *testing.T, w *world) {
		const n = 5000
		for i := range n {
			w.create(fmt.Sprintf("x%d", i), in(map[string]time.Duration{"t": time.Second}))
		}
		p := w.process(func(_ *process, c *timer.Config) { c.Held, c.Parallel = 1000, 500 })
		after(time.Minute)
		assert.Len(t, w.log(), n)
		assert.Equal(t, n, len(p.given))
		assert.LessOrEqual(t, p.queries.Load(), int64(n/10))
		p.kill()
	})
}

func TestATimerThatIsMovedWhileItFiresFiresAgain(t *testing.T) {
	story(t, func(t *testing.T, w *world) {
		w.create("a", nil)
		p := w.process()
		release := make(chan struct{})
		p.refuses(func(store.DueTimer) error { <-release; return nil })
		timers := in(map[string]time.Duration{"x": time.Second})
		p.Armed("a", w.arm("a", timers), timers)
		after(2 * time.Second)
		assert.Equal(t, 1, p.times("a", "x"))
		timers = in(map[string]time.Duration{"x": time.Second})
		p.Armed("a", w.arm("a", timers), timers)
		after(5 * time.Second)
		assert.Equal(t, 1, p.times("a", "x"), "not two of one timer at the same time")
		close(release)
		after(0)
		assert.Equal(t, 2, p.times("a", "x"))
		assert.Equal(t, []string{"a x +4s"}, w.log())
		p.kill()
	})
}

func TestTimersOfAcquiredShardsAreReadAtOnce(t *testing.T) {
	story(t, func(t *testing.T, w *world) {
		w.create("a", in(map[string]time.Duration{"x": time.Second}))
		owned := []int{}
		p := w.process(func(_ *process, c *timer.Config) { c.Shards = func() []int { return owned } })
		after(10 * time.Second)
		assert.Empty(t, w.log())
		owned = []int{store.ShardOf("a", store.DefaultShards)}
		p.Refill()
		after(0)
		assert.Equal(t, []string{"a x +9s"}, w.log())
		p.kill()
	})
}

func TestWaitIdleWaitsForWhatIsDueAndForNothingElse(t *testing.T) {
	story(t, func(t *testing.T, w *world) {
		p := w.process()
		w.create("a", in(map[string]time.Duration{"x": -time.Second, "y": time.Hour})) // told by nobody
		require.NoError(t, p.WaitIdle(t.Context()))
		assert.Equal(t, []string{"a x +1s"}, w.log())

		w.create("b", in(map[string]time.Duration{"x": -time.Second}))
		p.refuses(func(store.DueTimer) error { return errors.New("no") })
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		assert.ErrorIs(t, p.WaitIdle(ctx), context.DeadlineExceeded)
		p.kill()
	})
}

func TestRunMayBeCalledOnceAndWaitsForEveryDone(t *testing.T) {
	story(t, func(t *testing.T, w *world) {
		w.create("a", in(map[string]time.Duration{"x": 0}))
		p := w.process()
		require.ErrorIs(t, p.Run(t.Context()), timer.ErrRunning)
		p.kill()

		p = w.process()
		release := make(chan struct{})
		w.create("b", in(map[string]time.Duration{"x": 0}))
		p.refuses(func(store.DueTimer) error { <-release; return nil })
		p.Armed("b", 1, in(map[string]time.Duration{"x": 0}))
		after(0)
		p.cancel()
		after(time.Hour)
		select {
		case <-p.done:
			t.Error("Run returned while a timer was with the runtime")
		default:
		}
		close(release)
		require.NoError(t, <-p.done)
		p.Armed("b", 9, in(map[string]time.Duration{"x": 0}))
		assert.Zero(t, p.Overdue(), "after Run it does nothing")
	})
}

func TestNewNamesEveryMistakeAtOnce(t *testing.T) {
	_, err := timer.New(timer.Config{Held: -1, Horizon: -1, BackoffMin: time.Hour})
	assert.ErrorIs(t, err, timer.ErrInvalidConfig)
	for _, field := range []string{"Source", "Target", "Shards", "Held", "Horizon", "BackoffMax"} {
		assert.ErrorContains(t, err, field)
	}
}
