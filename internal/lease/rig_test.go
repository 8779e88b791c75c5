package lease_test

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/durachart/durachart/internal/lease"
	"github.com/durachart/durachart/store"
	"github.com/durachart/durachart/store/memstore"
)

// ttl of the stories; with it a third is 5 s, two thirds are 10 s.
const ttl = 15 * time.Second

// slack is how late a timer of the service may be by design, and how finely the
// world looks.
const slack = 100 * time.Millisecond

const glance = 40 * time.Millisecond

// world is a store and the processes on it. It looks at them all the time and fails
// the test when a promise is broken:
//
//   - a shard that a process holds is leased to it by the server's clock, so no two
//     processes hold it at one instant
//   - a shard is not without a process for longer than the ttl and a second
//   - Gained and Lost of a process keep their contract
type world struct {
	*testing.T
	data   *memstore.Store
	shards int

	mu        sync.Mutex
	processes []*process
	served    []time.Time // when each shard was last held by anybody
	disturbed time.Time   // when something last happened that may cost a takeover
	troubled  int         // disturbances that last
	unserved  time.Duration
	unwatched bool // nobody is to be there
}

// newWorld is a world in a bubble of synctest. Its server's clock is ahead of that of
// all processes by an hour, and nothing may come of it.
func newWorld(t *testing.T, shards int) *world {
	data, err := memstore.New(memstore.Options{Shards: shards, Clock: func() time.Time { return time.Now().Add(time.Hour) }})
	require.NoError(t, err)
	w := &world{T: t, data: data, shards: shards, served: make([]time.Time, shards), disturbed: time.Now()}
	over := make(chan struct{})
	var watching sync.WaitGroup
	watching.Go(func() {
		tick := time.NewTicker(glance)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				w.look()
			case <-over:
				return
			}
		}
	})
	t.Cleanup(func() { // within the bubble
		for _, p := range w.all() {
			p.kill()
			<-p.ended
		}
		close(over)
		watching.Wait()
	})
	return w
}

// in runs a story in a bubble of its own.
func in(t *testing.T, shards int, story func(w *world)) {
	synctest.Test(t, func(t *testing.T) { story(newWorld(t, shards)) })
}

// process is a service with the line that leads from it to the store.
type process struct {
	*lease.Service
	*line
	w      *world
	name   string
	ctx    context.Context
	die    context.CancelFunc
	ended  chan struct{} // closed when Run has returned
	result error         // what it returned

	careless bool         // Lost breaks its contract
	deceived map[int]bool // shards that were taken behind its back

	// lost is what runs when shards are lost. Default: nothing.
	lost func(ctx context.Context, shards []int)

	mu     sync.Mutex
	phase  map[int]phase
	events []lease.Event
}

// phase is where a shard of a process is between Gained and Lost.
type phase int

const (
	away phase = iota
	here
	going // Lost runs
)

// start starts a process.
func (w *world) start(name string, with ...func(*process, *lease.Config)) *process {
	w.Helper()
	p := w.prepare(name, with...)
	p.run()
	return p
}

func (w *world) prepare(name string, with ...func(*process, *lease.Config)) *process {
	w.Helper()
	handle, err := w.data.Attach(memstore.Options{Shards: w.shards})
	require.NoError(w, err)
	p := &process{w: w, name: name, ended: make(chan struct{}), phase: map[int]phase{}}
	p.line = newLine(p, handle)
	p.ctx, p.die = context.WithCancel(context.Background())
	cfg := lease.Config{
		Store: p.line, Owner: lease.NewOwner(name), Name: name, Shards: w.shards, TTL: ttl,
		Gained: p.gained, Lost: p.goes, Observe: p.observe,
	}
	for _, f := range with {
		f(p, &cfg)
	}
	p.owner = cfg.Owner
	p.Service, err = lease.New(cfg)
	require.NoError(w, err)
	return p
}

func (p *process) run() {
	p.w.mu.Lock()
	p.w.processes = append(p.w.processes, p)
	p.w.mu.Unlock()
	p.w.disturb()
	go func() {
		p.result = p.Run(p.ctx)
		close(p.ended)
	}()
}

// all are the processes that were started.
func (w *world) all() []*process {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Clone(w.processes)
}

// kill ends a process at once: nothing that it does reaches the store any more.
func (p *process) kill() {
	p.cut(dead)
	p.die()
	p.w.disturb()
}

// disturb notes that something happened after which the bound counts anew.
func (w *world) disturb() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.disturbed = time.Now()
}

// trouble is disturb for something that lasts until it is over.
func (w *world) trouble() (over func()) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.troubled++
	return func() {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.troubled--
		w.disturbed = time.Now()
	}
}

