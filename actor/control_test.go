package actor

import (
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A suspended execution keeps its events and applies them in order when it goes
// on; while it is held it costs no polling.
func TestSuspendAndResume(t *testing.T) {
	within(t, Config{}, func(r *rig) {
		r.begin("c", "counter")
		_, err := r.Suspend(bg, "c")
		require.NoError(t, err)
		reply, err := r.Call(bg, "c", Event{ID: "e1", Name: "add"})
		require.NoError(t, err)
		assert.Equal(t, Held, reply.Disposition)
		assert.Equal(t, StatusSuspended, reply.Status)
		_, err = r.Send(bg, "c", Event{ID: "e2", Name: "add"})
		require.NoError(t, err)
		synctest.Wait()
		r.passivate()
		push(t, r.data, "c", "e3", "add")
		r.idle()
		quiet := r.cmds.of(func() { time.Sleep(time.Hour) })
		assert.Empty(t, quiet)
		assert.Empty(t, r.seen("c"))

		reply, err = r.Resume(bg, "c")
		require.NoError(t, err)
		assert.Equal(t, StatusRunning, reply.Status)
		_, err = r.Call(bg, "c", Event{ID: "e4", Name: "add"})
		require.NoError(t, err)
		assert.Equal(t, []string{"e1", "e2", "e3", "e4"}, r.seen("c"))
	})
}

// Timers are off during a hold, and what became due meanwhile fires after it.
func TestAHoldSwitchesTimersOff(t *testing.T) {
	within(t, Config{}, func(r *rig) {
		r.begin("l", "lamp")
		r.call("l", "switch")
		_, err := r.Suspend(bg, "l")
		require.NoError(t, err)
		assert.Empty(t, r.get("l").Timers)
		time.Sleep(time.Hour)
		synctest.Wait()
		assert.Equal(t, []string{"on"}, r.get("l").Active)
		_, err = r.Resume(bg, "l")
		require.NoError(t, err)
		synctest.Wait()
		assert.Equal(t, []string{"off"}, r.get("l").Active)
	})
}

func TestOperationsReachChildren(t *testing.T) {
	within(t, Config{}, func(r *rig) {
		children := func() (statuses []Status) {
			t.Helper()
			r.idle()
			page, err := r.List(bg, Filter{ParentID: "f"}, Page{})
			require.NoError(t, err)
			for _, e := range page.Items {
				statuses = append(statuses, e.Status)
			}
			return statuses
		}
		r.begin("f", "family")
		assert.Equal(t, []Status{StatusRunning, StatusRunning}, children())
		_, err := r.Suspend(bg, "f")
		require.NoError(t, err)
		assert.Equal(t, []Status{StatusSuspended, StatusSuspended}, children())
		r.passivate()
		_, err = r.Resume(bg, "f")
		require.NoError(t, err)
		assert.Equal(t, []Status{StatusRunning, StatusRunning}, children())
		_, err = r.Terminate(bg, "f", map[string]any{"why": "test"})
		require.NoError(t, err)
		assert.Equal(t, []Status{StatusCancelled, StatusCancelled}, children())
		assert.Equal(t, StatusCancelled, r.get("f").Status)
	})
}

// S75: an operation that the status does not allow says so, and changes nothing.
func TestAnOperationIsRefusedByStatus(t *testing.T) {
	within(t, Config{}, func(r *rig) {
		r.begin("l", "lamp")
		revision := r.get("l").Revision
		_, err := r.Retry(bg, "l")
		assert.ErrorIs(t, err, ErrInvalidState)
		var refused *StateError
		require.True(t, errors.As(err, &refused))
		assert.Equal(t, StateError{ID: "l", Operation: "retry", Status: StatusRunning}, *refused)
		assert.Equal(t, revision, r.get("l").Revision)

		r.call("l", "smash")
		_, err = r.Suspend(bg, "l")
		assert.ErrorIs(t, err, ErrEnded)
		assert.NotErrorIs(t, err, ErrInvalidState)
		_, err = r.Cancel(bg, "l", nil)
		assert.ErrorIs(t, err, ErrEnded)
		_, err = r.Suspend(bg, "nobody")
		assert.ErrorIs(t, err, ErrNotFound)
	})
}

// An operation that is repeated with its id is carried out once.
func TestAnOperationIsRepeatable(t *testing.T) {
	within(t, Config{}, func(r *rig) {
		r.begin("c", "counter")
		r.call("c", "add")
		_, err := r.Reset(bg, "c", map[string]any{"n": 7}, OperationID("op"))
		require.NoError(t, err)
		r.call("c", "add")
		for range 2 {
			reply, err := r.Reset(bg, "c", map[string]any{"n": 7}, OperationID("op"))
			require.NoError(t, err)
			assert.Equal(t, Known, reply.Disposition)
			r.passivate()
		}
		var c tally
		decode(t, r.get("c").Context, &c)
		assert.Equal(t, 8, c.N)
	})
}

func TestResetBringsAnEndedExecutionBack(t *testing.T) {
	within(t, Config{}, func(r *rig) {
		r.begin("l", "lamp")
		r.call("l", "smash")
		assert.True(t, r.get("l").Ended())
		reply, err := r.Reset(bg, "l", nil)
		require.NoError(t, err)
		assert.Equal(t, []string{"off"}, reply.Active)
		assert.False(t, r.get("l").Ended())
		assert.Equal(t, []string{"on"}, r.call("l", "switch").Active)
	})
}

func TestCancelAndSetState(t *testing.T) {
	within(t, Config{}, func(r *rig) {
		r.begin("l", "lamp")
		reply, err := r.SetState(bg, "l", []string{"on"})
		require.NoError(t, err)
		assert.Equal(t, []string{"on"}, reply.Active)
		assert.NotEmpty(t, r.get("l").Timers)
		_, err = r.SetState(bg, "l", []string{"nowhere"})
		assert.ErrorIs(t, err, ErrInvalidEvent)
		reply, err = r.Cancel(bg, "l", map[string]any{"why": "test"})
		require.NoError(t, err)
		assert.Equal(t, StatusCancelled, reply.Status)
	})
}

// Operations go ahead of events that wait, and do not wait for a step that backs
// off.
func TestOperationsGoAheadOfEvents(t *testing.T) {
	within(t, Config{}, func(r *rig) {
		r.begin("c", "counter")
		done := make(chan error, 1)
		go func() {
			_, err := r.Call(bg, "c", Event{Name: "flaky"})
			done <- err
		}()
		synctest.Wait() // it rests after its first attempt
		began := time.Now()
		_, err := r.Terminate(bg, "c", nil)
		require.NoError(t, err)
		assert.Zero(t, time.Since(began))
		assert.ErrorIs(t, <-done, ErrEnded)
	})
}
