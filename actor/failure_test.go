package actor

import (
	"bytes"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/durachart/durachart/execution"
	"github.com/durachart/durachart/statechart"
	"github.com/durachart/durachart/store"
)

// A step that fails is undone, and its event is kept for a retry: in the dead
// letters, and the execution waits for an operator with what came after it.
func TestAFailedStepIsParkedAndRetried(t *testing.T) {
	within(t, Config{}, func(r *rig) {
		r.begin("c", "counter")
		r.call("c", "add")
		reply := r.call("c", "fail")
		assert.Equal(t, Failed, reply.Disposition)
		assert.Equal(t, StatusFailed, reply.Status)
		assert.Equal(t, "action: no luck", reply.Error)
		e := r.get("c")
		require.NotNil(t, e.Parked)
		assert.Equal(t, reply.EventID, e.Parked.EventID)
		assert.Equal(t, Held, r.call("c", "add").Disposition)

		r.idle()
		letters, err := r.DeadLetters(bg, DeadLetterFilter{ExecutionID: "c"}, Page{})
		require.NoError(t, err)
		require.Len(t, letters.Items, 1)
		assert.Equal(t, execution.ReasonStepFailed, letters.Items[0].Reason)
		assert.ErrorIs(t, r.Requeue(bg, letters.Items[0].ID), ErrInvalidState)

		_, err = r.Retry(bg, "c")
		require.NoError(t, err)
		r.idle()
		assert.Equal(t, StatusFailed, r.get("c").Status, "it fails again")

		_, err = r.SetState(bg, "c", []string{"counting"})
		assert.ErrorIs(t, err, ErrInvalidState)
		_, err = r.Reset(bg, "c", nil)
		require.NoError(t, err)
		r.idle()
		assert.Len(t, r.seen("c"), 1, "what was held is applied")
	})
}

// A retry right after the failure finds the event in the outbox, later in the dead
// letters, and takes its letter away.
func TestARetryTakesTheLetterAway(t *testing.T) {
	works := false
	h := handlers()
	h["fail"] = execution.ActionOf(func(_ execution.Ctx, s *execution.Scope[tally]) error {
		if !works {
			return fmt.Errorf("no luck")
		}
		s.Context().N += 100
		return nil
	})
	for _, wait := range []bool{false, true} {
		t.Run(fmt.Sprint("wait=", wait), func(t *testing.T) {
			within(t, Config{Handlers: h}, func(r *rig) {
				works = false
				r.begin("c", "counter")
				r.call("c", "fail")
				if wait {
					r.idle()
					r.passivate()
				}
				works = true
				reply, err := r.Retry(bg, "c")
				require.NoError(t, err)
				assert.Equal(t, StatusRunning, reply.Status)
				r.idle()
				var c tally
				decode(t, r.get("c").Context, &c)
				assert.Equal(t, 100, c.N)
				assert.Nil(t, r.get("c").Parked)
				if wait {
					letters, err := r.DeadLetters(bg, DeadLetterFilter{}, Page{})
					require.NoError(t, err)
					assert.Empty(t, letters.Items)
				}
			})
		})
	}
}

// A panic of an action is an error of the action, and its stack is logged.
func TestAPanicOfAnActionIsLoggedWithItsStack(t *testing.T) {
	var log bytes.Buffer
	within(t, Config{Logger: slog.New(slog.NewTextHandler(&log, nil))}, func(r *rig) {
		r.begin("c", "counter")
		reply := r.call("c", "boom")
		assert.Equal(t, StatusFailed, reply.Status)
		assert.Equal(t, "panic: boom", reply.Error)
	})
	assert.Contains(t, log.String(), "handlers.func")
}

// S44: a transient error of an action is tried again after its back-off, with the
// event in hand; what came later waits, in order.
func TestATransientErrorIsTriedAgain(t *testing.T) {
	for _, way := range []string{"call", "send", "found"} {
		t.Run(way, func(t *testing.T) {
			within(t, Config{}, func(r *rig) {
				began := time.Now()
				r.begin("c", "counter")
				switch way {
				case "call":
					assert.Equal(t, Applied, r.call("c", "flaky").Disposition)
				case "send":
					r.send("c", "flaky")
				case "found":
					r.passivate()
					push(t, r.data, "c", "f", "flaky")
				}
				_, err := r.Call(bg, "c", Event{Name: "add"})
				require.NoError(t, err)
				r.idle()
				var c tally
				decode(t, r.get("c").Context, &c)
				assert.Equal(t, 2, c.N)
				assert.Greater(t, time.Since(began), 100*time.Millisecond)
				assert.Less(t, time.Since(began), 5*time.Second)
			})
		})
	}
}

