package actor

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A request id repeats a start, not the events that come with it (P1).
func TestSendOrStartOfARepeatedRequestKeepsItsEvent(t *testing.T) {
	within(t, Config{}, func(r *rig) {
		for i := range 3 {
			start := StartRequest{ID: "c", Chart: "counter", RequestID: "r"}
			_, err := r.SendOrStart(bg, start, Event{ID: fmt.Sprint("e", i), Name: "add"})
			require.NoError(t, err)
			_, err = r.SendOrStart(bg, start, Event{ID: "e0", Name: "add"})
			require.NoError(t, err, "a repeated event is success, and adds nothing")
			r.idle()
			r.passivate()
		}
		assert.Equal(t, []string{"e0", "e1", "e2"}, r.seen("c"))
	})
}

// One key may name a start and an event: neither stands for the other (P1, D14).
func TestAStartAndAnEventMayHaveTheSameKey(t *testing.T) {
	within(t, Config{}, func(r *rig) {
		start := StartRequest{ID: "c", Chart: "counter", RequestID: "k"}
		_, err := r.SendOrStart(bg, start, Event{ID: "k", Name: "add"})
		require.NoError(t, err)
		r.idle()
		assert.Equal(t, []string{"k"}, r.seen("c"))

		start.ID = "d"
		_, err = r.Start(bg, start)
		require.NoError(t, err)
		reply, err := r.Call(bg, "d", Event{ID: "k", Name: "add"})
		require.NoError(t, err)
		assert.Equal(t, Applied, reply.Disposition)
		reply, err = r.Start(bg, start)
		require.NoError(t, err)
		assert.Equal(t, Known, reply.Disposition)
	})
}
