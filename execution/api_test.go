package execution_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"github.com/durachart/durachart/execution"
	"github.com/durachart/durachart/statechart"
)

func parallels(tb testing.TB) *statechart.Chart {
	b := statechart.New("parallels").Version("1").Initial("P")
	b.Parallel("P", func(s *statechart.StateBuilder) {
		s.State("L", func(s *statechart.StateBuilder) {
			s.Initial("A")
			s.State("A")
			s.State("B")
			s.From("A").To("B").On("go")
			s.From("B").To("A").On("go")
		})
		s.State("R", func(s *statechart.StateBuilder) {
			s.Initial("C")
			s.State("C").Resting()
		})
	})
	b.State("X").Resting()
	b.From("P").To("X").On("x")
	c, err := b.Build()
	require.NoError(tb, err)
	return c
}

// one is a chart of one state that calls the action "act" on "go".
func one(tb testing.TB) *statechart.Chart {
	b := statechart.New("one").Version("1").Initial("A")
	b.State("A").Resting()
	b.From("A").On("go").Do(statechart.Call("act", "list", []any{1, 2}))
	b.From("A").On("error").Do(statechart.Set("error", "event.data.message"))
	c, err := b.Build()
	require.NoError(tb, err)
	return c
}

// act steps one event through an execution of the chart one, whose action is f.
func act(t *testing.T, f func(execution.Ctx, *execution.Scope[map[string]any]) error) execution.Result {
	t.Helper()
	host := &execution.Host{Handlers: execution.Handlers{"act": execution.Action(f)}, Trace: true}
	c := one(t)
	r, err := execution.Step(c, started(t, c, nil, host), event(t, "go", map[string]any{"x": 1}), epoch, host)
	require.NoError(t, err)
	return r
}

func TestErrorsMatchTheirSentinels(t *testing.T) {
	c := turn(t)
	s := started(t, c, nil, nil)

	other := *s
	other.DefinitionVersion = "2"
	_, err := execution.Step(c, &other, event(t, "Turn", nil), epoch, nil)
	var chartErr *execution.ChartError
	require.ErrorIs(t, err, execution.ErrInvalidChart)
	require.ErrorAs(t, fmt.Errorf("step: %w", err), &chartErr)
	require.Equal(t, "turn@1", chartErr.Given)

	lacking := *s
	lacking.Configuration = []string{"Gone"}
	lacking.History = []execution.Recorded{{Path: "Past", States: []string{"Older"}}}
	lacking.Timers = []execution.Timer{{Name: "after:Old:0"}, {Name: "timeout:Late"}}
	_, err = execution.Step(c, &lacking, event(t, "Turn", nil), epoch, nil)
	require.ErrorAs(t, err, &chartErr)
	require.Equal(t, []string{"Gone", "Past", "Older", "Old", "Late"}, chartErr.Missing)

	newer := *s
	newer.Format = 2
	_, err = execution.Step(c, &newer, event(t, "Turn", nil), epoch, nil)
	require.ErrorIs(t, err, execution.ErrInvalidSnapshot)

	_, err = execution.Step(c, s, execution.Event{Name: "Turn", Data: json.RawMessage(`[]`)}, epoch, nil)
	require.ErrorIs(t, err, execution.ErrInvalidEvent)
	_, err = execution.Step(c, s, execution.Event{}, epoch, nil)
	require.ErrorIs(t, err, execution.ErrInvalidEvent)
}

