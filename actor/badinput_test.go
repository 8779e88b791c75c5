package actor

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/durachart/durachart/execution"
	"github.com/durachart/durachart/statechart"
)

// P11: bad input gets a clear, typed error before anything is written.
func TestBadInputIsRefusedBeforeAnythingIsWritten(t *testing.T) {
	long := strings.Repeat("x", 201)
	start := func(s StartRequest) func(*rig) error {
		return func(r *rig) error { _, err := r.Start(bg, s); return err }
	}
	call := func(id string, ev Event) func(*rig) error {
		return func(r *rig) error { _, err := r.Call(bg, id, ev); return err }
	}
	send := func(id string, ev Event) func(*rig) error {
		return func(r *rig) error { _, err := r.Send(bg, id, ev); return err }
	}
	tests := []struct {
		name string
		do   func(r *rig) error
		want error
	}{
		{"start without chart", start(StartRequest{ID: "x"}), ErrUnknownChart},
		{"start of an unknown chart", start(StartRequest{ID: "x", Chart: "nobody"}), ErrUnknownChart},
		{"start of an unknown version", start(StartRequest{ID: "x", Chart: "lamp", Version: "99"}), ErrUnknownChart},
		{"start without id", start(StartRequest{Chart: "lamp"}), ErrInvalidID},
		{"start with a long id", start(StartRequest{ID: long, Chart: "lamp"}), ErrInvalidID},
		{"start with an id that is no UTF-8", start(StartRequest{ID: "\xff", Chart: "lamp"}), ErrInvalidID},
		{"start with a NUL in the id", start(StartRequest{ID: "a\x00b", Chart: "lamp"}), ErrInvalidID},
		{"start with a long request id", start(StartRequest{ID: "x", Chart: "lamp", RequestID: long}), ErrInvalidID},
		{"start with 20 MB of context", start(StartRequest{ID: "x", Chart: "lamp", Context: map[string]any{"a": strings.Repeat("x", 20<<20)}}), ErrTooLarge},
		{"start with a context that is no object", start(StartRequest{ID: "x", Chart: "lamp", Context: []int{1}}), ErrInvalidEvent},
		{"start with NaN", start(StartRequest{ID: "x", Chart: "lamp", Context: map[string]any{"a": math.NaN()}}), ErrInvalidEvent},
		{"start with a bad priority", start(StartRequest{ID: "x", Chart: "lamp", Priority: 5}), ErrInvalidArgument},
		{"start with an undeclared attribute", start(StartRequest{ID: "x", Chart: "lamp", Attrs: map[string]any{"a": "b"}}), ErrInvalidArgument},
		{"start of one that is there", start(StartRequest{ID: "l", Chart: "lamp"}), ErrExists},

		{"call of an unknown execution", call("nobody", Event{Name: "switch"}), ErrNotFound},
		{"call without id", call("", Event{Name: "switch"}), ErrInvalidID},
		{"call with an id that is no UTF-8", call("\xff", Event{Name: "switch"}), ErrInvalidID},
		{"call with a long event id", call("l", Event{ID: long, Name: "switch"}), ErrInvalidID},
		{"call without event name", call("l", Event{}), ErrInvalidEvent},
		{"call with a reserved name", call("l", Event{Name: "done.state.x"}), ErrInvalidEvent},
		{"call with a system event", call("l", Event{Name: "$terminate"}), ErrInvalidEvent},
		{"call with a malformed name", call("l", Event{Name: "a..b"}), ErrInvalidEvent},
		{"call with data that is no object", call("l", Event{Name: "switch", Data: 7}), ErrInvalidEvent},
		{"call with infinity", call("l", Event{Name: "switch", Data: map[string]any{"a": math.Inf(1)}}), ErrInvalidEvent},
		{"call with text that is no UTF-8", call("l", Event{Name: "switch", Data: map[string]any{"a": "\xff"}}), ErrInvalidEvent},
		{"call with data that cannot be encoded", call("l", Event{Name: "switch", Data: map[string]any{"a": func() {}}}), ErrInvalidEvent},
		{"call with too much data", call("l", Event{Name: "switch", Data: map[string]any{"a": strings.Repeat("x", 1<<20)}}), ErrTooLarge},
		{"call with a bad origin", call("l", Event{Name: "switch", From: "\xff"}), ErrInvalidID},

		{"send to an unknown execution", send("nobody", Event{Name: "switch"}), ErrNotFound},
		{"send without id", send("", Event{Name: "switch"}), ErrInvalidID},
		{"send with a reserved name", send("l", Event{Name: "timeout"}), ErrInvalidEvent},
		{"send with too much data", send("l", Event{Name: "switch", Data: map[string]any{"a": strings.Repeat("x", 1<<20)}}), ErrTooLarge},

		{"get of an unknown execution", func(r *rig) error { _, err := r.Get(bg, "nobody"); return err }, ErrNotFound},
		{"get without id", func(r *rig) error { _, err := r.Get(bg, ""); return err }, ErrInvalidID},
		{"trace without id", func(r *rig) error { _, err := r.Trace(bg, ""); return err }, ErrInvalidID},
		{"wait for an unknown execution", func(r *rig) error { _, err := r.Wait(bg, "nobody", nil); return err }, ErrNotFound},
		{"list with a bad cursor", func(r *rig) error { _, err := r.List(bg, Filter{}, Page{Cursor: "?"}); return err }, ErrInvalidArgument},
		{"list with a negative limit", func(r *rig) error { _, err := r.List(bg, Filter{}, Page{Limit: -1}); return err }, ErrInvalidArgument},
		{"operation without id", func(r *rig) error { _, err := r.Suspend(bg, ""); return err }, ErrInvalidID},
		{"operation with a long operation id", func(r *rig) error { _, err := r.Suspend(bg, "l", OperationID(long)); return err }, ErrInvalidID},
		{"cancel with a reason that is no object", func(r *rig) error { _, err := r.Cancel(bg, "l", 7); return err }, ErrInvalidEvent},
		{"set state to nothing", func(r *rig) error { _, err := r.SetState(bg, "l", nil); return err }, ErrInvalidEvent},
		{"requeue of nothing", func(r *rig) error { return r.Requeue(bg, "nothing") }, ErrNotFound},
	}
	within(t, Config{}, func(r *rig) {
		r.begin("l", "lamp")
		before := r.get("l")
		for _, tt := range tests {
			err := tt.do(r)
			assert.ErrorIs(t, err, tt.want, tt.name)
			if err != nil {
				assert.Less(t, len(err.Error()), 600, tt.name)
			}
		}
		r.idle()
		assert.Equal(t, before, r.get("l"))
		n, err := r.Count(bg, Filter{}, 0)
		require.NoError(t, err)
		assert.Equal(t, 1, n)
	})
}

