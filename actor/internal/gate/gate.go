package gate

import (
	"context"
	"errors"
	"fmt"
	"hash/maphash"
	"log/slog"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"

	"github.com/durachart/durachart/internal/logkey"
)

var (
	// ErrFull reports a queue without room, where the gate does not wait.
	ErrFull = errors.New("gate: queue full")
	// ErrClosed reports a gate that drains or is closed.
	ErrClosed = errors.New("gate: closed")
	// ErrStarted reports a call whose caller's context ended after the call was
	// started: whether it has an effect is not known to the caller.
	ErrStarted = errors.New("gate: call was started")
	// ErrPanic reports a behavior that panicked with the call in hand.
	ErrPanic = errors.New("gate: behavior panicked")
)

// Config says how a gate admits. All fields are required, but for Logger.
type Config struct {
	Mailboxes Mailboxes
	// New makes the behavior of an execution that gets active.
	New func(id string) Behavior
	// Size bounds the calls in one queue.
	Size int
	// Batch bounds the calls of one run.
	Batch int
	// IdleAfter is how long an idle entry stays.
	IdleAfter time.Duration
	// MaxActive bounds the entries; beyond it idle ones make room for new ones, so
	// it is exceeded only by entries that have work.
	MaxActive int
	Logger    *slog.Logger
}

const shards = 256

// Gate is the registry. Make one with New.
type Gate struct {
	cfg    Config
	seed   maphash.Seed
	shards [shards]shard

	active atomic.Int64  // entries in the map
	busy   atomic.Int64  // entries that run, or will without further calls, pauses aside
	paused atomic.Int64  // entries that rest in a pause
	born   atomic.Uint64 // incarnations
	now    atomic.Int64  // coarse clock
	swept  atomic.Uint64 // shards swept so far
	left   atomic.Int64  // entries passivated
	wakes  sync.Pool     // channels that callers wait on, empty ones
	rooms  sync.Pool     // room for the calls of a run

	closed  atomic.Bool
	quietMu sync.Mutex
	quiet   chan struct{} // closed and replaced when busy gets 0; nil while nobody waits
}

// New returns a gate. It starts nothing.
func New(cfg Config) *Gate {
	if cfg.Logger == nil {
		cfg.Logger = slog.New(slog.DiscardHandler)
	}
	g := &Gate{cfg: cfg, seed: maphash.MakeSeed()}
	for i := range g.shards {
		g.shards[i].entries = make(map[string]*entry)
	}
	g.rooms.New = func() any { room := make([]*Call, cfg.Batch); return &room }
	g.wakes.New = func() any { return make(chan struct{}, 1) }
	g.now.Store(time.Now().UnixNano())
	return g
}

func (g *Gate) shard(id string) *shard {
	return &g.shards[maphash.String(g.seed, id)%shards]
}

// Do has the execution id carry out c and waits for its end. If the queue is full
// it waits for room, unless failFast: then it returns ErrFull.
//
// When ctx ends first it returns the cause of that, and c has certainly no effect,
// or ErrStarted.
func (g *Gate) Do(ctx context.Context, id string, c *Call, failFast bool) error {
	if err := context.Cause(ctx); err != nil {
		return err
	}
	c.wake = g.wakes.Get().(chan struct{})
	if err := g.submit(id, c, failFast, false); err != nil {
		g.wakes.Put(c.wake)
		return err
	}
	select {
	case <-c.wake:
		g.wakes.Put(c.wake)
		return c.err
	case <-ctx.Done():
	}
	if g.abandon(c) {
		return context.Cause(ctx)
	}
	select {
	case <-c.wake:
		return c.err
	default:
		return fmt.Errorf("%w: %w", ErrStarted, context.Cause(ctx))
	}
}

// Post has the execution id carry out c, whether or not there is room, and does
// not wait. c.Done hears of its end. ErrClosed.
func (g *Gate) Post(id string, c *Call) error { return g.submit(id, c, false, true) }

// PostTo is Post to the incarnation born of id, and only while there is room;
// false if c was not taken.
func (g *Gate) PostTo(id string, born uint64, c *Call) bool {
	sh := g.shard(id)
	sh.mu.Lock()
	e := sh.entries[id]
	if e == nil || e.born != born || e.wake || e.waiting.len > 0 || e.queue.len >= g.cfg.Size || g.closed.Load() {
		sh.mu.Unlock()
		return false
	}
	c.entry = e
	e.queue.pushBack(c)
	g.start(e)
	return true
}

// Incarnation returns the number of the entry of id, 0 if there is none.
func (g *Gate) Incarnation(id string) uint64 {
	sh := g.shard(id)
	sh.mu.Lock()
	defer sh.mu.Unlock()
	if e := sh.entries[id]; e != nil {
		return e.born
	}
	return 0
}

// Wake has the execution id run, with wake set. Many calls of it before that run
// are one. ErrClosed.
func (g *Gate) Wake(id string) error {
	sh := g.shard(id)
	sh.mu.Lock()
	if g.closed.Load() {
		sh.mu.Unlock()
		return ErrClosed
	}
	e := g.enter(sh, id, nil)
	e.wake = true
	g.start(e)
	return nil
}

