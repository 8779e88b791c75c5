package lease

import (
	"context"
	"sync"
	"sync/atomic"
	"time"
)

// Service keeps the shards of a process. Make one with [New]. All methods are safe for
// concurrent use.
type Service struct {
	cfg Config

	// base is the zero of every instant here. It carries a monotonic reading, so that
	// no change of the wall clock moves anything.
	base time.Time
	// trust has for each shard the instant until which this process may believe that
	// it has it; 0 if it has not. Only Run's goroutine writes.
	trust []atomic.Int64

	started  time.Time // for people
	ran      atomic.Bool
	joined   chan struct{} // closed after the first pass
	first    chan struct{} // closed when the first shards are there
	leave    chan struct{} // closed by Release
	leaving  sync.Once
	over     chan struct{} // closed when Run has ended
	released error         // of the last release; set before over is closed
}

// New checks cfg and returns a Service that is not yet running. It does no I/O and
// starts nothing. The error is ErrInvalidConfig and names every mistake.
func New(cfg Config) (*Service, error) {
	cfg = cfg.withDefaults()
	if err := cfg.validate(); err != nil {
		return nil, err
	}
	return &Service{
		cfg:     cfg,
		base:    time.Now(),
		started: time.Now(),
		trust:   make([]atomic.Int64, cfg.Shards),
		joined:  make(chan struct{}),
		first:   make(chan struct{}),
		leave:   make(chan struct{}),
		over:    make(chan struct{}),
	}, nil
}

// Holds reports whether this process has the shard now. It takes no lock and is made
// for hot paths. It looks at the clock, so it is right also in the first instruction
// after the process was stopped for long. What is done on its word may yet be done when
// the lease is over.
func (s *Service) Holds(shard int) bool {
	return shard >= 0 && shard < len(s.trust) && instant(s.trust[shard].Load()) > s.now()
}

// Held returns the shards that this process has now, in ascending order. The slice is
// the caller's.
func (s *Service) Held() []int {
	now := s.now()
	var held []int
	for shard := range s.trust {
		if instant(s.trust[shard].Load()) > now {
			held = append(held, shard)
		}
	}
	return held
}

// Joined returns when the first pass is over, which takes what is free, whether or not
// anything was; else the cause of ctx's end, or ErrEnded.
func (s *Service) Joined(ctx context.Context) error { return s.await(ctx, s.joined) }

// First returns when the first shards are there; else the cause of ctx's end, or
// ErrEnded. Where other processes hold everything that takes until one of them gives
// some back.
func (s *Service) First(ctx context.Context) error { return s.await(ctx, s.first) }

func (s *Service) await(ctx context.Context, event <-chan struct{}) error {
	select {
	case <-event:
		return nil
	default:
	}
	select {
	case <-event:
		return nil
	case <-s.over:
		return ErrEnded
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// Release ends the service in an orderly way: it has everything stopped that runs in
// its shards (Lost), gives them back to the store, so that others have them at once, and
// takes no more; Run then returns (D62). It returns the cause of ctx's end if that comes
// first; the rest is done all the same, within half of the ttl.
//
// The error of a release that did not succeed is returned: the leases then end by
// themselves. It is idempotent.
func (s *Service) Release(ctx context.Context) error {
	s.leaving.Do(func() { close(s.leave) })
	if !s.ran.Swap(true) { // it never ran, and never will
		close(s.over)
	}
	select {
	case <-s.over:
		return s.released
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// instant is a point on the monotonic clock, since Service.base.
type instant = time.Duration

func (s *Service) now() instant { return time.Since(s.base) }
