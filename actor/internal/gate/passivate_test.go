package gate_test

import (
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/durachart/durachart/actor/internal/gate"
)

// Callers wait just as long as an entry may be idle before they call again, so
// that calls and passivation meet all the time. None of 100,000 calls is lost,
// and two runs of one execution never overlap, across incarnations too.
func TestNoCallIsLostOnThePassivationEdge(t *testing.T) {
	const (
		callers = 200
		each    = 500
		ids     = 400
	)
	var ran [ids]atomic.Int64
	var inside [ids]atomic.Int32
	var overlaps atomic.Int32
	g := doing(t, gate.Config{IdleAfter: 2 * time.Millisecond}, func(_ string, c *gate.Call) error {
		n := c.Work.(int)
		if inside[n].Add(1) != 1 {
			overlaps.Add(1)
		}
		ran[n].Add(1)
		inside[n].Add(-1)
		return nil
	})
	sweeping(t, g, time.Millisecond)

	var wg sync.WaitGroup
	for c := range callers {
		wg.Go(func() {
			for i := range each {
				n := (c*7 + i*13) % ids
				if err := g.Do(bg, fmt.Sprint("ex-", n), &gate.Call{Work: n}, false); err != nil {
					t.Errorf("call: %v", err)
				}
				if i%10 == 0 {
					<-time.After(2 * time.Millisecond) // the idle deadline
				}
			}
		})
	}
	wg.Wait()

	total := int64(0)
	for i := range ran {
		total += ran[i].Load()
	}
	assert.EqualValues(t, callers*each, total)
	assert.Zero(t, overlaps.Load())
	assert.Greater(t, g.Passivated(), int64(1000), "the test must meet the edge")
}

// Wakes are not lost on the edge either: after the last wake there is a run.
func TestNoWakeIsLostOnThePassivationEdge(t *testing.T) {
	const ids, rounds = 50, 200
	var written, seen [ids]atomic.Int64
	g := open(t, gate.Config{IdleAfter: time.Millisecond, New: func(id string) gate.Behavior {
		var n int
		fmt.Sscanf(id, "ex-%d", &n)
		return runFunc(func(_ []*gate.Call, wake bool) gate.Next {
			if wake {
				seen[n].Store(written[n].Load())
			}
			return gate.Next{}
		})
	}})
	sweeping(t, g, time.Millisecond)
	var wg sync.WaitGroup
	for n := range ids {
		wg.Go(func() {
			for i := range rounds {
				written[n].Add(1)
				if err := g.Wake(fmt.Sprint("ex-", n)); err != nil {
					t.Errorf("wake: %v", err)
				}
				if i%10 == 0 {
					<-time.After(time.Millisecond)
				}
			}
		})
	}
	wg.Wait()
	require.NoError(t, g.Quiet(bg))
	for n := range ids {
		assert.EqualValues(t, rounds, seen[n].Load())
	}
}

func TestIdleEntriesGoAndBusyOnesStay(t *testing.T) {
	b := newBlocker()
	g := doing(t, gate.Config{IdleAfter: time.Minute}, func(id string, c *gate.Call) error {
		if id == "busy" {
			return b.do(id, c)
		}
		return nil
	})
	require.NoError(t, g.Do(bg, "idle", &gate.Call{}, false))
	require.NoError(t, g.Post("busy", &gate.Call{}))
	<-b.entered
	require.NoError(t, waitBusy(g, 1))

	g.Sweep(time.Now().Add(30*time.Second), 1)
	assert.Equal(t, 2, g.Active(), "too early")
	g.Sweep(time.Now().Add(2*time.Hour), 1)
	assert.Equal(t, 1, g.Active())
	assert.NotZero(t, g.Incarnation("busy"))
	close(b.release)
}

// waitBusy waits until n entries are busy: an answered call's entry is busy for a
// moment longer.
func waitBusy(g *gate.Gate, n int) error {
	for deadline := time.Now().Add(10 * time.Second); time.Now().Before(deadline); {
		if g.Busy() == n {
			return nil
		}
		<-time.After(time.Millisecond)
	}
	return fmt.Errorf("%d entries are busy", g.Busy())
}

func TestMaxActiveMakesRoomForNewEntries(t *testing.T) {
	g := doing(t, gate.Config{MaxActive: 100}, func(string, *gate.Call) error { return nil })
	for i := range 5000 {
		require.NoError(t, g.Do(bg, fmt.Sprint(i), &gate.Call{}, false))
	}
	require.NoError(t, g.Quiet(bg))
	assert.LessOrEqual(t, g.Active(), 101)
}

func TestLeaveEndsAnEntryWhenItGetsIdle(t *testing.T) {
	g := open(t, gate.Config{New: func(string) gate.Behavior {
		return runFunc(func(calls []*gate.Call, _ bool) gate.Next {
			for _, c := range calls {
				c.Claim()
				c.Finish(nil)
			}
			return gate.Next{Leave: true}
		})
	}})
	require.NoError(t, g.Do(bg, "a", &gate.Call{}, false))
	require.NoError(t, g.Quiet(bg))
	assert.Zero(t, g.Active())
}

func TestForgetPassivatesWhatMatches(t *testing.T) {
	b := newBlocker()
	g := doing(t, gate.Config{}, func(id string, c *gate.Call) error {
		if id == "busy" {
			return b.do(id, c)
		}
		return nil
	})
	require.NoError(t, g.Do(bg, "stays", &gate.Call{}, false))
	require.NoError(t, g.Do(bg, "idle", &gate.Call{}, false))
	require.NoError(t, g.Post("busy", &gate.Call{}))
	<-b.entered
	require.NoError(t, waitBusy(g, 1))
	g.Forget(func(id string) bool { return id != "stays" })
	assert.Zero(t, g.Incarnation("idle"))
	assert.NotZero(t, g.Incarnation("busy"))
	close(b.release)
	require.NoError(t, g.Quiet(bg))
	assert.Zero(t, g.Incarnation("busy"))
	assert.NotZero(t, g.Incarnation("stays"))
}
