package actor

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/durachart/durachart/store"
)

// D32: all that is durable in the inbox goes first, also where it is more than a
// load or a commit takes.
func TestTheWholeInboxGoesBeforeACall(t *testing.T) {
	within(t, Config{CommitBatch: 10}, func(r *rig) {
		for _, n := range []int{10, 40, 200} {
			id := fmt.Sprint("c", n)
			r.begin(id, "counter")
			r.passivate()
			var want []string
			for i := range n {
				want = append(want, fmt.Sprintf("e%03d", i))
				push(t, r.data, id, want[i], "add")
			}
			_, err := r.Call(bg, id, Event{ID: "last", Name: "add"})
			require.NoError(t, err)
			assert.Equal(t, append(want, "last"), r.seen(id))
		}
	})
}

// D44: what an earlier process emitted and did not deliver goes before what this one
// emits to the same target.
func TestUndeliveredEventsOfAnEarlierProcessGoFirst(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		first := start(t, newData(t), Config{}, nil)
		first.begin("listener", "counter")
		first.begin("c", "counter")
		first.end()
		orphan(t, first.data, "c")
		r := start(t, first.data, Config{}, nil)
		r.call("c", "tell")
		r.idle()
		seen := r.seen("listener")
		require.Len(t, seen, 2)
		assert.Equal(t, "orphan", seen[0])
		r.end()
	})
}

// orphan commits an emit to the listener as a process would that dies right after.
func orphan(t *testing.T, data store.Store, id string) {
	t.Helper()
	e, err := data.Load(bg, id)
	require.NoError(t, err)
	in := entry(t, "orphan", "add")
	require.NoError(t, data.Commit(bg, store.Commit{
		Snapshot: e.Snapshot, ID: id, Version: e.Version, Handled: []string{"by the other process"}, Now: time.Now(),
		Emits: []store.Emit{{TargetID: "listener", ID: in.ID, Event: in.Event}},
	}))
}

// A burst that is more than the mailbox takes is read from the inbox; what stands in
// the mailbox as well is not sent to the store again.
func TestABurstCausesNoConflicts(t *testing.T) {
	within(t, Config{MailboxSize: 4}, func(r *rig) {
		r.begin("c", "counter")
		release, started := make(chan struct{}), make(chan struct{})
		r.onCommand("update c", func() { close(started); <-release })
		var wg sync.WaitGroup
		wg.Go(func() { r.call("c", "add") })
		<-started
		for range 30 {
			r.send("c", "add")
		}
		close(release)
		wg.Wait()
		r.idle()
		assert.Len(t, r.seen("c"), 31)
		assert.Zero(t, r.Stats().Conflicts)
	})
}

// D54: a due date that the snapshot no longer has fires nothing.
func TestAnOutdatedTimerIsDropped(t *testing.T) {
	within(t, Config{}, func(r *rig) {
		r.begin("l", "lamp")
		r.call("l", "switch")
		before := r.get("l")
		var err error
		fired := make(chan struct{})
		outdated := store.DueTimer{ID: "l", Name: "timeout:on", Due: before.Timers["timeout:on"].Add(-time.Second)}
		target{r.Runtime}.Fire(bg, []store.DueTimer{outdated, {ID: "l", Name: "nothing", Due: outdated.Due}, {ID: "nobody", Name: "x"}},
			func(_ store.DueTimer, e error) {
				if e != nil {
					err = e
				}
				fired <- struct{}{}
			})
		for range 3 {
			<-fired
		}
		assert.NoError(t, err)
		assert.Equal(t, before.Revision, r.get("l").Revision)
	})
}

// A caller who gives up while its event rests between attempts knows that it was not
// applied.
func TestACallerGivesUpDuringABackOff(t *testing.T) {
	within(t, Config{}, func(r *rig) {
		r.begin("c", "counter")
		ctx, cancel := context.WithTimeout(bg, 30*time.Millisecond)
		defer cancel()
		_, err := r.Call(ctx, "c", Event{Name: "flaky"})
		assert.ErrorIs(t, err, context.DeadlineExceeded)
		assert.NotErrorIs(t, err, ErrUncertain)
		time.Sleep(time.Hour)
		r.idle()
		assert.EqualValues(t, 1, r.get("c").Revision)
	})
}

// A held execution is hidden from the poll as soon as an event waits in it.
func TestAHeldInboxIsHidden(t *testing.T) {
	within(t, Config{PollMin: time.Hour, PollMax: time.Hour}, func(r *rig) {
		r.begin("c", "counter")
		_, err := r.Suspend(bg, "c")
		require.NoError(t, err)
		assert.Equal(t, sent{"update c": 2}, r.cmds.of(func() { r.call("c", "add") }), "a push, and hiding it")
		page, err := r.data.PollInbox(bg, store.PollQuery{Shards: newSole(store.DefaultShards), Until: time.Now().Add(pollAhead)})
		require.NoError(t, err)
		assert.Empty(t, page)
	})
}