// Offer is Wake for an id that has an entry. For one that has none it makes an
// entry with the behavior that make returns, and runs it if wake. It reports
// whether it made one. make is called under a lock: it must be quick.
func (g *Gate) Offer(id string, wake bool, make func() Behavior) (made bool, err error) {
	sh := g.shard(id)
	sh.mu.Lock()
	if g.closed.Load() {
		sh.mu.Unlock()
		return false, ErrClosed
	}
	e := sh.entries[id]
	if e == nil {
		made = true
		e = g.enter(sh, id, make())
	}
	if !wake {
		sh.mu.Unlock()
		return made, nil
	}
	e.wake = true
	g.start(e)
	return made, nil
}

// submit queues c. Admission: under the lock the entry is in the map, and it
// cannot leave it while c is in one of its lists.
func (g *Gate) submit(id string, c *Call, failFast, always bool) error {
	sh := g.shard(id)
	sh.mu.Lock()
	if g.closed.Load() {
		sh.mu.Unlock()
		return ErrClosed
	}
	e := g.enter(sh, id, nil)
	c.entry = e
	switch {
	case c.Urgent:
		e.urgent.pushBack(c)
		e.unpause(g)
	case always || (e.queue.len < g.cfg.Size && e.waiting.len == 0):
		e.queue.pushBack(c)
	case failFast:
		sh.mu.Unlock()
		return ErrFull
	default:
		e.waiting.pushBack(c)
	}
	g.start(e)
	return nil
}

// abandon takes c out of the lists; false if it was started before.
func (g *Gate) abandon(c *Call) bool {
	if !c.state.CompareAndSwap(queued, abandoned) {
		return false
	}
	e := c.entry
	e.shard.mu.Lock()
	if c.list != nil {
		c.list.remove(c)
		e.admit(g.cfg.Size)
	}
	e.shard.mu.Unlock()
	return true
}

// enter returns the entry of id, made with b (nil: with Config.New) if there is
// none. The shard is locked.
func (g *Gate) enter(sh *shard, id string, b Behavior) *entry {
	e := sh.entries[id]
	if e != nil {
		return e
	}
	if b == nil {
		b = g.cfg.New(id)
	}
	if g.active.Load() >= int64(g.cfg.MaxActive) {
		g.evictOne(sh)
	}
	e = &entry{id: id, gate: g, shard: sh, born: g.born.Add(1), behavior: b, last: g.now.Load()}
	sh.entries[id] = e
	g.active.Add(1)
	return e
}

// start has e run if it does not, and unlocks its shard.
func (g *Gate) start(e *entry) {
	if e.running || e.paused {
		e.shard.mu.Unlock()
		return
	}
	e.running = true
	g.busy.Add(1)
	e.shard.mu.Unlock()
	if e.handle == nil { // ours: running was false
		e.handle = g.cfg.Mailboxes.Spawn(e)
	}
	g.cfg.Mailboxes.Post(e.handle)
}

// Run implements [Runner]: it runs e until it has nothing more to do.
func (e *entry) Run() {
	g := e.gate
	room := g.rooms.Get().(*[]*Call)
	g.run(e, *room)
	clear(*room)
	g.rooms.Put(room)
}

func (g *Gate) run(e *entry, room []*Call) {
	e.shard.mu.Lock()
	for {
		batch := e.take(room[:0], g.cfg.Batch, g.cfg.Size)
		wake := e.wake
		if len(batch) == 0 && !wake && !e.again {
			g.rest(e)
			return
		}
		e.wake = false
		e.shard.mu.Unlock()
		next := g.behave(e, batch, wake)
		e.shard.mu.Lock()
		e.giveBack(next.Back)
		e.again, e.leave = next.Again, next.Leave
		if next.Pause > 0 && g.pause(e, next.Pause) {
			return
		}
	}
}

// behave is Behavior.Run, that of a behavior which panicked included: its calls
// get ErrPanic, and a fresh one takes its place.
func (g *Gate) behave(e *entry, batch []*Call, wake bool) (next Next) {
	defer func() {
		if p := recover(); p != nil {
			g.cfg.Logger.Error("execution's behavior panicked, its copy is dropped",
				logkey.Execution, e.id, logkey.Error, fmt.Sprint(p), logkey.Stack, string(debug.Stack()))
			e.behavior = g.cfg.New(e.id)
			for _, c := range batch {
				c.Finish(fmt.Errorf("%w: %v", ErrPanic, p))
			}
			next = Next{}
		}
	}()
	return e.behavior.Run(batch, wake)
}

// rest ends the run of e and unlocks its shard. Passivation decides here, or in
// Sweep, under the lock under which calls are admitted.
func (g *Gate) rest(e *entry) {
	e.behavior.Rest()
	e.running = false
	e.last = g.now.Load()
	var gone Handle
	if e.leave || e.forget || g.active.Load() > int64(g.cfg.MaxActive) {
		gone = g.remove(e)
	}
	e.shard.mu.Unlock()
	if gone != nil {
		g.cfg.Mailboxes.Stop(gone)
	}
	g.calm()
}

// remove takes the idle e out of the map; the handle is to be stopped outside the
// lock.
func (g *Gate) remove(e *entry) Handle {
	delete(e.shard.entries, e.id)
	g.active.Add(-1)
	g.left.Add(1)
	return e.handle
}

// calm counts one busy entry less and tells those who wait for quiet.
func (g *Gate) calm() {
	if g.busy.Add(-1) != 0 {
		return
	}
	g.quietMu.Lock()
	if g.quiet != nil {
		close(g.quiet)
		g.quiet = nil
	}
	g.quietMu.Unlock()
}
