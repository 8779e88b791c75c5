package execution_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/durachart/durachart/execution"
	"github.com/durachart/durachart/execution/executiontest"
	"github.com/durachart/durachart/internal/jsonvalue"
	"github.com/durachart/durachart/statechart"
	"github.com/durachart/durachart/statechart/stm"
)

// Any bytes are a snapshot that is written as it is read, or a typed error.
func FuzzDecode(f *testing.F) {
	f.Add(order(f).Encode())
	f.Add(execution.New("c", "1", "x", nil).Encode())
	f.Add([]byte(`{"format":1}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		s, err := execution.Decode(data)
		if err != nil {
			require.ErrorIs(t, err, execution.ErrInvalidSnapshot)
			return
		}
		text := s.Encode()
		again, err := execution.Decode(text)
		require.NoError(t, err)
		require.Equal(t, string(text), string(again.Encode()))
	})
}

func FuzzDecodeEvent(f *testing.F) {
	f.Add([]byte(`{"data":{"a":[1,2.5]},"id":"x","name":"n","origin":""}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		e, err := execution.DecodeEvent(data)
		if err != nil {
			require.ErrorIs(t, err, execution.ErrInvalidEvent)
			return
		}
		again, err := execution.DecodeEvent(e.Encode())
		require.NoError(t, err)
		require.Equal(t, string(e.Encode()), string(again.Encode()))
	})
}

// fuzzed is a chart with a part of everything.
const fuzzed = `
machine fuzzed {
  version "1"
  initial P
  parallel P {
    timeout 10s
    state L {
      initial A
      state A { defer c on exit count }
      state B { timeout context d }
      final Z
      history H deep
      from A to B on a where n == 1
      from B to Z on a | timeout
      from B to A on b when "event.data.n > 0"
    }
    state R {
      initial O
      orthogonal O {
        resting
        state X { with { n: n } initial Q state Q { resting } final W from Q to W on x | c }
      }
      state I { invoke helper for v in list limit 2 with { v: v } }
      from O join any to I else to O
      from I to O on done.invoke.I | i do set list = "event.data.list"
    }
  }
  state Out { on enter send a after 3s as s }
  final End
  from P to Out on out | timeout
  from Out to P.L.H on back
  from Out to End on end
  from P select "event.data.way" on way { "out" to Out else to P }
  from P on boom do { set d = "event.data.d" boom }
  from P on error.execution do cancel s
}
machine helper { version "1" initial H state H {} final F from H to F on h }
`

func fuzzedCharts(tb testing.TB) []*statechart.Chart {
	file, err := stm.ParseText("fuzzed.stm", fuzzed)
	require.NoError(tb, err)
	return file.Charts
}

// Any events, system events with any data included, leave the rig without complaint:
// each is a step, or a typed error after which nothing has happened.
func FuzzStep(f *testing.F) {
	charts := fuzzedCharts(f)
	f.Add("a", `{"n":1}`, "out", `{}`, "$timer", `{"name":"send:s","entry":3}`)
	f.Add("b", `{"n":0}`, "$set_state", `{"targets":["P.L.B","P.R.I"]}`, "i", `{"list":[1,2,3]}`)
	f.Add("$finished", `{"child":"z-1:P.R.O.X:0","site":"P.R.O","seq":0,"status":"DONE","outcome":"success","result":{"x":1}}`, "$cancel", `{"reason":{}}`, "way", `{"way":"out"}`)
	f.Add("boom", `{"d":-1}`, "$reset", `{"context":{"list":[]}}`, "$retry", `{"event":{"name":"a","id":"x","data":{}}}`)
	f.Add("$suspend", ``, "$resume", ``, "$terminate", `{}`)
	f.Fuzz(func(t *testing.T, name1, data1, name2, data2, name3, data3 string) {
		w := executiontest.New(executiontest.Config{Charts: charts, Handlers: storyHandlers()})
		step, err := w.Start("z-1", "fuzzed", map[string]any{"list": []any{1, 2, 3}, "d": 5})
		require.NoError(t, err)
		require.NoError(t, step.Err)
		for _, e := range []execution.Event{
			{ID: "1", Name: name1, Data: []byte(data1)},
			{ID: "2", Name: name2, Data: []byte(data2)},
			{ID: "3", Name: name3, Data: []byte(data3)},
		} {
			before := w.Snapshot("z-1")
			step := w.Apply("z-1", e)
			require.Empty(t, step.Complaints, step)
			if step.Err != nil {
				require.True(t, errors.Is(step.Err, execution.ErrInvalidEvent), step.Err)
				require.Same(t, before, w.Snapshot("z-1"))
			}
			steps, _ := w.StabilizeWithin(50)
			for _, s := range steps {
				require.NoError(t, s.Err)
				require.Empty(t, s.Complaints, s)
			}
		}
	})
}

// phases are stored forms of executions of the chart fuzzed, as they come in its life.
func phases(tb testing.TB) [][]byte {
	w := executiontest.New(executiontest.Config{Charts: fuzzedCharts(tb), Handlers: storyHandlers(), NoTrace: true})
	var out [][]byte
	keep := func() {
		for _, id := range w.IDs() {
			out = append(out, w.Snapshot(id).Encode())
		}
	}
	_, err := w.Start("z-1", "fuzzed", map[string]any{"list": []any{1, 2, 3}, "d": 5})
	require.NoError(tb, err)
	w.Stabilize()
	for i, name := range []string{"c", "x", "a", "h", "out", "back", "boom", "end"} {
		e, err := execution.NewEvent(fmt.Sprint(i), name, map[string]any{"n": 1, "d": 7})
		require.NoError(tb, err)
		w.Apply("z-1", e)
		w.Stabilize()
		keep()
	}
	return out
}

