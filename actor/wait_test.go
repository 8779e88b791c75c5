package actor

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestWaitForAStateAStatusAndTheEnd(t *testing.T) {
	within(t, Config{}, func(r *rig) {
		r.begin("l", "lamp")
		got := make(chan Execution, 3)
		wait := func(cond Condition) {
			e, err := r.Wait(bg, "l", cond)
			assert.NoError(t, err)
			got <- e
		}
		go wait(InState("on"))
		synctest.Wait()
		began := time.Now()
		r.call("l", "switch")
		assert.Equal(t, []string{"on"}, (<-got).Active)
		assert.Zero(t, time.Since(began), "a change here is heard of at once")

		go wait(HasStatus(StatusSuspended))
		go wait(nil)
		synctest.Wait()
		_, err := r.Suspend(bg, "l")
		require.NoError(t, err)
		assert.Equal(t, StatusSuspended, (<-got).Status)
		_, err = r.Terminate(bg, "l", nil)
		require.NoError(t, err)
		assert.True(t, (<-got).Ended())

		_, err = r.Wait(bg, "l", InState("on"))
		assert.ErrorIs(t, err, ErrEnded, "it will never be")
	})
}

// A wait hears of what another process does, by looking.
func TestWaitWorksAcrossProcesses(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		data := newData(t)
		a, b := start(t, data, Config{}, nil), start(t, data, Config{}, nil)
		a.begin("l", "lamp")
		go func() {
			time.Sleep(time.Minute)
			b.call("l", "smash")
		}()
		began := time.Now()
		e, err := a.Wait(bg, "l", nil)
		require.NoError(t, err)
		assert.Equal(t, "broken", e.Outcome)
		assert.Less(t, time.Since(began), 63*time.Second)

		ctx, cancel := context.WithTimeout(bg, time.Second)
		defer cancel()
		a.begin("m", "lamp")
		_, err = a.Wait(ctx, "m", nil)
		assert.ErrorIs(t, err, context.DeadlineExceeded)
		a.end()
		b.end()
		_, err = a.Wait(bg, "m", nil)
		assert.ErrorIs(t, err, ErrDraining)
	})
}

func TestInStateLooksBelow(t *testing.T) {
	e := Execution{Active: []string{"a.b.c", "d"}}
	for path, want := range map[string]bool{"a": true, "a.b": true, "a.b.c": true, "a.b.c.d": false, "a.bb": false, "d": true, "dd": false, "": true} {
		assert.Equal(t, want, InState(path)(e), path)
	}
}

// The trace ring has one entry for each step, with its lines and effects.
func TestTraceTellsTheSteps(t *testing.T) {
	within(t, Config{Trace: true}, func(r *rig) {
		r.begin("l", "lamp")
		_, err := r.Call(bg, "l", Event{ID: "e1", Name: "switch"})
		require.NoError(t, err)
		steps, err := r.Trace(bg, "l")
		require.NoError(t, err)
		require.Len(t, steps, 2)
		assert.Less(t, steps[0].Index, steps[1].Index)
		var s step
		require.NoError(t, json.Unmarshal(steps[1].Step, &s))
		assert.Equal(t, "switch", s.Event)
		assert.Equal(t, "e1", s.ID)
		assert.Equal(t, "applied", s.Disposition)
		assert.Equal(t, []string{"on"}, s.Active)
		assert.Contains(t, s.Lines, "take off -> on")
		require.Len(t, s.Effects, 1)
		assert.Contains(t, s.Effects[0], "start-timer timeout:on")
	})
	within(t, Config{}, func(r *rig) {
		r.begin("l", "lamp")
		steps, err := r.Trace(bg, "l")
		require.NoError(t, err)
		assert.Empty(t, steps, "off unless asked for")
	})
}

func TestGetAndListSeeWhatCallersNeed(t *testing.T) {
	within(t, Config{}, func(r *rig) {
		_, err := r.Start(bg, StartRequest{ID: "c", Chart: "counter", Context: tally{N: 4}, Priority: 2})
		require.NoError(t, err)
		reply := r.call("c", "stop")
		assert.JSONEq(t, `{"n":4}`, string(reply.Output))
		assert.JSONEq(t, `{"n":4}`, string(reply.Context()))
		e := r.get("c")
		assert.JSONEq(t, `{"n":4}`, string(e.Output))
		assert.JSONEq(t, `{"n":4}`, string(e.Context))
		assert.Equal(t, 2, e.Priority)
		assert.Equal(t, "counter", e.Chart)
		assert.Equal(t, "1", e.Version)
		assert.Equal(t, "success", e.Outcome)
		assert.True(t, e.Ended())
		assert.EqualValues(t, 2, e.Revision)

		for i := range 5 {
			r.begin(fmt.Sprint("l", i), "lamp")
		}
		var ids []string
		page := Page{Limit: 2}
		for {
			found, err := r.List(bg, Filter{DefinitionID: "lamp"}, page)
			require.NoError(t, err)
			for _, e := range found.Items {
				assert.Nil(t, e.Context)
				ids = append(ids, e.ID)
			}
			if page.Cursor = found.Next; page.Cursor == "" {
				break
			}
		}
		assert.Equal(t, []string{"l0", "l1", "l2", "l3", "l4"}, ids)
		found, err := r.List(bg, Filter{Leaf: "off"}, Page{WithData: true, Order: NewestFirst})
		require.NoError(t, err)
		assert.Len(t, found.Items, 5)
		assert.NotNil(t, found.Items[0].Context)
	})
}

// Lag is the age of what is due and not done: nothing here, until nobody does it.
func TestLagIsTheAgeOfWaitingWork(t *testing.T) {
	withFaults(t, Config{}, func(r *rig, f *faulty) {
		r.begin("c", "counter")
		r.idle()
		lag, err := r.Lag(bg)
		require.NoError(t, err)
		assert.Zero(t, lag)

		f.script(func(method, id string) error {
			if method == "commit" {
				return down(method, id)
			}
			return nil
		}, nil)
		r.send("c", "add")
		time.Sleep(100 * time.Second)
		lag, err = r.Lag(bg)
		require.NoError(t, err)
		assert.InDelta(t, 100, lag.Inbox.Seconds(), 10)
		f.script(nil, nil)
		r.idle()
	})
}
