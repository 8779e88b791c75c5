package timer

import (
	"context"
	"time"
)

// Overdue is the number of timers in memory that are due and not yet applied.
func (s *Service) Overdue() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.wheel == nil {
		return 0
	}
	s.turn(s.cfg.Clock())
	return s.overdue()
}

func (s *Service) overdue() int { return len(s.due) + len(s.flying) + s.resting }

// WaitIdle returns nil at an instant when nothing is due: the index has been read since
// the call, and every timer that is due has been applied. Otherwise it waits, and
// returns ctx's error when ctx ends.
func (s *Service) WaitIdle(ctx context.Context) error {
	s.mu.Lock()
	after := s.read.begun
	s.mu.Unlock()
	s.Refill()
	for {
		idle, changed := s.isIdle(after)
		if idle {
			return ctx.Err()
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// isIdle reports whether nothing is due, by a read that began after the given round.
func (s *Service) isIdle(after int) (idle bool, changed <-chan struct{}) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.changed == nil {
		s.changed = make(chan struct{})
	}
	if s.wheel == nil {
		return false, s.changed
	}
	now := s.cfg.Clock()
	s.turn(now)
	if len(s.due) > 0 {
		s.nudge()
	}
	return s.read.ended > after && s.frontier > now.UnixMilli() && s.overdue() == 0, s.changed
}

// Lag is how long ago the oldest timer in memory became due that is not yet applied;
// zero if none is due.
func (s *Service) Lag() time.Duration {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.wheel == nil {
		return 0
	}
	now := s.cfg.Clock()
	s.turn(now)
	oldest := now.UnixMilli()
	if len(s.due) > 0 {
		oldest = min(oldest, s.due[0].due)
	}
	for _, n := range s.flying {
		oldest = min(oldest, n.due)
	}
	if s.resting > 0 {
		for _, rec := range s.records {
			for _, n := range rec.nodes {
				if n.rests() {
					oldest = min(oldest, n.due)
				}
			}
		}
	}
	return time.Duration(now.UnixMilli()-oldest) * time.Millisecond
}
