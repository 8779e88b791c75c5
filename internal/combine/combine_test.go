package combine_test

import (
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/durachart/durachart/internal/combine"
	"github.com/durachart/durachart/internal/testmain"
)

func TestMain(m *testing.M) { testmain.Run(m) }

func TestALoneItemGoesAtOnceAndWhatArrivesMeanwhileGoesTogetherInOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var groups [][]int
		c := combine.New(1, 3, func(g []int) {
			groups = append(groups, g)
			time.Sleep(time.Second)
		})
		c.Add(1)
		synctest.Wait()
		for i := 2; i <= 6; i++ {
			c.Add(i)
		}
		time.Sleep(time.Minute)
		c.Close()
		assert.Equal(t, [][]int{{1}, {2, 3, 4}, {5, 6}}, groups)
	})
}

func TestEverySlotIsUsedBeforeAnythingWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var running, most atomic.Int32
		c := combine.New(2, 10, func([]int) {
			most.Store(max(most.Load(), running.Add(1)))
			time.Sleep(time.Second)
			running.Add(-1)
		})
		c.Add(1)
		synctest.Wait()
		c.Add(2)
		synctest.Wait()
		assert.EqualValues(t, 2, running.Load(), "the second item took the free slot")
		c.Add(3)
		synctest.Wait()
		assert.EqualValues(t, 2, running.Load())
		c.Close()
		assert.EqualValues(t, 2, most.Load())
	})
}

func TestGroupsOfOneMakeABoundedPool(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var done atomic.Int32
		c := combine.New(4, 1, func(g []int) {
			assert.Len(t, g, 1)
			time.Sleep(time.Second)
			done.Add(1)
		})
		c.Add(make([]int, 10)...)
		time.Sleep(1500 * time.Millisecond)
		assert.EqualValues(t, 4, done.Load())
		time.Sleep(2 * time.Second)
		assert.EqualValues(t, 10, done.Load())
		c.Close()
	})
}

func TestCloseForgetsTheQueueAndWaitsForTheRest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var ran []int
		c := combine.New(1, 1, func(g []int) {
			time.Sleep(time.Second)
			ran = append(ran, g...)
		})
		c.Add(1, 2, 3)
		synctest.Wait()
		c.Close()
		assert.Equal(t, []int{1}, ran)
		c.Add(4)
		synctest.Wait()
		assert.Equal(t, []int{1}, ran)
	})
}

func TestEveryItemOfManyAddersIsRunOnce(t *testing.T) {
	const adders, each = 8, 2000
	var mu sync.Mutex
	seen := map[int]int{}
	c := combine.New(3, 16, func(g []int) {
		mu.Lock()
		defer mu.Unlock()
		for _, i := range g {
			seen[i]++
		}
	})
	var wg sync.WaitGroup
	for a := range adders {
		wg.Go(func() {
			for i := range each {
				c.Add(a*each + i)
			}
		})
	}
	wg.Wait()
	assert.Eventually(t, func() bool {
		mu.Lock()
		defer mu.Unlock()
		return len(seen) == adders*each
	}, 10*time.Second, time.Millisecond)
	c.Close()
	for i, n := range seen {
		assert.Equal(t, 1, n, "item %d", i)
	}
}
