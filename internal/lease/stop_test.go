package lease_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/durachart/durachart/internal/lease"
	"github.com/durachart/durachart/store"
)

// D62: on Release everything is stopped first, then given back with the worker entry, and
// others have it with their next look.
func TestReleaseHandsOver(t *testing.T) {
	in(t, 64, func(w *world) {
		a := w.start("a")
		b := w.start("b")
		w.within(time.Minute, "fair shares", w.fair)
		pass(2 * time.Second)
		stopped := false
		b.lost = func(context.Context, []int) {
			time.Sleep(300 * time.Millisecond) // the line checks that nothing was given back by now
			stopped = true
		}
		began := time.Now()
		require.NoError(w, b.Release(w.Context()))
		require.NoError(w, b.Release(w.Context()), "it is idempotent")
		assert.True(w, stopped)
		assert.Equal(w, 300*time.Millisecond, time.Since(began))
		<-b.ended
		assert.NoError(w, b.result)
		assert.Empty(w, b.Held())
		survey, err := w.data.Survey(w.Context())
		require.NoError(w, err)
		for _, l := range survey.Leases {
			assert.NotEqual(w, b.owner, l.Owner)
		}
		for _, worker := range survey.Workers {
			assert.NotEqual(w, b.owner, worker.Owner)
		}
		w.within(ttl/3+slack, "a has all", func() bool { return len(a.Held()) == 64 })
		assert.Equal(w, lease.HandedOver, seen[lease.Lost](b)[len(seen[lease.Lost](b))-1].Reason)
		assert.Nil(w, seen[lease.Released](b)[len(seen[lease.Released](b))-1].Shards)
	})
}

// The end of Run's context hands over as Release does.
func TestTheEndOfRunHandsOver(t *testing.T) {
	in(t, 16, func(w *world) {
		a := settled(w)
		a.die()
		<-a.ended
		assert.NoError(w, a.result)
		b := w.start("b")
		w.within(slack, "all at once", func() bool { return len(b.Held()) == 16 })
	})
}

// A hand-over is bounded, whatever the store does: then the leases expire.
func TestAHandOverIsBounded(t *testing.T) {
	for name, how := range map[string]condition{"refused": refused, "hanging": hanging} {
		t.Run(name, func(t *testing.T) {
			in(t, 16, func(w *world) {
				a := settled(w)
				a.lost = func(ctx context.Context, _ []int) { <-ctx.Done() }
				a.cut(how)
				began := time.Now()
				err := a.Release(w.Context())
				assert.Error(w, err)
				assert.LessOrEqual(w, time.Since(began), ttl/2)
				w.start("b")
				w.within(ttl+slack, "all", w.allServed)
			})
		})
	}
}

// The caller of Release may be in more of a hurry; the hand-over goes on.
func TestReleaseHonoursItsContext(t *testing.T) {
	in(t, 16, func(w *world) {
		a := settled(w)
		a.lost = func(ctx context.Context, _ []int) { time.Sleep(time.Second) }
		ctx, cancel := context.WithTimeout(w.Context(), time.Millisecond)
		defer cancel()
		assert.ErrorIs(w, a.Release(ctx), context.DeadlineExceeded)
		<-a.ended
		assert.NoError(w, a.Release(w.Context()))
	})
}

// What is given back is stopped first, however long that takes, and the leases of the
// rest are renewed meanwhile.
func TestASlowStopHoldsUpNothingElse(t *testing.T) {
	in(t, 64, func(w *world) {
		a := w.start("a")
		a.lost = func(ctx context.Context, _ []int) { <-ctx.Done() } // the longest that is allowed
		pass(time.Second)
		w.unwatch() // 16 shards at a time rest for a quarter of the ttl
		w.start("b")
		w.within(time.Minute, "fair shares", w.fair)
		for _, lost := range seen[lease.Lost](a) {
			assert.Equal(w, lease.GivenBack, lost.Reason)
		}
	})
}

