package actor

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A hot call on the memory store allocates little, the interpreter and the store
// included.
func TestAllocationsOfAHotCall(t *testing.T) {
	r := start(t, newData(t), Config{}, nil)
	r.begin("l", "lamp")
	ev := Event{Name: "nothing"}
	n := testing.AllocsPerRun(1000, func() {
		_, err := r.Call(bg, "l", ev)
		require.NoError(t, err)
	})
	t.Logf("%.0f allocations", n)
	assert.Less(t, n, 40.0)
	r.end()
}
