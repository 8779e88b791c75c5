package timer

import (
	"context"
	"errors"
	"time"
)

// Service fires due timers. Make one with [New]. All methods are safe for concurrent
// use.
type Service struct{ cfg Config }

// New checks cfg and returns a Service that is not yet running. It does no I/O and
// starts nothing. The error is ErrInvalidConfig and names every mistake.
func New(cfg Config) (*Service, error) {
	cfg = cfg.withDefaults()
	if err := cfg.validate(); err != nil {
		return nil, err
	}
	return &Service{cfg: cfg}, nil
}

// Armed tells which timers an execution has after the write that left it at version:
// all of them, as store.Snapshot.Timers has them, none for nil. Call it after each
// commit and creation that proved successful here; what it tells replaces what was
// known of the execution, unless that is of a later version. Timers beyond the horizon
// are ignored; they are read when it reaches them.
//
// It does not block and does no I/O, and costs next to nothing for an execution
// without timers. It keeps nothing of timers.
func (s *Service) Armed(id string, version int64, timers map[string]time.Time) {}

// Refill makes the service read the index at once. Call it when shards were acquired.
func (s *Service) Refill() {}

// Run fires timers until ctx ends and every done has been called, then returns nil;
// no goroutine is left. A non-nil error is a failure that trying again cannot mend:
// ErrRunning, or store.ErrMisconfigured.
func (s *Service) Run(ctx context.Context) error { return errors.New("timer: not built yet") }

// Overdue is the number of timers in memory that are due and not yet applied.
func (s *Service) Overdue() int { return 0 }

// WaitIdle returns nil at an instant when nothing is due: the index has been read since
// the call, and every timer that is due has been applied. Otherwise it waits, and
// returns ctx's error when ctx ends.
func (s *Service) WaitIdle(ctx context.Context) error { return errors.New("timer: not built yet") }

// Lag is how long ago the oldest timer in memory became due that is not yet applied;
// zero if none is due.
func (s *Service) Lag() time.Duration { return 0 }
