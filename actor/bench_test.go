package actor

import (
	"context"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/durachart/durachart/execution"
	"github.com/durachart/durachart/statechart"
	"github.com/durachart/durachart/store"
	"github.com/durachart/durachart/store/memstore"
)

// worker is the chart of the throughput benchmarks: Idle, Working, Done.
func worker() *statechart.Chart {
	b := statechart.New("worker").Version("1").Initial("Idle")
	b.State("Idle")
	b.State("Working").OnEnter(statechart.Call("nothing"))
	b.Final("Done")
	b.From("Idle").To("Working").On("begin")
	b.From("Working").To("Done").On("finish")
	return b.MustBuild()
}

// loop goes round and round, so that a benchmark needs few executions.
func loop() *statechart.Chart {
	b := statechart.New("loop").Version("1").Initial("Idle")
	b.State("Idle")
	b.State("Working").OnEnter(statechart.Call("nothing"))
	b.From("Idle").To("Working").On("next")
	b.From("Working").To("Idle").On("next")
	return b.MustBuild()
}

func benchRuntime(b *testing.B, data *memstore.Store) (*Runtime, func()) {
	b.Helper()
	r, err := New(Config{
		Store:    data,
		Charts:   []*statechart.Chart{worker(), loop(), fan()},
		Handlers: execution.Handlers{"nothing": execution.Action(func(execution.Ctx, *execution.Scope[map[string]any]) error { return nil })},
	})
	if err != nil {
		b.Fatal(err)
	}
	done := make(chan struct{})
	go func() { defer close(done); _ = r.Run(context.Background()) }()
	return r, func() { _ = r.Drain(context.Background()); <-done }
}

// BenchmarkCall is a hot call: 64 callers, 1,000 executions in memory.
func BenchmarkCall(b *testing.B) {
	r, stop := benchRuntime(b, new(memstore.Store))
	defer stop()
	const ids = 1000
	names := make([]string, ids)
	for i := range names {
		names[i] = fmt.Sprint("ex-", i)
		if _, err := r.Start(bg, StartRequest{ID: names[i], Chart: "loop"}); err != nil {
			b.Fatal(err)
		}
	}
	var n atomic.Int64
	b.ReportAllocs()
	b.SetParallelism(64 / runtime.GOMAXPROCS(0))
	b.ResetTimer()
	cpu := cpuTime()
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			if _, err := r.Call(bg, names[n.Add(1)%ids], Event{Name: "next"}); err != nil {
				b.Error(err)
				return
			}
		}
	})
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "events/s")
	b.ReportMetric(float64((cpuTime()-cpu).Nanoseconds())/float64(b.N), "cpu-ns/event")
}

// BenchmarkDrain is what a runtime does with inboxes that are full already: two
// events for each execution.
func BenchmarkDrain(b *testing.B) {
	data := new(memstore.Store)
	n := max(1000, b.N/2)
	prefill(b, data, n)
	b.ReportAllocs()
	b.ResetTimer()
	cpu := cpuTime()
	r, stop := benchRuntime(b, data)
	if err := r.WaitIdle(bg); err != nil {
		b.Fatal(err)
	}
	b.StopTimer()
	if got := r.Stats().Steps; got != int64(2*n) {
		b.Fatalf("%d steps, want %d", got, 2*n)
	}
	b.ReportMetric(float64(2*n)/b.Elapsed().Seconds(), "events/s")
	b.ReportMetric(float64((cpuTime()-cpu).Nanoseconds())/float64(2*n), "cpu-ns/event")
	stop()
}

// prefill creates n executions with two events each in their inboxes.
func prefill(b *testing.B, data store.Store, n int) {
	b.Helper()
	chart := worker()
	var wg sync.WaitGroup
	for w := range 4 {
		wg.Go(func() {
			for i := w; i < n; i += 4 {
				id := fmt.Sprint("ex-", i)
				now := time.Now()
				s := execution.New("worker", "1", id, nil)
				res, err := execution.Step(chart, s, execution.StartEvent(id, 1), now, nil)
				if err != nil {
					b.Error(err)
					return
				}
				begin, _ := execution.NewEvent(fmt.Sprint("b", i), "begin", nil)
				finish, _ := execution.NewEvent(fmt.Sprint("f", i), "finish", nil)
				if err := data.Create(bg, store.Creation{
					Snapshot: store.Snapshot{DefinitionVersion: "1", Data: res.Snapshot.Encode(), Status: store.Running, Leaves: []string{"Idle"}, EnteredAt: now},
					ID:       id, DefinitionID: "worker", RequestID: "r", StartID: "s", Now: now,
					Inbox: []store.InboxEntry{{ID: begin.ID, At: now, Event: begin.Encode()}, {ID: finish.ID, At: now, Event: finish.Encode()}},
				}); err != nil {
					b.Error(err)
					return
				}
			}
		})
	}
	wg.Wait()
}

// cpuTime is what the process has used: on a machine that is shared it says more
// than the clock.
func cpuTime() time.Duration {
	var u syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
