package actor

import (
	"fmt"
	"runtime"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// 100,000 calls while executions leave memory and come back all the time: none is
// lost, none is applied twice.
func TestCallsOnThePassivationDeadline(t *testing.T) {
	const ids, callers, each = 200, 100, 1000
	r := start(t, newData(t), Config{IdleAfter: 2 * time.Millisecond}, nil)
	for i := range ids {
		r.begin(fmt.Sprint("l", i), "lamp")
	}
	var wg sync.WaitGroup
	for c := range callers {
		wg.Go(func() {
			for i := range each {
				if _, err := r.Call(bg, fmt.Sprint("l", (c*7+i*13)%ids), Event{Name: "nothing"}); err != nil {
					t.Errorf("call: %v", err)
					return
				}
				if i%50 == 0 {
					<-time.After(2 * time.Millisecond)
				}
			}
		})
	}
	wg.Wait()
	commits := int64(0)
	for i := range ids {
		e := r.get(fmt.Sprint("l", i))
		commits += e.Revision
	}
	stats := r.Stats()
	assert.EqualValues(t, callers*each+ids, stats.Steps)
	assert.Equal(t, stats.Commits, commits)
	assert.Greater(t, stats.Passivated, int64(1000), "the test must meet the edge")
	r.end()
}

// An idle execution leaves memory, and leaves nothing behind.
func TestIdleExecutionsLeaveMemory(t *testing.T) {
	within(t, Config{IdleAfter: time.Minute}, func(r *rig) {
		for i := range 100 {
			r.begin(fmt.Sprint("l", i), "lamp")
		}
		assert.Equal(t, 100, r.Stats().Active)
		time.Sleep(3 * time.Minute)
		synctest.Wait()
		assert.Zero(t, r.Stats().Active)
		r.call("l1", "smash")
		synctest.Wait()
		assert.Zero(t, r.Stats().Active, "an ended one leaves at once")
	})
}

// Memory is bounded: beyond MaxActive idle executions make room.
func TestMaxActiveBoundsMemory(t *testing.T) {
	within(t, Config{MaxActive: 10}, func(r *rig) {
		for i := range 100 {
			r.begin(fmt.Sprint("l", i), "lamp")
		}
		synctest.Wait()
		assert.LessOrEqual(t, r.Stats().Active, 11)
		for i := range 100 {
			r.call(fmt.Sprint("l", i), "switch")
		}
	})
}

// An idle active execution is a snapshot and a few words: under 3 KiB.
func TestMemoryOfAnIdleExecution(t *testing.T) {
	const n = 5000
	r := start(t, newData(t), Config{}, nil)
	for i := range n {
		r.begin(fmt.Sprint("l", i), "lamp")
		r.call(fmt.Sprint("l", i), "switch")
	}
	require.Equal(t, n, r.Stats().Active)
	with := heap()
	r.gate.Forget(func(string) bool { return true })
	require.Zero(t, r.Stats().Active)
	each := (int64(with) - int64(heap())) / n
	t.Logf("%d bytes an execution", each)
	assert.Less(t, each, int64(3<<10))
	r.end()
}

func heap() uint64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// Many timers that are due at once all fire, once each, and wake executions that
// have left memory.
func TestManyTimersFireTogether(t *testing.T) {
	within(t, Config{MaxActive: 100}, func(r *rig) {
		const n = 3000
		for i := range n {
			_, err := r.Start(bg, StartRequest{ID: fmt.Sprint("l", i), Chart: "lamp"})
			require.NoError(t, err)
			r.call(fmt.Sprint("l", i), "switch")
		}
		time.Sleep(2 * time.Minute)
		r.idle()
		off, err := r.Count(bg, Filter{Leaf: "off"}, 0)
		require.NoError(t, err)
		assert.Equal(t, n, off)
		assert.EqualValues(t, 3*n, r.Stats().Commits, "start, switch, timeout")
	})
}
