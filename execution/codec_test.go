package execution_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/durachart/durachart/execution"
	"github.com/durachart/durachart/statechart"
)

// fulfilment is a chart that the snapshot order may be of.
func fulfilment(tb testing.TB) *statechart.Chart {
	b := statechart.New("order").Version("1").Initial("Fulfilment")
	b.Orthogonal("Fulfilment", func(s *statechart.StateBuilder) {
		s.Resting().Timeout(time.Hour)
		for _, region := range []string{"Payment", "Picking"} {
			s.State(region, func(s *statechart.StateBuilder) {
				s.Initial("Waiting")
				s.State("Waiting").Resting()
			})
		}
	})
	b.From("Fulfilment").On("timeout")
	c, err := b.Build()
	require.NoError(tb, err)
	return c
}

// A snapshot of a newer version with fields that we do not know keeps them, at the
// top and in the entries of timers, sites and children, through a step (S83).
func TestUnknownFieldsAreKept(t *testing.T) {
	text := string(order(t).Encode())
	for _, edit := range [][2]string{
		{`{"active_path"`, `{"Aa":{"b":1,"a":[2]},"active_path"`},
		{`"version":8`, `"version":8,"zone":"z"`},
		{`"status":"RUNNING","steps"`, `"stage":null,"status":"RUNNING","steps"`},
		{`{"at":`, `{"armed_by":"me","at":`},
		{`"passed":0,`, `"passed":0,"quorum":7,`},
		{`"submachine":false}`, `"submachine":false,"zeal":1.50}`},
	} {
		require.Contains(t, text, edit[0])
		text = strings.Replace(text, edit[0], edit[1], 1)
	}
	want := strings.Replace(strings.Replace(text, `{"b":1,"a":[2]}`, `{"a":[2],"b":1}`, 1), "1.50", "1.5", 1)

	decoded, err := execution.Decode([]byte(text))
	require.NoError(t, err)
	require.Equal(t, want, string(decoded.Encode()))

	r, err := execution.Step(fulfilment(t), decoded, event(t, "Nothing", nil), epoch, nil)
	require.NoError(t, err)
	after := strings.Replace(want, `"steps":7`, `"steps":8`, 1)
	require.Equal(t, after, string(r.Snapshot.Encode()))
}

// What is not canonical is read, and written canonically.
func TestDecodeMakesCanonical(t *testing.T) {
	s := order(t)
	var fields map[string]any
	require.NoError(t, json.Unmarshal(s.Encode(), &fields))
	spaced, err := json.MarshalIndent(fields, "", "  ")
	require.NoError(t, err)
	decoded, err := execution.Decode(spaced)
	require.NoError(t, err)
	require.Equal(t, string(s.Encode()), string(decoded.Encode()))
}

func TestDamagedSnapshotsAreRefused(t *testing.T) {
	whole := string(order(t).Encode())
	for name, edit := range map[string][2]string{
		"newer format":      {`"format":1`, `"format":2`},
		"no format":         {`"format":1`, `"format":0`},
		"unknown status":    {`"status":"RUNNING","steps"`, `"status":"JUMPING","steps"`},
		"missing field":     {`"steps":7,`, ``},
		"no id":             {`"id":"order-00000000000000000001"`, `"id":""`},
		"no chart":          {`"definition_id":"order"`, `"definition_id":""`},
		"priority":          {`"priority":0`, `"priority":5`},
		"wrong type":        {`"run":1`, `"run":"1"`},
		"float for int":     {`"run":1`, `"run":1.0`},
		"context no object": {`"context":{`, `"context":[],"x":{`},
		"kind of site":      {`"kind":"regions"`, `"kind":"others"`},
		"counts of site":    {`"passed":0,"seq"`, `"passed":3,"seq"`},
		"negative count":    {`"failed":0`, `"failed":-1`},
		"send without event": {
			`"timeout:Fulfilment":{"at"`, `"send:Fulfilment":{"at"`,
		},
		"cut":            {`"version":8}`, `"version":8`},
		"something more": {`"version":8}`, `"version":8}}`},
		"twice":          {`"version":8}`, `"version":8,"version":8}`},
		"no JSON":        {`"run":1`, `"run":01`},
	} {
		t.Run(name, func(t *testing.T) {
			require.Contains(t, whole, edit[0])
			_, err := execution.Decode([]byte(strings.Replace(whole, edit[0], edit[1], 1)))
			require.ErrorIs(t, err, execution.ErrInvalidSnapshot)
		})
	}
	_, err := execution.Decode(nil)
	require.ErrorIs(t, err, execution.ErrInvalidSnapshot)
}

// A configuration that no chart allows is found before anything happens.
func TestIllegalConfigurations(t *testing.T) {
	c := parallels(t)
	for name, leaves := range map[string][]string{
		"nothing":             nil,
		"a compound":          {"P"},
		"a region too few":    {"P.L.A"},
		"two of one compound": {"P.L.A", "P.L.B", "P.R.C"},
		"one twice":           {"P.L.A", "P.L.A", "P.R.C"},
		"beside the parallel": {"P.L.A", "P.R.C", "X"},
	} {
		s := *started(t, c, nil, nil)
		s.Configuration = leaves
		_, err := execution.Step(c, &s, event(t, "go", nil), epoch, nil)
		require.ErrorIs(t, err, execution.ErrInvalidSnapshot, name)
	}
}

func TestEventsAreReadBack(t *testing.T) {
	e := execution.Event{ID: "a\"b", Name: "x.y", Data: []byte(`{"a":[1,2.0]}`), Origin: "o"}
	back, err := execution.DecodeEvent(e.Encode())
	require.NoError(t, err)
	require.Equal(t, e.String(), back.String())
	require.Equal(t, "o", back.Origin)
	require.JSONEq(t, `{"data":{},"id":"","name":"n","origin":""}`, string(execution.Event{Name: "n"}.Encode()))
	for _, text := range []string{``, `[]`, `{"id":"x"}`, `{"name":1}`, `{"name":"x","data":[]}`, `{"name":"x"} ` + `x`} {
		_, err := execution.DecodeEvent([]byte(text))
		require.ErrorIs(t, err, execution.ErrInvalidEvent, text)
	}
	// A field of a newer version is no reason to lose an event.
	_, err = execution.DecodeEvent([]byte(`{"name":"x","priority":1}`))
	require.NoError(t, err)
}
