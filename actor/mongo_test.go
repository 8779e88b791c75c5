package actor

import (
	"context"
	"fmt"
	"maps"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.mongodb.org/mongo-driver/v2/event"
	driver "go.mongodb.org/mongo-driver/v2/mongo/options"

	"github.com/durachart/durachart/internal/mongotest"
	"github.com/durachart/durachart/store/mongostore"
)

// wire counts the commands that the driver sends, polls aside: what an idle
// runtime asks is a find.
type wire struct {
	mu sync.Mutex
	n  map[string]int
}

func (w *wire) started(_ context.Context, e *event.CommandStartedEvent) {
	if e.CommandName == "find" || e.CommandName == "ping" {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.n[e.CommandName]++
}

// of runs f and returns the commands that were sent meanwhile.
func (w *wire) of(f func()) map[string]int {
	w.mu.Lock()
	w.n = map[string]int{}
	w.mu.Unlock()
	f()
	w.mu.Lock()
	defer w.mu.Unlock()
	return maps.Clone(w.n)
}

// mongo starts a runtime on the test server, over a database of that name.
func mongo(t *testing.T, database string) (*Runtime, *wire) {
	t.Helper()
	w := &wire{n: map[string]int{}}
	client := mongotest.Connect(t, driver.Client().SetMonitor(&event.CommandMonitor{Started: w.started}))
	s, err := mongostore.New(client, mongostore.Options{Database: database})
	require.NoError(t, err)
	require.NoError(t, s.EnsureIndexes(bg))
	r, err := New(Config{Store: s, Charts: defaultCharts(), Handlers: handlers()})
	require.NoError(t, err)
	ended := make(chan error, 1)
	go func() { ended <- r.Run(bg) }()
	t.Cleanup(func() {
		require.NoError(t, r.Drain(bg))
		require.NoError(t, <-ended)
		require.NoError(t, s.Close(bg))
	})
	return r, w
}

// A hot Call is exactly one command to the server, a cold one exactly two.
func TestCommandsOnTheWire(t *testing.T) {
	r, w := mongo(t, mongotest.Database(t))
	call := func() {
		reply, err := r.Call(bg, "c", Event{Name: "add"})
		require.NoError(t, err)
		assert.Equal(t, Applied, reply.Disposition)
	}
	require.NoError(t, r.WaitIdle(bg)) // it has made the store ready
	assert.Equal(t, sent{"insert": 1}, w.of(func() {
		_, err := r.Start(bg, StartRequest{ID: "c", Chart: "counter"})
		require.NoError(t, err)
	}))
	for range 3 {
		assert.Equal(t, sent{"update": 1}, w.of(call), "hot")
	}
	require.NoError(t, r.gate.Quiet(bg))
	r.gate.Forget(func(string) bool { return true })
	assert.Equal(t, sent{"aggregate": 1, "update": 1}, w.of(call), "cold")
	assert.Equal(t, sent{"update": 1}, w.of(call), "hot again")
	assert.Equal(t, 1, w.of(func() {
		_, err := r.Send(bg, "c", Event{Name: "add"})
		require.NoError(t, err)
	})["update"], "Send has returned after one write")
}

// The same story as on the memory store: regions, timers, order, letters, and a
// second runtime that takes over.
func TestStoriesOnMongoDB(t *testing.T) {
	database := mongotest.Database(t)
	r, _ := mongo(t, database)
	ctx, cancel := context.WithTimeout(bg, time.Minute)
	defer cancel()
	const n = 40
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			f, c := fmt.Sprint("f", i), fmt.Sprint("c", i)
			_, err := r.Start(ctx, StartRequest{ID: f, Chart: "family"})
			assert.NoError(t, err)
			_, err = r.SendOrStart(ctx, StartRequest{ID: c, Chart: "counter"}, Event{ID: "e0", Name: "add"})
			assert.NoError(t, err)
			for k := 1; k < 10; k++ {
				ev := Event{ID: fmt.Sprint("e", k), Name: "add"}
				if k%2 == 0 {
					_, err = r.Send(ctx, c, ev)
				} else {
					_, err = r.Call(ctx, c, ev)
				}
				assert.NoError(t, err)
			}
			_, err = r.Call(ctx, f, Event{Name: "left"})
			assert.NoError(t, err)
			_, err = r.Send(ctx, f, Event{Name: "right"})
			assert.NoError(t, err)
			e, err := r.Wait(ctx, f, nil)
			assert.NoError(t, err)
			assert.Equal(t, []string{"good"}, e.Active)
		})
	}
	wg.Wait()
	require.NoError(t, r.WaitIdle(ctx))
	other, _ := mongo(t, database)
	for i := range n {
		e, err := other.Get(ctx, fmt.Sprint("c", i))
		require.NoError(t, err)
		var c tally
		decode(t, e.Context, &c)
		assert.Equal(t, []string{"e0", "e1", "e2", "e3", "e4", "e5", "e6", "e7", "e8", "e9"}, c.Seen)
	}
	_, err := other.Suspend(ctx, "c0")
	require.NoError(t, err)
	reply, err := r.Call(ctx, "c0", Event{Name: "add"}) // its copy is out of date
	require.NoError(t, err)
	assert.Equal(t, Held, reply.Disposition)
	_, err = r.Resume(ctx, "c0")
	require.NoError(t, err)
	_, err = other.Call(ctx, "c0", Event{Name: "tell"})
	require.NoError(t, err)
	require.NoError(t, r.WaitIdle(ctx))
	require.NoError(t, other.WaitIdle(ctx))
	letters, err := r.DeadLetters(ctx, DeadLetterFilter{ExecutionID: "c0"}, Page{})
	require.NoError(t, err)
	assert.Len(t, letters.Items, 1)
}

// Eight runtimes contend for one execution: every event is applied once, and every
// commit is one version.
func TestContentionOnMongoDB(t *testing.T) {
	database := mongotest.Database(t)
	const runtimes, clients, each = 8, 8, 5
	var rs []*Runtime
	for range runtimes {
		r, _ := mongo(t, database)
		rs = append(rs, r)
	}
	_, err := rs[0].Start(bg, StartRequest{ID: "c", Chart: "counter"})
	require.NoError(t, err)
	var wg sync.WaitGroup
	for n, r := range rs {
		for c := range clients {
			wg.Go(func() {
				for i := range each {
					reply, err := r.Call(bg, "c", Event{ID: fmt.Sprint(n, "-", c, "-", i), Name: "add"})
					assert.NoError(t, err)
					assert.NotEqual(t, Held, reply.Disposition)
				}
			})
		}
	}
	wg.Wait()
	wins := int64(0)
	for _, r := range rs {
		wins += r.Stats().Commits
	}
	e, err := rs[0].Get(bg, "c")
	require.NoError(t, err)
	var c tally
	decode(t, e.Context, &c)
	assert.Equal(t, runtimes*clients*each, c.N)
	assert.Equal(t, e.Revision, wins)
}
