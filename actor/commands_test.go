package actor

import (
	"sync"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Each way in costs what it must and no more (architecture, section 3).
func TestCommandsOfEachWayIn(t *testing.T) {
	within(t, Config{}, func(r *rig) {
		assert.Equal(t, sent{"insert c": 1}, r.cmds.of(func() { r.begin("c", "counter") }), "Start is one insert")
		assert.Equal(t, sent{"update c": 1}, r.cmds.of(func() { r.call("c", "add") }), "a hot Call is one commit")
		assert.Equal(t, sent{"update c": 2}, r.cmds.of(func() { r.send("c", "add") }), "a hot Send is a push and a commit")

		r.passivate()
		assert.Equal(t, sent{"aggregate c": 1, "update c": 1}, r.cmds.of(func() { r.call("c", "add") }), "a cold Call is a load and a commit")
		r.passivate()
		assert.Equal(t, sent{"update c": 2, "aggregate c": 1}, r.cmds.of(func() { r.send("c", "add") }), "a cold Send is a push, a load and a commit")
		assert.Equal(t, sent{"find c": 1}, r.cmds.of(func() { r.get("c") }))

		assert.Equal(t, sent{"insert d": 1, "update d": 1}, r.cmds.of(func() {
			_, err := r.SendOrStart(bg, StartRequest{ID: "d", Chart: "counter"}, Event{Name: "add"})
			require.NoError(t, err)
		}), "SendOrStart of a new one is an insert, and a commit for the event")
	})
}

// What waits while a commit is under way goes into the next one, 16 at a time,
// each its own step and trace entry; every caller is answered after the commit.
func TestWaitingEventsShareACommit(t *testing.T) {
	within(t, Config{Trace: true}, func(r *rig) {
		r.begin("c", "counter")
		started := make(chan struct{})
		gate := make(chan struct{})
		r.onCommand("update c", func() { close(started); <-gate })
		var wg sync.WaitGroup
		wg.Go(func() { r.call("c", "add") })
		<-started
		replies := make([]Reply, 40)
		for i := range replies {
			wg.Go(func() { replies[i] = r.call("c", "add") })
			synctest.Wait()
		}
		spent := r.cmds.of(func() { close(gate); wg.Wait() })
		assert.Equal(t, sent{"update c": 3}, spent, "16 + 16 + 8")
		var c tally
		decode(t, r.get("c").Context, &c)
		assert.Equal(t, 41, c.N)
		for i, reply := range replies {
			decode(t, reply.Context(), &c)
			assert.Equal(t, i+2, c.N, "each reply is of its own step")
		}
		steps, err := r.Trace(bg, "c")
		require.NoError(t, err)
		assert.Len(t, steps, 42)
	})
}

// Two events that are in the inbox already are one load and one commit.
func TestAFoundInboxIsOneCommit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		first := start(t, newData(t), Config{}, nil)
		first.begin("c", "counter")
		first.end()
		for _, id := range []string{"e1", "e2"} {
			push(t, first.data, "c", id, "add")
		}
		r := start(t, first.data, Config{}, nil)
		r.idle()
		assert.Equal(t, []string{"e1", "e2"}, r.seen("c"))
		assert.EqualValues(t, 2, r.get("c").Revision)
		assert.EqualValues(t, 1, r.Stats().Commits)
		r.end()
	})
}
