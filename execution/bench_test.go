package execution_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/durachart/durachart/execution"
	"github.com/durachart/durachart/statechart"
)

var epoch = time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC)

// started returns the snapshot of a fresh execution after its first step.
func started(tb testing.TB, c *statechart.Chart, context any, host *execution.Host) *execution.Snapshot {
	tb.Helper()
	obj, err := execution.Object(context)
	require.NoError(tb, err)
	s := execution.New(c.Name(), c.Version(), "e-1", obj)
	r, err := execution.Step(c, s, execution.StartEvent("e-1", 1), epoch, host)
	require.NoError(tb, err)
	require.Equal(tb, execution.Applied, r.Disposition, r)
	return r.Snapshot
}

func event(tb testing.TB, name string, data any) execution.Event {
	tb.Helper()
	e, err := execution.NewEvent("ev-1", name, data)
	require.NoError(tb, err)
	return e
}

// turn is a chart of two states that an event switches between.
func turn(tb testing.TB) *statechart.Chart {
	b := statechart.New("turn").Version("1").Initial("A")
	b.State("A")
	b.State("B")
	b.From("A").To("B").On("Turn")
	b.From("B").To("A").On("Turn")
	c, err := b.Build()
	require.NoError(tb, err)
	return c
}

// large is a chart of about 200 states: chains of depth 6 below the root, with an
// event that moves between the leaves of one chain and another that moves on.
func large(tb testing.TB) *statechart.Chart {
	b := statechart.New("large").Version("1").Initial("C0")
	const chains = 28
	for i := range chains {
		b.State(fmt.Sprintf("C%d", i), func(s *statechart.StateBuilder) { chain(s, 2) })
		b.From(fmt.Sprintf("C%d", i)).To(fmt.Sprintf("C%d", (i+1)%chains)).On("Next")
	}
	c, err := b.Build()
	require.NoError(tb, err)
	require.Greater(tb, len(c.States()), 190)
	return c
}

func chain(s *statechart.StateBuilder, depth int) {
	if depth == 6 {
		s.Initial("X")
		s.State("X")
		s.State("Y")
		s.From("X").To("Y").On("Turn")
		s.From("Y").To("X").On("Turn")
		return
	}
	s.Initial("D")
	s.State("D", func(s *statechart.StateBuilder) { chain(s, depth+1) })
	s.From("D").On(fmt.Sprintf("Note%d", depth)).Do(statechart.Raise("Noted"))
}

func benchmarkStep(b *testing.B, c *statechart.Chart, name string, data, context any, h execution.Handlers) {
	host := &execution.Host{Handlers: h}
	s := started(b, c, context, host)
	e := event(b, name, data)
	b.ReportAllocs()
	for b.Loop() {
		r, err := execution.Step(c, s, e, epoch, host)
		if err != nil || r.Disposition != execution.Applied {
			b.Fatal(r, err)
		}
		s = r.Snapshot
	}
}

func BenchmarkStepFlat(b *testing.B)      { benchmarkStep(b, turn(b), "Turn", nil, nil, nil) }
func BenchmarkStepLarge(b *testing.B)     { benchmarkStep(b, large(b), "Turn", nil, nil, nil) }
func BenchmarkStepLargeMove(b *testing.B) { benchmarkStep(b, large(b), "Next", nil, nil, nil) }

// order is a snapshot of about 1 KB, as an order in the middle of its life has it.
func order(tb testing.TB) *execution.Snapshot {
	context, err := execution.Object(map[string]any{
		"customer": "c-000123", "items": []any{"book", "lamp", "chair"}, "total": 1999,
		"address": map[string]any{"street": "Long Lane 12", "town": "Springfield", "zip": "12345"},
		"paid":    false, "note": "leave it at the door, please", "declined": 1,
	})
	require.NoError(tb, err)
	s := execution.New("order", "1", "order-00000000000000000001", context)
	s.Status, s.Configuration = execution.Running, []string{"Fulfilment"}
	s.EntrySeq, s.Steps, s.Version = 5, 7, 8
	s.Timers = []execution.Timer{{Name: "timeout:Fulfilment", Entry: 3, At: epoch.UnixMilli()}}
	s.Sites = []execution.Site{{Path: "Fulfilment", Kind: execution.SiteRegions, Total: 2}}
	for _, region := range []string{"Fulfilment.Payment", "Fulfilment.Picking"} {
		s.Children = append(s.Children, execution.Child{
			ID: s.ID + ":" + region + ":0", RootPath: region, Key: region, Status: execution.Running,
			Result: []byte("{}"),
		})
	}
	s.InvokeSeq = []execution.NextSeq{{Path: "Fulfilment", Next: 1}}
	require.InDelta(tb, 1100, len(s.Encode()), 300)
	return s
}

func BenchmarkEncode(b *testing.B) {
	s := order(b)
	buf := s.Encode()
	b.SetBytes(int64(len(buf)))
	b.ReportAllocs()
	for b.Loop() {
		buf = s.Append(buf[:0])
	}
}

func BenchmarkDecode(b *testing.B) {
	data := order(b).Encode()
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := execution.Decode(data); err != nil {
			b.Fatal(err)
		}
	}
}