// S44: how long to wait, and that the count is the host's.
func TestTransientErrorsAskForARetry(t *testing.T) {
	cause := errors.New("line busy")
	host := &execution.Host{Handlers: execution.Handlers{"act": execution.WithRetry(
		execution.Action(func(execution.Ctx, *execution.Scope[map[string]any]) error {
			return fmt.Errorf("dial: %w", execution.Transient(cause))
		}), execution.RetryPolicy{Attempts: 12, Max: time.Minute})}}
	c := one(t)
	s := started(t, c, nil, host)
	for attempt, want := range map[int]time.Duration{
		0: 100 * time.Millisecond, 1: 200 * time.Millisecond, 4: 1600 * time.Millisecond, 10: time.Minute,
	} {
		host.Attempt = attempt
		_, err := execution.Step(c, s, event(t, "go", nil), epoch, host)
		require.ErrorIs(t, err, execution.ErrRetry)
		require.ErrorIs(t, err, cause)
		var again *execution.RetryError
		require.ErrorAs(t, err, &again)
		require.Equal(t, want, again.Delay(), attempt)
		require.Equal(t, "e-1:ev-1:0", again.Key)
		require.Equal(t, attempt+1, again.Attempt)
	}
	host.Attempt = 11
	r, err := execution.Step(c, s, event(t, "go", nil), epoch, host)
	require.NoError(t, err)
	require.Equal(t, `{"error":"dial: line busy"}`, string(r.Snapshot.Context))
	require.NoError(t, execution.Transient(nil))
}

// What a scope hands out is the action's own, and a scope that is kept beyond its
// call can do no harm.
func TestScopesBelongToTheirCall(t *testing.T) {
	var kept *execution.Scope[map[string]any]
	r := act(t, func(_ execution.Ctx, s *execution.Scope[map[string]any]) error {
		kept = s
		s.Input("list").([]any)[0] = "changed"
		s.Event().Map()["x"] = "changed"
		return nil
	})
	require.NotContains(t, r.String(), "changed")
	require.Error(t, kept.Raise("Late", nil))
	require.Error(t, kept.Send(execution.Self, "Late", nil))
	require.Error(t, kept.SendAfter(0, "", execution.Self, "Late", nil))
	require.NotPanics(t, func() { kept.CancelSend("x"); kept.Log("late") })
}

func TestScopesRefuseBadEvents(t *testing.T) {
	r := act(t, func(ctx execution.Ctx, s *execution.Scope[map[string]any]) error {
		require.NoError(t, ctx.Err())
		require.ErrorIs(t, s.Raise("done.x", nil), execution.ErrInvalidEvent)
		require.ErrorIs(t, s.Raise("a..b", nil), execution.ErrInvalidEvent)
		require.ErrorIs(t, s.Raise("A", math.NaN()), execution.ErrInvalidEvent)
		require.ErrorIs(t, s.Raise("A", []int{1}), execution.ErrInvalidEvent)
		require.ErrorIs(t, s.Send(execution.Parent, "A", nil), execution.ErrNoReceiver)
		require.ErrorIs(t, s.SendAfter(-1, "", execution.Self, "A", nil), execution.ErrInvalidEvent)
		require.ErrorIs(t, s.SendAfter(1, "#1", execution.Self, "A", nil), execution.ErrInvalidEvent)
		require.NoError(t, s.Send(execution.Children, "A", nil))
		return nil
	})
	require.Equal(t, execution.Applied, r.Disposition)
	require.Empty(t, r.Effects)

	// Returned, the error of a send without receiver is error.communication.
	r = act(t, func(_ execution.Ctx, s *execution.Scope[map[string]any]) error {
		return s.Send(execution.Parent, "A", nil)
	})
	require.Contains(t, r.String(), "event error.communication")
}

// A handler whose error text panics, or which panics with anything, harms only its
// own action.
func TestHandlersCannotHarmTheStep(t *testing.T) {
	for name, f := range map[string]func() error{
		"text panics": func() error { return badError{} },
		"nil deref":   func() error { var m *map[string]any; (*m)["x"] = 1; return nil },
		"panic nil":   func() error { panic(error(nil)) },
	} {
		r := act(t, func(execution.Ctx, *execution.Scope[map[string]any]) error { return f() })
		require.Equal(t, execution.Applied, r.Disposition, name)
		require.Contains(t, string(r.Snapshot.Context), "error", name)
	}
}

type badError struct{}

func (badError) Error() string { panic("no text") }