// D36: an event that cannot be applied three times parks its execution, visibly,
// and no other. Resume brings it back.
func TestPoisonParksOnlyItsExecution(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		first := start(t, newData(t), Config{}, nil)
		first.begin("c", "counter")
		first.begin("l", "lamp")
		first.end()
		push(t, first.data, "c", "e1", "add")
		push(t, first.data, "l", "e1", "smash")

		poor := start(t, first.data, Config{Charts: []*statechart.Chart{lamp()}}, nil)
		poor.idle()
		e := poor.get("c")
		require.NotNil(t, e.Parked)
		assert.Equal(t, reasonUnknownChart, e.Parked.Reason)
		assert.Equal(t, "e1", e.Parked.EventID)
		assert.Equal(t, 3, e.Parked.Attempts)
		assert.Equal(t, StatusRunning, e.Status)
		assert.Equal(t, []string{"broken"}, poor.get("l").Active)
		assert.EqualValues(t, 1, poor.Stats().Parked)
		_, err := poor.Call(bg, "c", Event{ID: "e2", Name: "add"})
		require.NoError(t, err)
		quiet := poor.cmds.of(func() { time.Sleep(time.Hour) })
		assert.Empty(t, quiet, "never a hot loop")
		parked, err := poor.List(bg, Filter{ParkedOnly: true}, Page{})
		require.NoError(t, err)
		assert.Len(t, parked.Items, 1)
		poor.end()

		r := start(t, first.data, Config{}, nil)
		r.idle()
		assert.Empty(t, r.seen("c"))
		_, err = r.Retry(bg, "c")
		require.NoError(t, err)
		r.idle()
		assert.Equal(t, []string{"e1", "e2"}, r.seen("c"))
		r.end()
	})
}

// A call to an execution whose chart is not here is told so at once.
func TestACallToAnUnknownChart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		first := start(t, newData(t), Config{}, nil)
		first.begin("c", "counter")
		first.end()
		poor := start(t, first.data, Config{Charts: []*statechart.Chart{lamp()}}, nil)
		for i := range 3 {
			_, err := poor.Call(bg, "c", Event{ID: fmt.Sprint("e", i), Name: "add"})
			assert.ErrorIs(t, err, ErrUnknownChart)
		}
		assert.Nil(t, poor.get("c").Parked, "three events, one try each")
		poor.end()
	})
}

// A damaged snapshot parks its execution when an event comes, and others go on.
func TestADamagedSnapshotParks(t *testing.T) {
	within(t, Config{}, func(r *rig) {
		require.NoError(t, r.data.Create(bg, store.Creation{
			ID: "bad", DefinitionID: "counter", RequestID: "r", Now: time.Now(),
			Snapshot: store.Snapshot{DefinitionVersion: "1", Status: store.Running, Data: []byte(`{"format":1,"configuration":17}`)},
		}))
		r.begin("good", "counter")
		_, err := r.Call(bg, "bad", Event{Name: "add"})
		assert.ErrorIs(t, err, ErrInvalidSnapshot)
		assert.ErrorContains(t, err, `"bad"`)
		r.send("bad", "add")
		r.idle()
		page, err := r.List(bg, Filter{ParkedOnly: true}, Page{})
		require.NoError(t, err)
		require.Len(t, page.Items, 1)
		assert.Equal(t, reasonSnapshot, page.Items[0].Parked.Reason)
		r.call("good", "add")
	})
}

