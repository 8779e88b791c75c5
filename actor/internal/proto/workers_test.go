package proto

import (
	"sync/atomic"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/assert"

	"github.com/durachart/durachart/internal/testmain"
)

func TestMain(m *testing.M) { testmain.Run(m) }

// No more functions run than there are places, and the rest is served in order.
func TestWorkersServeInOrderWithinTheLimit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := &workers{limit: 2}
		step := make(chan struct{})
		var running, most atomic.Int32
		var order []int
		for i := range 10 {
			w.do(func() {
				most.Store(max(most.Load(), running.Add(1)))
				order = append(order, i)
				<-step
				running.Add(-1)
			})
			synctest.Wait()
		}
		for range 10 {
			step <- struct{}{}
			synctest.Wait()
		}
		assert.EqualValues(t, 2, most.Load())
		assert.Equal(t, []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, order)
		assert.Zero(t, w.running)
		w.close()
	})
}

// Who leaves lets another run; who comes back waits for a place, behind those who
// were there before.
func TestWhoLeavesLetsAnotherRun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := &workers{limit: 1}
		back, second, third := make(chan struct{}), make(chan struct{}), make(chan struct{})
		var order []string
		w.do(func() {
			w.leave()
			<-back
			w.enter()
			order = append(order, "first, again")
		})
		w.do(func() { order = append(order, "second"); <-second })
		synctest.Wait()
		assert.Equal(t, []string{"second"}, order)
		w.do(func() { order = append(order, "third"); <-third })
		close(back)
		synctest.Wait()
		assert.Equal(t, []string{"second"}, order, "no place yet")
		close(second)
		synctest.Wait()
		assert.Equal(t, []string{"second", "third"}, order, "it was there before")
		close(third)
		synctest.Wait()
		assert.Equal(t, []string{"second", "third", "first, again"}, order)

		// A goroutine that is none of the workers' takes a place too.
		w.enter()
		w.do(func() { order = append(order, "last") })
		synctest.Wait()
		assert.Len(t, order, 3)
		w.leave()
		synctest.Wait()
		assert.Len(t, order, 4)
		assert.Zero(t, w.running)
		w.close()
	})
}

// A crowd of leavers and comers ends with every place free.
func TestNoPlaceIsLost(t *testing.T) {
	w := &workers{limit: 3}
	done := make(chan struct{}, 1000)
	for range 1000 {
		go w.do(func() {
			w.leave()
			w.enter()
			w.leave()
			w.enter()
			done <- struct{}{}
		})
	}
	for range 1000 {
		<-done
	}
	w.close()
	assert.Zero(t, w.running)
	assert.Zero(t, len(w.queue)-w.head)
}
