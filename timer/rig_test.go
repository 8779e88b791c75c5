package timer_test

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/durachart/durachart/store"
	"github.com/durachart/durachart/store/memstore"
	"github.com/durachart/durachart/timer"
)

// world is a store that outlives the processes that work on it.
type world struct {
	t  *testing.T
	db *memstore.Store

	mu    sync.Mutex
	fired []firing // applied by a commit
}

// firing is one applied timer.
type firing struct {
	id, name string
	due, at  time.Time
}

// story runs a test in a bubble, where time passes when everything waits.
func story(t *testing.T, f func(*testing.T, *world)) {
	synctest.Test(t, func(t *testing.T) { f(t, &world{t: t, db: new(memstore.Store)}) })
}

// after lets d pass and everything come to rest.
func after(d time.Duration) {
	time.Sleep(d)
	synctest.Wait()
}

// in returns the timers name → now + d.
func in(timers map[string]time.Duration) map[string]time.Time {
	at := map[string]time.Time{}
	for name, d := range timers {
		at[name] = store.Millis(time.Now().Add(d))
	}
	return at
}

// create makes an execution with timers.
func (w *world) create(id string, timers map[string]time.Time) {
	require.NoError(w.t, w.db.Create(context.Background(), store.Creation{
		Snapshot: snapshot(timers), ID: id, DefinitionID: "chart", RequestID: "start", Now: time.Now(),
	}))
}

func snapshot(timers map[string]time.Time) store.Snapshot {
	return store.Snapshot{DefinitionVersion: "1", Data: []byte(`{}`), Status: store.Running, EnteredAt: time.Now(), Timers: timers}
}

// arm commits timers as those of id and returns the new version.
func (w *world) arm(id string, timers map[string]time.Time) int64 {
	e, err := w.db.Load(context.Background(), id)
	require.NoError(w.t, err)
	require.NoError(w.t, w.db.Commit(context.Background(), store.Commit{
		Snapshot: snapshot(timers), ID: id, Version: e.Version, Handled: []string{fmt.Sprintf("arm%d", e.Version)}, Now: time.Now(),
	}))
	return e.Version + 1
}

// log returns "<id> <name> +<lateness>" of each applied timer, in order.
func (w *world) log() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	var lines []string
	for _, f := range w.fired {
		lines = append(lines, fmt.Sprintf("%s %s +%v", f.id, f.name, f.at.Sub(f.due)))
	}
	return lines
}

// process is a timer service with a runtime that applies each timer by a commit.
type process struct {
	*world
	*timer.Service
	down    atomic.Bool   // the store does not answer
	slow    time.Duration // that an answer of the index takes
	queries atomic.Int64  // of the index
	left    atomic.Int64  // commits until the process dies
	dead    atomic.Bool

	mu     sync.Mutex
	refuse func(t store.DueTimer) error // instead of applying
	given  []store.DueTimer             // handed to Fire

	cancel context.CancelFunc
	done   chan error
}

func (w *world) process(options ...func(*process, *timer.Config)) *process {
	p := &process{world: w, done: make(chan error, 1)}
	p.left.Store(1 << 40)
	cfg := timer.Config{
		Source: p, Target: p, Jitter: func(d time.Duration) time.Duration { return d },
		Shards: func() []int {
			all := make([]int, store.DefaultShards)
			for i := range all {
				all[i] = i
			}
			return all
		},
	}
	for _, o := range options {
		o(p, &cfg)
	}
	var err error
	p.Service, err = timer.New(cfg)
	require.NoError(w.t, err)
	ctx, cancel := context.WithCancel(context.Background())
	p.cancel = cancel
	go func() { p.done <- p.Run(ctx) }()
	synctest.Wait()
	return p
}

// kill ends the process and waits until nothing of it is left.
func (p *process) kill() {
	p.dead.Store(true)
	p.cancel()
	require.NoError(p.t, <-p.done)
}

// refuses makes fires fail as f says.
func (p *process) refuses(f func(t store.DueTimer) error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.refuse = f
}

// DueTimers implements timer.Source.
func (p *process) DueTimers(ctx context.Context, q store.PollQuery) ([]store.DueTimer, error) {
	p.queries.Add(1)
	if p.down.Load() || p.dead.Load() {
		return nil, store.ErrUnavailable
	}
	found, err := p.db.DueTimers(ctx, q)
	time.Sleep(p.slow)
	return found, err
}

// Fire implements timer.Target: each timer is applied in a goroutine of its own.
func (p *process) Fire(ctx context.Context, due []store.DueTimer, done func(store.DueTimer, error)) {
	p.mu.Lock()
	p.given = append(p.given, due...)
	refuse := p.refuse
	p.mu.Unlock()
	for _, t := range slices.Clone(due) {
		go func() {
			if refuse != nil {
				if err := refuse(t); err != nil {
					done(t, err)
					return
				}
			}
			done(t, p.apply(ctx, t))
		}()
	}
}

// apply removes a due timer by a commit, as the step of the runtime does, or does nothing
// if the execution has no such timer.
func (p *process) apply(ctx context.Context, t store.DueTimer) error {
	for {
		e, err := p.db.Load(ctx, t.ID)
		if err != nil || p.down.Load() || p.dead.Load() {
			return store.ErrUnavailable
		}
		if !e.Timers[t.Name].Equal(t.Due) {
			return nil
		}
		left := p.left.Add(-1)
		if left < 0 {
			return store.ErrUnavailable
		}
		timers := maps.Clone(e.Timers)
		delete(timers, t.Name)
		id := fmt.Sprintf("%s:%s:%d", t.ID, t.Name, t.Due.UnixMilli())
		err = p.db.Commit(ctx, store.Commit{
			Snapshot: snapshot(timers), ID: t.ID, Version: e.Version, Handled: []string{id}, Now: time.Now(),
		})
		if err != nil {
			continue // somebody else's commit came first
		}
		p.world.mu.Lock()
		p.world.fired = append(p.world.fired, firing{t.ID, t.Name, t.Due, time.Now()})
		p.world.mu.Unlock()
		if left > 0 {
			p.Armed(t.ID, e.Version+1, timers)
		}
		return nil
	}
}

// given returns how often the runtime was given a timer.
func (p *process) times(id, name string) (n int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, t := range p.given {
		if t.ID == id && t.Name == name {
			n++
		}
	}
	return n
}
