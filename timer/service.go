package timer

import (
	"context"
	"sync"
	"sync/atomic"
	"time"
)

// Service fires due timers. Make one with [New]. All methods are safe for concurrent
// use.
type Service struct {
	cfg    Config
	wake   chan struct{} // the firing loop
	refill chan struct{} // the reading loop, to read
	// narrowed wakes the reading loop because less is known than it thought.
	narrowed chan struct{}

	// silent says that Armed without timers has nothing to do: there are no records,
	// and no read is under way. It spares the commits of executions without timers the
	// lock.
	silent atomic.Bool

	mu      sync.Mutex
	ran     bool
	records map[string]*record
	wheel   *wheel
	due     queue
	flying  map[key]*node // handed to the runtime; the node may be dropped meanwhile
	landed  sync.WaitGroup
	held    int // Invariant: held = number of nodes in records <= Config.Held
	resting int // nodes in the wheel after a failed fire

	// Ticks: milliseconds since 1970. Every timer of the own shards that is due before
	// frontier, and that the store had when it was last read, is in hand; one that a
	// commit tells of is taken in hand if it is due before accept. While a read is under
	// way accept is its end already, or a timer that is committed behind the read's
	// back would be missed.
	//
	// Invariant: frontier <= accept.
	frontier, accept int64
	sleepingUntil    int64 // of the firing loop

	read    reading
	changed chan struct{} // closed when those who wait should look again; nil if nobody does
}

// New checks cfg and returns a Service that is not yet running. It does no I/O and
// starts nothing. The error is ErrInvalidConfig and names every mistake.
func New(cfg Config) (*Service, error) {
	cfg = cfg.withDefaults()
	if err := cfg.validate(); err != nil {
		return nil, err
	}
	s := &Service{
		cfg:      cfg,
		wake:     make(chan struct{}, 1),
		refill:   make(chan struct{}, 1),
		narrowed: make(chan struct{}, 1),
		records:  map[string]*record{},
		flying:   map[key]*node{},
	}
	s.silent.Store(true)
	return s, nil
}

// Armed tells which timers an execution has after the write that left it at version:
// all of them, as store.Snapshot.Timers has them, none for nil. Call it after each
// commit and creation that proved successful here; what it tells replaces what was
// known of the execution, unless that is of a later version. Timers beyond the horizon
// are ignored; they are read when it reaches them.
//
// It does not block and does no I/O, and costs next to nothing for an execution
// without timers. It keeps nothing of timers. Before Run it does nothing.
func (s *Service) Armed(id string, version int64, timers map[string]time.Time) {
	if len(timers) == 0 && s.silent.Load() {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.wheel == nil {
		return
	}
	s.read.outdate(id, version)
	s.learn(id, version, 0, timers)
	s.settle()
}

// Refill makes the service read the index at once. Call it when shards were acquired.
func (s *Service) Refill() { poke(s.refill) }

// nudge makes the firing loop look again.
func (s *Service) nudge() { poke(s.wake) }

func poke(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default: // one is enough
	}
}

// Run fires timers until ctx ends and every done has been called, then returns nil;
// no goroutine is left. A non-nil error is a failure that trying again cannot mend:
// ErrRunning, or store.ErrMisconfigured.
func (s *Service) Run(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	s.mu.Lock()
	if s.ran {
		s.mu.Unlock()
		return ErrRunning
	}
	s.ran = true
	s.wheel = newWheel(s.cfg.Clock())
	s.mu.Unlock()

	var firing sync.WaitGroup
	firing.Go(func() { s.fire(ctx) })
	err := s.readAlong(ctx)
	cancel()
	firing.Wait()
	s.landed.Wait()

	s.mu.Lock()
	defer s.mu.Unlock()
	s.wheel, s.due, s.held, s.resting = nil, nil, 0, 0
	clear(s.records)
	s.silent.Store(true)
	return err
}

// settle is called with mu held after each change: it keeps what follows from the rest.
func (s *Service) settle() {
	s.silent.Store(len(s.records) == 0 && !s.read.underWay)
	if s.read.low(s.held - s.resting) {
		s.Refill()
	}
	if s.changed != nil {
		close(s.changed)
		s.changed = nil
	}
}