// look checks the promises at this instant.
func (w *world) look() {
	believed := map[*process][]int{}
	for _, p := range w.all() {
		for shard := range w.shards {
			if p.Holds(shard) {
				believed[p] = append(believed[p], shard)
			}
		}
	}
	survey, err := w.data.Survey(context.Background())
	if err != nil {
		w.Errorf("survey: %v", err)
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	now := time.Now()
	if w.troubled > 0 || !slices.ContainsFunc(w.processes, (*process).isWell) {
		w.disturbed = now
	}
	for _, p := range w.processes {
		if p.is(dead) {
			continue
		}
		for _, shard := range believed[p] {
			if !p.Holds(shard) {
				continue // lost at this very moment
			}
			w.served[shard] = now
			if l := survey.Leases[shard]; (l.Owner != p.owner || !l.Live) && !p.deceived[shard] {
				w.Errorf("%v: %s holds shard %d, whose lease is %+v", now, p.name, shard, l)
			}
		}
	}
	var alone []int
	for shard, last := range w.served {
		if last.Before(w.disturbed) {
			last = w.disturbed
		}
		w.unserved = max(w.unserved, now.Sub(last))
		if gap := now.Sub(last); gap > ttl+time.Second+slack && !w.unwatched {
			alone = append(alone, shard)
			w.served[shard] = now // once is enough
		}
	}
	if len(alone) > 0 {
		w.Errorf("%v: shards %v are with nobody for too long", now, alone)
	}
}

// gained is Config.Gained.
func (p *process) gained(shards []int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, shard := range shards {
		if p.phase[shard] != away {
			p.w.Errorf("%s gains shard %d in phase %d", p.name, shard, p.phase[shard])
		}
		p.phase[shard] = here
	}
	if !slices.IsSorted(shards) || len(shards) == 0 {
		p.w.Errorf("gained %v", shards)
	}
}

// goes is Config.Lost.
func (p *process) goes(ctx context.Context, shards []int) {
	set := func(from, to phase) {
		p.mu.Lock()
		defer p.mu.Unlock()
		for _, shard := range shards {
			if p.phase[shard] != from {
				p.w.Errorf("%s loses shard %d in phase %d, not %d", p.name, shard, p.phase[shard], from)
			}
			p.phase[shard] = to
		}
	}
	for _, shard := range shards {
		if p.Holds(shard) {
			p.w.Errorf("%s loses shard %d and still holds it", p.name, shard)
		}
	}
	if deadline, ok := ctx.Deadline(); !ok || time.Until(deadline) > ttl/4 {
		p.w.Errorf("Lost may take until %v", deadline)
	}
	set(here, going)
	p.pass()
	if p.lost != nil {
		p.lost(ctx, shards)
	}
	set(going, away)
}

func (p *process) isWell() bool { return p.is(well) && !p.hasEnded() }

// hasEnded reports whether Run has returned.
func (p *process) hasEnded() bool {
	select {
	case <-p.ended:
		return true
	default:
		return false
	}
}

func (p *process) observe(e lease.Event) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.events = append(p.events, e)
}

// seen are the events of a type so far.
func seen[E lease.Event](p *process) (all []E) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, e := range p.events {
		if e, ok := e.(E); ok {
			all = append(all, e)
		}
	}
	return all
}

// holdings says how many shards each process holds.
func (w *world) holdings() string {
	text := ""
	for _, p := range w.all() {
		if !p.is(dead) {
			text += fmt.Sprintf("%s=%d ", p.name, len(p.Held()))
		}
	}
	return text
}

// unwatch says that shards may be with nobody from now on.
func (w *world) unwatch() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.unwatched = true
}

// longest is how long a shard has been with nobody, beyond what disturbed it.
func (w *world) longest() time.Duration {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.unserved
}

// pass lets time pass.
func pass(d time.Duration) {
	time.Sleep(d)
	synctest.Wait()
}

// within waits until a condition holds, at most for d, and returns how long it took.
func (w *world) within(d time.Duration, what string, condition func() bool) time.Duration {
	w.Helper()
	for began := time.Now(); ; pass(glance) {
		synctest.Wait()
		switch took := time.Since(began); {
		case condition():
			return took
		case took > d:
			require.FailNow(w, "not within "+d.String()+": "+what, w.holdings())
		}
	}
}

// allServed reports whether each shard is held by a process.
func (w *world) allServed() bool {
	n := 0
	for _, p := range w.all() {
		if !p.is(dead) {
			n += len(p.Held())
		}
	}
	return n == w.shards
}

// fair reports whether everything is served in fair shares.
func (w *world) fair() bool {
	live := 0
	for _, p := range w.all() {
		if p.isWell() {
			live++
		}
	}
	for _, p := range w.all() {
		if n := len(p.Held()); p.isWell() && (n < w.shards/live || n > (w.shards+live-1)/live) {
			return false
		}
	}
	return w.allServed()
}

var _ store.Shards = (*line)(nil)
