package actor

import (
	"fmt"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// P4: an event id changes an execution once, whichever way it comes again.
func TestAnEventIDIsAppliedOnce(t *testing.T) {
	within(t, Config{}, func(r *rig) {
		r.begin("c", "counter")
		ev := Event{ID: "e1", Name: "add"}
		reply, err := r.Call(bg, "c", ev)
		require.NoError(t, err)
		assert.Equal(t, Applied, reply.Disposition)

		again := func(what string) {
			t.Helper()
			reply, err := r.Call(bg, "c", ev)
			require.NoError(t, err)
			assert.Equal(t, Known, reply.Disposition, what)
			assert.Equal(t, []string{"counting"}, reply.Active)
			_, err = r.Send(bg, "c", ev)
			require.NoError(t, err)
			synctest.Wait()
			assert.Equal(t, []string{"e1"}, r.seen("c"), what)
		}
		again("hot")
		r.passivate()
		again("cold")
		r.passivate()
		reply, err = r.Call(bg, "c", ev)
		require.NoError(t, err)
		assert.Equal(t, Known, reply.Disposition)
	})
}

// A duplicate among new events costs the new ones nothing.
func TestADuplicateAmongNewEvents(t *testing.T) {
	within(t, Config{}, func(r *rig) {
		r.begin("c", "counter")
		_, err := r.Call(bg, "c", Event{ID: "old", Name: "add"})
		require.NoError(t, err)
		release := make(chan struct{})
		started := make(chan struct{})
		r.onCommand("update c", func() { close(started); <-release })
		var wg sync.WaitGroup
		wg.Go(func() { r.call("c", "add") })
		<-started
		got := make([]Reply, 3)
		for i, id := range []string{"n1", "old", "n2"} {
			wg.Go(func() {
				var err error
				got[i], err = r.Call(bg, "c", Event{ID: id, Name: "add"})
				assert.NoError(t, err)
			})
			synctest.Wait()
		}
		close(release)
		wg.Wait()
		assert.Equal(t, Applied, got[0].Disposition)
		assert.Equal(t, Known, got[1].Disposition)
		assert.Equal(t, Applied, got[2].Disposition)
		assert.Equal(t, []string{"n1", "n2"}, r.seen("c")[2:])
	})
}

// A call whose event waits in the inbox gets the outcome of that event.
func TestACallFindsItsEventInTheInbox(t *testing.T) {
	within(t, Config{}, func(r *rig) {
		r.begin("c", "counter")
		r.passivate()
		push(t, r.data, "c", "e0", "add")
		push(t, r.data, "c", "e1", "add")
		reply, err := r.Call(bg, "c", Event{ID: "e1", Name: "add"})
		require.NoError(t, err)
		assert.Equal(t, Applied, reply.Disposition)
		assert.Equal(t, []string{"e0", "e1"}, r.seen("c"))
		assert.EqualValues(t, 2, r.get("c").Revision, "one commit")
	})
}

// P6: what one sender sends one after another is applied in that order, however
// it is sent, beside other senders, and with the execution leaving memory all the
// time.
func TestEventsOfOneSenderKeepTheirOrder(t *testing.T) {
	within(t, Config{MailboxSize: 4}, func(r *rig) {
		const senders, each = 6, 60
		r.begin("c", "counter")
		var wg sync.WaitGroup
		for s := range senders {
			wg.Go(func() {
				for i := range each {
					ev := Event{ID: fmt.Sprintf("%d-%03d", s, i), Name: "add"}
					if (i+s)%3 == 0 {
						_, err := r.Call(bg, "c", ev)
						assert.NoError(t, err)
					} else {
						_, err := r.Send(bg, "c", ev)
						assert.NoError(t, err)
					}
					if i%7 == s {
						r.gate.Forget(func(string) bool { return true })
					}
				}
			})
		}
		wg.Wait()
		r.idle()
		last := map[byte]string{}
		seen := r.seen("c")
		assert.Len(t, seen, senders*each)
		for _, id := range seen {
			assert.Less(t, last[id[0]], id)
			last[id[0]] = id
		}
	})
}

// P3: two runtimes that share an execution blindly apply every call once; losers
// reload and decide again.
func TestTwoRuntimesShareAnExecution(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		data := newData(t)
		a := start(t, data, Config{}, nil)
		b := start(t, data, Config{}, nil)
		a.begin("c", "counter")
		const callers, each = 8, 40
		var wg sync.WaitGroup
		for c := range callers {
			r := []*rig{a, b}[c%2]
			wg.Go(func() {
				for i := range each {
					reply, err := r.Call(bg, "c", Event{ID: fmt.Sprintf("%d-%03d", c, i), Name: "add"})
					assert.NoError(t, err)
					assert.Equal(t, Applied, reply.Disposition)
				}
			})
		}
		wg.Wait()
		seen := a.seen("c")
		assert.Len(t, seen, callers*each)
		once := map[string]bool{}
		for _, id := range seen {
			assert.False(t, once[id], id)
			once[id] = true
		}
		assert.Positive(t, a.Stats().Conflicts+b.Stats().Conflicts, "the test must meet conflicts")
		assert.Equal(t, a.get("c").Revision, 1+a.Stats().Commits-1+b.Stats().Commits)
		a.end()
		b.end()
	})
}

// A start that is repeated with its request id succeeds; another one does not.
func TestAStartIsRepeatable(t *testing.T) {
	within(t, Config{}, func(r *rig) {
		first := StartRequest{ID: "c", Chart: "counter", RequestID: "r1"}
		_, err := r.Start(bg, first)
		require.NoError(t, err)
		r.call("c", "add")
		other := first
		other.RequestID = "r2"
		for _, state := range []string{"hot", "cold"} {
			reply, err := r.Start(bg, first)
			require.NoError(t, err, state)
			assert.Equal(t, Known, reply.Disposition, state)
			assert.EqualValues(t, 2, reply.Revision, state)
			_, err = r.Start(bg, other)
			assert.ErrorIs(t, err, ErrExists, state)
			r.passivate()
		}
	})
}

// SendOrStart of many at once makes one execution that gets every event.
func TestSendOrStartMakesOneExecution(t *testing.T) {
	within(t, Config{}, func(r *rig) {
		var wg sync.WaitGroup
		for i := range 20 {
			wg.Go(func() {
				id, err := r.SendOrStart(bg, StartRequest{ID: "c", Chart: "counter"}, Event{ID: fmt.Sprint("e", i), Name: "add"})
				assert.NoError(t, err)
				assert.Equal(t, fmt.Sprint("e", i), id)
			})
		}
		wg.Wait()
		r.idle()
		assert.Len(t, r.seen("c"), 20)
	})
}
