package storetest

import (
	"math"
	"sync"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/durachart/durachart/store"
)

// counterCases are those of store.Counters (D67).
var counterCases = []Case{
	{ID: "CT1", Says: "100 x 100 blocks of mixed size are unique; n < 1 and overflow are ErrInvalidArgument", run: blocksAreUnique},
}

func blocksAreUnique(e *env) {
	var mu sync.Mutex
	taken := map[int64]bool{}
	errs := race(100, func(i int) error {
		last := int64(0)
		for k := range 100 {
			n := int64(1 + (i+k)%7)
			first, err := e.NextBlock(e.ctx, "$numbers", n)
			if err != nil {
				return err
			}
			mu.Lock()
			for v := first; v < first+n; v++ {
				assert.False(e, taken[v], "%d was given out twice", v)
				taken[v] = true
			}
			mu.Unlock()
			assert.Greater(e, first, last, "increasing")
			last = first + n - 1
		}
		return nil
	})
	require.Len(e, successes(errs), 100)
	first, err := e.NextBlock(e.ctx, "another", 1)
	require.NoError(e, err)
	assert.LessOrEqual(e, first, int64(1), "each name counts for itself")
	for _, n := range []int64{0, -1, math.MaxInt64} {
		_, err := e.NextBlock(e.ctx, "$numbers", n)
		require.ErrorIs(e, err, store.ErrInvalidArgument, "%d", n)
	}
	_, err = e.NextBlock(e.ctx, "", 1)
	require.ErrorIs(e, err, store.ErrInvalidArgument)
	_, err = e.NextBlock(e.ctx, "$numbers", 1)
	require.NoError(e, err, "a refused block spoils nothing")
}