// Shards whose actors do not stop are given up all the same, and are not had again by
// this process before they have stopped.
func TestWhatDoesNotStopIsGivenUp(t *testing.T) {
	in(t, 64, func(w *world) {
		hung := make(chan struct{})
		stop := sync.OnceFunc(func() { close(hung) })
		defer stop()
		a := w.start("a")
		a.careless = true
		a.lost = func(context.Context, []int) { <-hung }
		pass(time.Second)
		b := w.start("b")
		w.within(time.Minute, "fair shares", w.fair)
		var given []int
		for _, lost := range seen[lease.Lost](a) {
			given = append(given, lost.Shards...)
		}
		require.Len(w, given, 32)
		w.unwatch() // nobody is there to take them
		b.kill()
		pass(3 * ttl)
		assert.Len(w, a.Held(), 32)
		stop()
		w.within(ttl/3+time.Second+slack, "all again", w.allServed)
	})
}

// An outage that is shorter than what stops: nothing is had again before it has stopped.
func TestNothingIsGainedBeforeItHasStopped(t *testing.T) {
	in(t, 16, func(w *world) {
		a := settled(w)
		a.lost = func(ctx context.Context, _ []int) { time.Sleep(3 * time.Second) }
		over := w.trouble()
		a.cut(refused)
		pass(2*ttl/3 - 2*time.Second)
		require.Len(w, seen[lease.Lost](a), 1)
		a.cut(well)
		over()
		pass(2 * time.Second)
		assert.Empty(w, a.Held())
		w.within(time.Second+slack, "all", w.allServed)
		assert.Len(w, seen[lease.Gained](a), 2)
	})
}

// Failures that trying again cannot mend end Run; what runs is stopped.
func TestAFatalFailureEndsRun(t *testing.T) {
	for _, fatal := range []error{store.ErrMisconfigured, store.ErrUnsupported, store.ErrClosed} {
		in(t, 16, func(w *world) {
			a := settled(w)
			w.unwatch()
			a.failWith(fatal)
			w.within(ttl, "the end of Run", a.hasEnded)
			assert.ErrorIs(w, a.result, fatal)
			assert.Empty(w, a.Held())
			require.Len(w, seen[lease.Lost](a), 1)
			assert.ErrorIs(w, a.First(w.Context()), nil)
		})
	}
}

func TestRunOnce(t *testing.T) {
	in(t, 16, func(w *world) {
		a := settled(w)
		assert.ErrorIs(w, a.Run(w.Context()), lease.ErrRunning)
		b := w.prepare("b")
		require.NoError(w, b.Release(w.Context()))
		assert.ErrorIs(w, b.Run(w.Context()), lease.ErrRunning)
		assert.ErrorIs(w, b.First(w.Context()), lease.ErrEnded)
		assert.ErrorIs(w, b.Joined(w.Context()), lease.ErrEnded)

		c := w.prepare("c")
		ctx, cancel := context.WithCancel(w.Context())
		cancel()
		assert.ErrorIs(w, c.First(ctx), context.Canceled)
		c.run()
		require.NoError(w, c.Joined(w.Context()), "others have everything")
		assert.Empty(w, c.Held())
		require.NoError(w, c.First(w.Context()))
		assert.NotEmpty(w, c.Held())
	})
}

// All mistakes of a config are named at once.
func TestConfig(t *testing.T) {
	_, err := lease.New(lease.Config{TTL: store.MinLeaseTTL - 1, Name: string([]byte{0xff})})
	require.ErrorIs(t, err, lease.ErrInvalidConfig)
	for _, field := range []string{"Store", "Shards", "TTL", "Owner"} {
		assert.ErrorContains(t, err, field)
	}
	_, err = lease.New(lease.Config{Store: nothing{}, Owner: lease.NewOwner("a"), Shards: store.MaxShards + 1, TTL: 13 * time.Hour})
	assert.ErrorContains(t, err, "TTL 13h0m0s")
	assert.ErrorContains(t, err, "Shards 65537")
	_, err = lease.New(lease.Config{Store: nothing{}, Owner: "a", Shards: 1, TTL: store.MinLeaseTTL})
	assert.NoError(t, err)
	assert.NotEqual(t, lease.NewOwner("a"), lease.NewOwner("a"), "of each start")
	assert.Regexp(t, `^host:[0-9a-f]{32}$`, lease.NewOwner("host"))
}
