package executiontest_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/durachart/durachart/execution"
	"github.com/durachart/durachart/execution/executiontest"
	"github.com/durachart/durachart/statechart"
)

// calls makes a chart that calls the action "act" on "go".
func calls(t *testing.T) *statechart.Chart {
	b := statechart.New("calls").Version("1").Initial("A")
	b.State("A").Resting().Timeout(time.Minute)
	b.From("A").On("go").Do(statechart.Call("act"))
	b.From("A").On("timeout").Do(statechart.Send("go").ToID("w-2"))
	c, err := b.Build()
	require.NoError(t, err)
	return c
}

func world(t *testing.T, act func(execution.Ctx, *execution.Scope[map[string]any]) error) *executiontest.World {
	w := executiontest.New(executiontest.Config{
		Charts:   []*statechart.Chart{calls(t)},
		Handlers: execution.Handlers{"act": execution.Action(act)},
	})
	step, err := w.Start("w-1", "calls", nil)
	require.NoError(t, err)
	require.Empty(t, step.Complaints)
	return w
}

func send(t *testing.T, w *executiontest.World, id string) executiontest.Step {
	e, err := execution.NewEvent("ev-1", "go", nil)
	require.NoError(t, err)
	return w.Apply(id, e)
}

// An action that is no function of what it sees is caught by the repetition.
func TestWorldComplainsOfUnsteadyHandlers(t *testing.T) {
	n := 0
	w := world(t, func(_ execution.Ctx, s *execution.Scope[map[string]any]) error {
		n++
		(*s.Context())["n"] = n
		return nil
	})
	step := send(t, w, "w-1")
	require.Len(t, step.Complaints, 1)
	require.Contains(t, step.String(), "! repeated, the step gives")

	w = world(t, func(execution.Ctx, *execution.Scope[map[string]any]) error {
		if n++; n%2 == 0 {
			return execution.Transient(errors.New("busy"))
		}
		return nil
	})
	n = 0
	require.Contains(t, send(t, w, "w-1").String(), "! repeated, the step gives the error")
}

// A transient error is tried again when its back-off is over, with the count.
func TestWorldRetries(t *testing.T) {
	w := world(t, func(execution.Ctx, *execution.Scope[map[string]any]) error {
		return execution.Transient(errors.New("busy"))
	})
	require.ErrorIs(t, send(t, w, "w-1").Err, execution.ErrRetry)
	steps := w.Advance(10 * time.Second)
	require.Len(t, steps, 4)
	require.Equal(t, execution.StepFailed, steps[3].Result.Disposition)
}

// What is held waits, and comes when the hold ends.
func TestWorldKeepsWhatIsHeld(t *testing.T) {
	w := world(t, func(execution.Ctx, *execution.Scope[map[string]any]) error { return nil })
	w.Apply("w-1", execution.SuspendEvent("op-1"))
	require.Equal(t, execution.Held, send(t, w, "w-1").Result.Disposition)
	require.Empty(t, w.Pending())
	w.Apply("w-1", execution.ResumeEvent("op-2"))
	steps, ok := w.Deliver()
	require.True(t, ok)
	require.Equal(t, execution.Applied, steps[0].Result.Disposition)
}

// Effects of one sender come in order; those of different senders in any.
func TestNextKeepsTheOrderOfEachSender(t *testing.T) {
	speak := func(_ execution.Ctx, s *execution.Scope[map[string]any]) error {
		return errors.Join(s.Send("w-1", "one", nil), s.Send("w-2", "two", nil))
	}
	w := world(t, speak)
	_, err := w.Start("w-2", "calls", nil)
	require.NoError(t, err)
	send(t, w, "w-1")
	send(t, w, "w-2")
	require.Len(t, w.Pending(), 4)
	require.Equal(t, []int{0, 2}, w.Next())
	_, ok := w.DeliverAt(2)
	require.True(t, ok)
	require.Equal(t, []int{0, 2}, w.Next())
	_, ok = w.DeliverAt(7)
	require.False(t, ok)
}

// Time stands still until it is moved, and what becomes due happens on the way.
func TestAdvanceFiresWhatIsDue(t *testing.T) {
	w := world(t, func(execution.Ctx, *execution.Scope[map[string]any]) error { return nil })
	require.Len(t, w.Timers(), 1)
	require.Empty(t, w.Advance(59*time.Second))
	steps := w.Advance(time.Second)
	require.Len(t, steps, 1)
	require.Empty(t, w.Timers())
	letters := w.Letters()
	require.Len(t, letters, 1, "w-2 does not exist")
	require.Equal(t, "unknown_target", letters[0].Reason)
}

func TestWorldRefusesWhatMakesNoSense(t *testing.T) {
	w := world(t, nil)
	_, err := w.Start("w-1", "calls", nil)
	require.ErrorContains(t, err, "exists")
	_, err = w.Start("w-9", "nothing", nil)
	require.ErrorContains(t, err, "no chart")
	_, err = w.Start("w-9", "calls", []int{1})
	require.ErrorIs(t, err, execution.ErrInvalidEvent)
	require.True(t, strings.HasPrefix(send(t, w, "nobody").String(), "error:"))
	require.Equal(t, []string{"w-1"}, w.IDs())
	require.Nil(t, w.Snapshot("nobody"))
}