// Objects come from texts, maps and structs alike (S20, S84).
func TestObjects(t *testing.T) {
	type parcel struct {
		Weight float64 `json:"weight"`
		N      int     `json:"n"`
	}
	for want, v := range map[string]any{
		`{}`:                     nil,
		`{"a":1,"b":2.5}`:        json.RawMessage(` {"b":2.50,"a":1} `),
		`{"a":[1,null]}`:         map[string]any{"a": []any{1, nil}},
		`{"n":3,"weight":2.0}`:   parcel{2, 3},
		`{"k":9007199254740993}`: map[string]int64{"k": 1<<53 + 1},
	} {
		obj, err := execution.Object(v)
		require.NoError(t, err)
		require.Equal(t, want, string(obj))
	}
	for _, v := range []any{1, "x", []int{1}, map[string]any{"f": math.Inf(1)}, []byte(`{`), map[string]any{"\x00": 1}} {
		_, err := execution.Object(v)
		require.ErrorIs(t, err, execution.ErrInvalidEvent)
	}
}

func TestDerivedIDs(t *testing.T) {
	require.Equal(t, "a:b:c", execution.DerivedID("a", "b", "c"))
	long := strings.Repeat("x", 253)
	require.Equal(t, long+":y", execution.DerivedID(long, "y"))
	hashed := execution.DerivedID(long, "yz")
	require.Len(t, hashed, 33)
	require.Equal(t, hashed, execution.DerivedID(long, "yz"))
	require.NotEqual(t, hashed, execution.DerivedID(long, "zy"))
}

// The output of an execution is what its final carries (S65).
func TestOutput(t *testing.T) {
	b := statechart.New("o").Version("1").Initial("A")
	b.State("A")
	b.Final("Z").Carry("x", "absent")
	b.From("A").To("Z").On("go").Do(statechart.Set("x", "event.data.n"), statechart.Set("y", "2"))
	c, err := b.Build()
	require.NoError(t, err)
	s := started(t, c, nil, nil)
	require.Nil(t, execution.Output(c, s))
	r, err := execution.Step(c, s, event(t, "go", map[string]any{"n": 1}), epoch, nil)
	require.NoError(t, err)
	require.Equal(t, `{"x":1}`, string(execution.Output(c, r.Snapshot)))
}

// The limits of section 1 that no story shows: a snapshot that is too large, and
// results of the largest size that fits.
func TestSnapshotSizeIsBounded(t *testing.T) {
	b := statechart.New("keeps").Version("1").Initial("A")
	b.State("A").Resting().Defer("x")
	c, err := b.Build()
	require.NoError(t, err)
	host := &execution.Host{Limits: execution.Limits{SnapshotBytes: 700}}
	s := started(t, c, nil, host)
	e, err := execution.NewEvent("ev-1", "x", map[string]any{"text": strings.Repeat("é\n", 40)})
	require.NoError(t, err)
	r, err := execution.Step(c, s, e, epoch, host)
	require.NoError(t, err)
	size := len(r.Snapshot.Encode())
	require.Equal(t, execution.DeferredToLater, r.Disposition)
	require.LessOrEqual(t, size, 700)

	host.Limits.SnapshotBytes = size
	r, err = execution.Step(c, s, e, epoch, host)
	require.NoError(t, err)
	require.Equal(t, execution.DeferredToLater, r.Disposition, "as large as allowed")
	host.Limits.SnapshotBytes = size - 1
	r, err = execution.Step(c, s, e, epoch, host)
	require.NoError(t, err)
	require.Equal(t, execution.StepFailed, r.Disposition)
	require.Contains(t, r.Snapshot.Error, "size: snapshot of")
}

// Steps of one snapshot may run side by side: each has the same result.
func TestStepsRunSideBySide(t *testing.T) {
	charts := fuzzedCharts(t)
	host := &execution.Host{Handlers: storyHandlers(), Trace: true}
	s := started(t, charts[0], map[string]any{"list": []any{1, 2}, "d": 5}, host)
	e := event(t, "a", map[string]any{"n": 1})
	want, err := execution.Step(charts[0], s, e, epoch, host)
	require.NoError(t, err)
	var g errgroup.Group
	for range 8 {
		g.Go(func() error {
			for range 50 {
				got, err := execution.Step(charts[0], s, e, epoch, host)
				if err != nil || got.String() != want.String() || string(got.Snapshot.Encode()) != string(want.Snapshot.Encode()) {
					return fmt.Errorf("%v %s", err, got)
				}
			}
			return nil
		})
	}
	require.NoError(t, g.Wait())
}
