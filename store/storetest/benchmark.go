package storetest

import (
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/durachart/durachart/store"
)

// Benchmark measures what the work of a runtime consists of, by the same code for
// every store: a hot commit, a cold load, a push, an event that goes through the
// inbox, a poll that finds nothing among many idle executions.
//
// Run it with -cpu or b.SetParallelism for more callers. It does not measure a
// network between caller and server beyond what the harness has.
func Benchmark(b *testing.B, open Open) {
	for _, m := range []struct {
		name string
		run  func(b *testing.B, s store.Store)
	}{
		{"Commit", benchmarkCommit},
		{"CommitRich", benchmarkCommitRich},
		{"Load", benchmarkLoad},
		{"Push", benchmarkPush},
		{"PushLoadCommit", benchmarkInbox},
		{"Create", benchmarkCreate},
		{"PollIdle", benchmarkPollIdle},
	} {
		b.Run(m.name, func(b *testing.B) {
			f := open(b, Options{})
			_, err := f.Store.Ready(b.Context())
			require.NoError(b, err)
			sent := commandsOf(f)
			b.ReportAllocs()
			b.ResetTimer()
			m.run(b, f.Store)
			if f.Commands != nil {
				b.ReportMetric(float64(commandsOf(f)-sent)/float64(b.N), "commands/op")
			}
		})
	}
}

func commandsOf(f Fixture) int {
	if f.Commands == nil {
		return 0
	}
	return f.Commands()
}

// sample is a snapshot of about the size that a small chart has.
const sample = `{"configuration":["Order.Preparing","Order.Preparing.Payment"],"context":{"amount":1250,"customer":"Jane Doe","lines":[{"n":2,"sku":"A-1"},{"n":1,"sku":"B-7"}]},"entry_seq":4,"format":1,"history":{},"status":"RUNNING","steps":3,"timers":{}}`

// eachCaller runs step in parallel callers, each with an execution of its own.
func eachCaller(b *testing.B, s store.Store, step func(id string, n int64) error) {
	var callers atomic.Int64
	b.RunParallel(func(pb *testing.PB) {
		id := fmt.Sprint("caller-", callers.Add(1))
		if err := s.Create(b.Context(), creation(id)); err != nil {
			b.Error(err)
			return
		}
		for n := int64(1); pb.Next(); n++ {
			if err := step(id, n); err != nil {
				b.Error(err)
				return
			}
		}
	})
}

func sampleCommit(id string, version int64) store.Commit {
	c := commit(id, version, fmt.Sprintf("0190b6a2-9d11-7c4e-8f00-%012d", version))
	c.Data = []byte(sample)
	return c
}

func benchmarkCommit(b *testing.B, s store.Store) {
	eachCaller(b, s, func(id string, n int64) error { return s.Commit(b.Context(), sampleCommit(id, n)) })
}

func benchmarkCommitRich(b *testing.B, s store.Store) {
	eachCaller(b, s, func(id string, n int64) error {
		c := sampleCommit(id, n)
		c.Emits = []store.Emit{emit("target", "e")}
		c.Timers = map[string]time.Time{"timeout:Preparing": base.Add(time.Duration(n) * time.Second)}
		c.Trace = []store.TraceStep{{At: base, Step: []byte(`{"from":"A","to":"B"}`)}}
		if err := s.Commit(b.Context(), c); err != nil {
			return err
		}
		return s.AckOutbox(b.Context(), []store.Ack{{ID: id, Seqs: []int64{store.Seq(n+1, 0)}}})
	})
}

func benchmarkLoad(b *testing.B, s store.Store) {
	eachCaller(b, s, func(id string, n int64) error {
		_, err := s.LoadForEvent(b.Context(), id, []string{"event"}, 16)
		return err
	})
}

func benchmarkPush(b *testing.B, s store.Store) {
	eachCaller(b, s, func(id string, n int64) error {
		p := push(id, fmt.Sprint("event-", n))
		if _, err := s.Push(b.Context(), p); err != nil {
			return err
		}
		if n%64 == 0 { // make room now and then
			var ids []string
			for i := n - 63; i <= n; i++ {
				ids = append(ids, fmt.Sprint("event-", i))
			}
			return s.DropInbox(b.Context(), id, ids)
		}
		return nil
	})
}

func benchmarkInbox(b *testing.B, s store.Store) {
	eachCaller(b, s, func(id string, n int64) error {
		event := fmt.Sprint("event-", n)
		if _, err := s.Push(b.Context(), push(id, event)); err != nil {
			return err
		}
		l, err := s.LoadForEvent(b.Context(), id, nil, 16)
		if err != nil {
			return err
		}
		c := sampleCommit(id, l.Version)
		c.Handled = []string{event}
		return s.Commit(b.Context(), c)
	})
}

func benchmarkCreate(b *testing.B, s store.Store) {
	var n atomic.Int64
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			if err := s.Create(b.Context(), creation(fmt.Sprint("x", n.Add(1)))); err != nil {
				b.Error(err)
				return
			}
		}
	})
}

func benchmarkPollIdle(b *testing.B, s store.Store) {
	for i := range 2000 {
		require.NoError(b, s.Create(b.Context(), creation(fmt.Sprint("idle", i))))
	}
	q := store.PollQuery{Shards: numbers(store.DefaultShards), Until: base.AddDate(1, 0, 0)}
	b.ResetTimer()
	for range b.N {
		if page, err := s.PollInbox(b.Context(), q); err != nil || len(page) > 0 {
			b.Fatal(page, err)
		}
	}
}