// New names every mistake at once, and does no I/O.
func TestNewNamesEveryMistake(t *testing.T) {
	other := statechart.New("lamp").Version("1").Initial("x")
	other.State("x").Resting()
	wrong := statechart.New("needy").Version("1").Initial("x")
	wrong.State("x").Resting()
	wrong.From("x").On("go").Do(statechart.Call("missing"))
	_, err := New(Config{
		Charts:      []*statechart.Chart{lamp(), other.MustBuild(), wrong.MustBuild(), nil},
		Handlers:    execution.Handlers{},
		MailboxSize: -1, CommitBatch: 17, Concurrency: -1, MaxActive: -1, Tries: -1,
		IdleAfter: -1, PollMin: -1, PollMax: -2, DrainTimeout: -2,
	})
	require.ErrorIs(t, err, ErrInvalidConfig)
	for _, field := range []string{
		"Store", "MailboxSize", "CommitBatch", "Concurrency", "MaxActive", "Tries", "IdleAfter", "PollMin", "PollMax", "DrainTimeout",
		`two different charts "lamp"`, "missing", "chart 3 of Charts is nil",
	} {
		assert.ErrorContains(t, err, field)
	}
	_, err = New(Config{Store: newData(t)})
	assert.ErrorContains(t, err, "Charts is required")
}

// A context that is over does no work.
func TestAContextThatIsOverDoesNothing(t *testing.T) {
	within(t, Config{}, func(r *rig) {
		r.begin("l", "lamp")
		over, cancel := context.WithCancelCause(bg)
		gone := errors.New("gone")
		cancel(gone)
		_, err := r.Call(over, "l", Event{Name: "switch"})
		assert.ErrorIs(t, err, gone)
		assert.NotErrorIs(t, err, ErrUncertain)
		_, err = r.Start(over, StartRequest{ID: "m", Chart: "lamp"})
		assert.ErrorIs(t, err, gone)
		_, err = r.Suspend(over, "l")
		assert.ErrorIs(t, err, gone)
		_, err = r.Send(over, "l", Event{Name: "switch"})
		assert.Error(t, err)
		assert.Equal(t, []string{"off"}, r.get("l").Active)
	})
}

// Each error that the package documents matches its sentinel and carries its
// details.
func TestErrorsCarryDetails(t *testing.T) {
	within(t, Config{}, func(r *rig) {
		_, err := r.Start(bg, StartRequest{ID: "x", Chart: "nobody", Version: "2"})
		var unknown *UnknownChartError
		require.ErrorAs(t, err, &unknown)
		assert.Equal(t, UnknownChartError{Chart: "nobody", Version: "2"}, *unknown)
		r.begin("l", "lamp")
		r.call("l", "smash")
		_, err = r.Resume(bg, "l")
		var refused *StateError
		require.ErrorAs(t, err, &refused)
		assert.True(t, refused.Ended)
		assert.ErrorIs(t, err, ErrEnded)
	})
}
