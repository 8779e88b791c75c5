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

// The hot path of a runtime: a guard in CEL, a Go action over a typed context.
func BenchmarkStepGuardAction(b *testing.B) {
	builder := statechart.New("busy").Version("1").Initial("A")
	builder.State("A")
	builder.State("B")
	builder.From("A").To("B").On("Turn").When("event.data.n > 0").Do(statechart.Call("count"))
	builder.From("B").To("A").On("Turn").Where(statechart.Compare("n", ">", 0)).Do(statechart.Call("count"))
	c, err := builder.Build()
	require.NoError(b, err)
	benchmarkStep(b, c, "Turn", map[string]any{"n": 1}, map[string]any{"n": 0, "other": "x"}, storyHandlers())
}

// A parent of 10,000 children hears of the end of one.
func BenchmarkStepFinished(b *testing.B) {
	builder := statechart.New("parent").Version("1").Initial("E")
	builder.State("E").Resting().Invoke("child").Each("v", "list").Limit(100)
	c, err := builder.Build()
	require.NoError(b, err)
	list := make([]any, 10_000)
	host := &execution.Host{Charts: everyChart{}}
	s := started(b, c, map[string]any{"list": list}, host)
	require.Less(b, len(s.Encode()), 60_000)
	i := int64(0)
	b.ReportAllocs()
	for b.Loop() {
		if i == 9_000 {
			i, s = 0, started(b, c, map[string]any{"list": list}, host)
		}
		child := fmt.Sprintf("e-1:E:0:%d", i)
		r, err := execution.Step(c, s, execution.FinishedEvent(execution.Finished{
			Parent: "e-1", Child: child, Site: execution.SiteRef{Path: "E", Index: i},
			Status: execution.Done, Outcome: "success",
		}), epoch, host)
		if err != nil || r.Disposition != execution.Applied {
			b.Fatal(r, err)
		}
		s = r.Snapshot
		i++
	}
}

type everyChart struct{}

func (everyChart) Resolve(_, version string) (string, bool) { return version + "1", true }

// The budget of issue 6 for allocations, which unlike time does not depend on the
// machine.
func TestAllocationsOfAStep(t *testing.T) {
	for name, c := range map[string]*statechart.Chart{"flat": turn(t), "large": large(t)} {
		s, e := started(t, c, nil, nil), event(t, "Turn", nil)
		host := &execution.Host{}
		n := testing.AllocsPerRun(200, func() {
			r, err := execution.Step(c, s, e, epoch, host)
			if err != nil {
				t.Fatal(err)
			}
			s = r.Snapshot
		})
		require.Less(t, n, 8.0, name)
	}
}

// A parent of 10,000 children keeps a snapshot of a few KiB besides its list, and
// one child costs it the same whatever the number.
func TestFanOutOfTenThousandStaysSmall(t *testing.T) {
	b := statechart.New("parent").Version("1").Initial("E")
	b.State("E").Resting().Invoke("child").Each("v", "list")
	c, err := b.Build()
	require.NoError(t, err)
	host := &execution.Host{Charts: everyChart{}}
	list := make([]any, 10_000)
	s := started(t, c, map[string]any{"list": list}, host)
	for i := range int64(2000) {
		r, err := execution.Step(c, s, execution.FinishedEvent(execution.Finished{
			Parent: "e-1", Child: fmt.Sprintf("e-1:E:0:%d", i), Site: execution.SiteRef{Path: "E", Index: i},
			Status: execution.Done, Outcome: "odd",
		}), epoch, host)
		require.NoError(t, err)
		require.Equal(t, execution.Applied, r.Disposition)
		require.Len(t, r.Effects, 1, "the next child")
		s = r.Snapshot
	}
	require.Less(t, len(s.Encode())-len(s.Context), 8<<10)
	require.Empty(t, s.Children)
}