// D35: what is in the inbox when the execution ends goes to the dead letters, and
// from there to where an operator sends it.
func TestLeftoversAtTheEnd(t *testing.T) {
	within(t, Config{}, func(r *rig) {
		r.begin("c", "counter")
		r.passivate()
		push(t, r.data, "c", "e1", "stop")
		push(t, r.data, "c", "e2", "add")
		push(t, r.data, "c", "e3", "add")
		r.idle()
		assert.Equal(t, StatusDone, r.get("c").Status)
		letters, err := r.DeadLetters(bg, DeadLetterFilter{Reason: "ended"}, Page{})
		require.NoError(t, err)
		require.Len(t, letters.Items, 2)
		for _, l := range letters.Items {
			assert.Equal(t, store.LetterInbox, l.Kind)
			assert.ErrorIs(t, r.Requeue(bg, l.ID), ErrEnded)
		}
		entries, err := r.data.ReadInbox(bg, "c", 10)
		require.NoError(t, err)
		assert.Empty(t, entries)

		_, err = r.Reset(bg, "c", nil)
		require.NoError(t, err)
		require.NoError(t, r.Requeue(bg, letters.Items[0].ID))
		require.NoError(t, r.Discard(bg, letters.Items[1].ID))
		r.idle()
		assert.Equal(t, []string{letters.Items[0].EventID}, r.seen("c"))
		letters, err = r.DeadLetters(bg, DeadLetterFilter{}, Page{})
		require.NoError(t, err)
		assert.Empty(t, letters.Items)
		assert.ErrorIs(t, r.Requeue(bg, "nothing"), ErrNotFound)
		assert.ErrorIs(t, r.Discard(bg, "nothing"), ErrNotFound)
	})
}

// D48: an event for nobody becomes a dead letter; so does one that an operator can
// send again once its target is there.
func TestAnEventForNobodyIsADeadLetter(t *testing.T) {
	within(t, Config{}, func(r *rig) {
		r.begin("c", "counter")
		r.call("c", "tell")
		r.idle()
		letters, err := r.DeadLetters(bg, DeadLetterFilter{ExecutionID: "c"}, Page{})
		require.NoError(t, err)
		require.Len(t, letters.Items, 1)
		assert.Equal(t, "not_found", letters.Items[0].Reason)
		r.begin("listener", "counter")
		require.NoError(t, r.Requeue(bg, letters.Items[0].ID))
		r.idle()
		assert.Len(t, r.seen("listener"), 1)
	})
}

// S43: a step whose result the store refuses as too large fails with kind size.
func TestATooLargeStepFails(t *testing.T) {
	withFaults(t, Config{}, func(r *rig, f *faulty) {
		r.begin("c", "counter")
		refused := 0
		f.script(func(method, id string) error {
			if method == "commit" && refused < 1 {
				refused++
				return fmt.Errorf("outbox: %w", store.ErrTooLarge)
			}
			return nil
		}, nil)
		reply := r.call("c", "add")
		assert.Equal(t, Failed, reply.Disposition)
		assert.True(t, strings.HasPrefix(reply.Error, "size: "), reply.Error)
		assert.Equal(t, StatusFailed, r.get("c").Status)
		assert.Empty(t, r.seen("c"))
	})
}

// D36: tries are written down, so that they add up over processes.
func TestTriesAddUpOverProcesses(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		first := start(t, newData(t), Config{}, nil)
		first.begin("c", "counter")
		first.end()
		push(t, first.data, "c", "e1", "add")
		for range 3 {
			poor := start(t, first.data, Config{Charts: []*statechart.Chart{lamp()}}, nil)
			time.Sleep(200 * time.Millisecond) // long enough for one try
			synctest.Wait()
			poor.end()
		}
		e := first.get("c")
		require.NotNil(t, e.Parked)
		assert.Equal(t, 3, e.Parked.Attempts)
	})
}

// D70: nothing is armed while an execution is parked, whatever happens to it meanwhile.
func TestAParkedExecutionArmsNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		first := start(t, newData(t), Config{}, nil)
		first.begin("l", "lamp")
		first.end()
		push(t, first.data, "l", "e1", "switch")
		poor := start(t, first.data, Config{Charts: []*statechart.Chart{counter()}}, nil)
		poor.idle()
		poor.end()
		r := start(t, first.data, Config{}, nil)
		_, err := r.SetState(bg, "l", []string{"on"})
		require.NoError(t, err)
		assert.NotNil(t, r.get("l").Parked)
		assert.Empty(t, r.get("l").Timers)
		_, err = r.Resume(bg, "l")
		require.NoError(t, err)
		r.idle()
		assert.Nil(t, r.get("l").Parked)
		assert.Equal(t, []string{"off"}, r.get("l").Active, "the event that waited was applied")
		r.end()
	})
}