// A snapshot that was damaged or tampered with, if it can be read at all, makes no
// step panic: it steps, or it is refused by a typed error.
func FuzzHostileSnapshot(f *testing.F) {
	charts := fuzzedCharts(f)
	for _, text := range phases(f) {
		f.Add(text, "a", `{"n":1}`)
		f.Add(text, "$timer", `{"name":"timeout:P","entry":2}`)
	}
	f.Fuzz(func(t *testing.T, data []byte, name, eventData string) {
		stepHostile(t, charts, data, execution.Event{ID: "1", Name: name, Data: []byte(eventData)})
	})
}

// stepHostile steps a snapshot of unknown origin with e and a few more events.
func stepHostile(t require.TestingT, charts []*statechart.Chart, data []byte, e execution.Event) {
	s, err := execution.Decode(data)
	if err != nil {
		require.ErrorIs(t, err, execution.ErrInvalidSnapshot)
		return
	}
	chart := charts[0]
	if s.DefinitionID == "helper" {
		chart = charts[1]
	}
	host := &execution.Host{Handlers: storyHandlers(), Trace: true}
	for _, e := range []execution.Event{
		e, {ID: "2", Name: "out"}, {ID: "3", Name: "back"}, execution.StopEvent("x"), {ID: "4", Name: "$reset"},
	} {
		r, err := execution.Step(chart, s, e, epoch, host)
		if err != nil {
			known := errors.Is(err, execution.ErrInvalidEvent) || errors.Is(err, execution.ErrInvalidChart) ||
				errors.Is(err, execution.ErrInvalidSnapshot)
			require.True(t, known, err)
			continue
		}
		text := r.Snapshot.Encode()
		s, err = execution.Decode(text)
		require.NoError(t, err, "%s became %s", data, text)
	}
}

// The same with edits that leave the document well-formed: values that are replaced
// by others, members that are gone or stand elsewhere too.
func TestTamperedSnapshots(t *testing.T) {
	charts, texts := fuzzedCharts(t), phases(t)
	rapid.Check(t, func(t *rapid.T) {
		var doc any
		require.NoError(t, json.Unmarshal(rapid.SampledFrom(texts).Draw(t, "phase"), &doc))
		for range rapid.IntRange(1, 3).Draw(t, "edits") {
			// Most of the document is the user's, or a name: what refers to states is
			// what can hurt.
			top := doc.(map[string]any)
			field := rapid.SampledFrom([]string{
				"configuration", "history", "timers", "sites", "children", "invoke_seq", "deferred",
				"status", "root_path", "parent_site", "parent_id", "cancel", "entry_seq",
			}).Draw(t, "field")
			top[field] = tamper(t, top[field], values(doc, nil))
		}
		data, err := json.Marshal(doc)
		require.NoError(t, err)
		e := rapid.SampledFrom([]execution.Event{
			{ID: "1", Name: "a", Data: []byte(`{"n":1}`)}, {ID: "1", Name: "b"}, {ID: "1", Name: "x"},
			execution.TimerEvent("z-1", "timeout:P", 2), execution.TimerEvent("z-1", "timeout:P.L.B", 8),
			execution.TimerEvent("z-1", "send:s", 14), execution.SuspendEvent("s"), execution.ResumeEvent("r"),
			execution.FinishedEvent(execution.Finished{Child: "z-1:P.R.O.X:0", Site: execution.SiteRef{Path: "P.R.O"}, Status: execution.Done, Outcome: "success"}),
			execution.FinishedEvent(execution.Finished{Child: "z-1:P.R.I:0:0", Site: execution.SiteRef{Path: "P.R.I"}, Status: execution.Failed}),
			execution.RetryEvent("r", execution.Event{ID: "1", Name: "a"}),
		}).Draw(t, "event")
		stepHostile(t, charts, data, e)
	})
}

// values collects all values in a document, to put elsewhere.
func values(v any, out []any) []any {
	out = append(out, v)
	switch v := v.(type) {
	case map[string]any:
		for _, k := range slices.Sorted(maps.Keys(v)) {
			out = values(v[k], append(out, k))
		}
	case []any:
		for _, x := range v {
			out = values(x, out)
		}
	}
	return out
}

// tamper changes one thing somewhere in v.
func tamper(t *rapid.T, v any, others []any) any {
	other := func() any {
		if rapid.Bool().Draw(t, "odd") {
			return rapid.SampledFrom([]any{nil, 0, 1, 3, -1, "", "P", "P.L", "P.L.A", "P.R.O", "P.R.I", "Out", "End", 1 << 40, []any{}, map[string]any{}}).Draw(t, "value")
		}
		return jsonvalue.Clone(rapid.SampledFrom(others).Draw(t, "other"))
	}
	switch x := v.(type) {
	case map[string]any:
		if len(x) == 0 {
			return v
		}
		k := rapid.SampledFrom(slices.Sorted(maps.Keys(x))).Draw(t, "key")
		switch rapid.IntRange(0, 9).Draw(t, "how") {
		case 0:
			delete(x, k)
		case 1:
			if name, ok := other().(string); ok {
				x[name] = x[k]
			}
		case 2:
			x[k] = other()
		default:
			x[k] = tamper(t, x[k], others)
		}
		return x
	case []any:
		if len(x) == 0 || rapid.IntRange(0, 4).Draw(t, "grow") == 0 {
			return append(x, other())
		}
		i := rapid.IntRange(0, len(x)-1).Draw(t, "index")
		x[i] = tamper(t, x[i], others)
		return x
	}
	return other()
}
