package execution_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/durachart/durachart/execution"
	"github.com/durachart/durachart/statechart"
)

// S43: what the store refuses as too large fails with kind size, undone, and the
// event is a dead letter.
func TestATooLargeStepFails(t *testing.T) {
	b := statechart.New("m").Version("1").Initial("A")
	b.State("A")
	b.State("B")
	b.From("A").To("B").On("go")
	b.From("B").To("A").On("back")
	chart := b.MustBuild()
	now := time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC)
	started, err := execution.Step(chart, execution.New("m", "1", "x", nil), execution.StartEvent("x", 1), now, nil)
	require.NoError(t, err)
	event, err := execution.NewEvent("e1", "go", nil)
	require.NoError(t, err)

	failed, err := execution.FailTooLarge(chart, started.Snapshot, event, now, nil, "17 MiB")
	require.NoError(t, err)
	assert.Equal(t, execution.StepFailed, failed.Disposition)
	assert.Equal(t, execution.Failed, failed.Snapshot.Status)
	assert.Equal(t, "size: 17 MiB", failed.Snapshot.Error)
	assert.Equal(t, started.Snapshot.Configuration, failed.Snapshot.Configuration)
	assert.Equal(t, []execution.Effect{execution.DeadLetter{Reason: execution.ReasonStepFailed, Event: event}}, failed.Effects)
	assert.Equal(t, execution.Running, started.Snapshot.Status)
}

// A host hears of a panic with its stack, for which a chart has no use.
func TestAHostHearsOfPanics(t *testing.T) {
	b := statechart.New("m").Version("1").Initial("A")
	b.State("A").Resting()
	b.From("A").On("go").Do(statechart.Call("boom"))
	b.From("A").On("error")
	chart := b.MustBuild()
	var heard []execution.Panic
	host := &execution.Host{
		Handlers: execution.Handlers{"boom": execution.Action(func(execution.Ctx, *execution.Scope[map[string]any]) error { panic("boom") })},
		Panicked: func(p execution.Panic) { heard = append(heard, p) },
	}
	now := time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC)
	started, err := execution.Step(chart, execution.New("m", "1", "x", nil), execution.StartEvent("x", 1), now, host)
	require.NoError(t, err)
	event, err := execution.NewEvent("e1", "go", nil)
	require.NoError(t, err)
	_, err = execution.Step(chart, started.Snapshot, event, now, host)
	require.NoError(t, err)
	require.Len(t, heard, 1)
	assert.Equal(t, "x", heard[0].Execution)
	assert.Equal(t, "e1", heard[0].Event)
	assert.Equal(t, "boom", heard[0].Handler)
	assert.Equal(t, "boom", heard[0].Value)
	assert.Contains(t, heard[0].Stack, "refuse_test.go")
}
