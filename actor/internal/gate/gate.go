package gate

import (
	"errors"
	"hash/maphash"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"
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
