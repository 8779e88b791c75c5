package timer

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/durachart/durachart/internal/backoff"
	"github.com/durachart/durachart/internal/logkey"
	"github.com/durachart/durachart/store"
)

// longestSleep bounds a sleep while timers are in hand, because the clock is a lower
// bound that may be raised meanwhile.
const longestSleep = time.Second

// fire hands due timers to the runtime until ctx ends.
func (s *Service) fire(ctx context.Context) {
	for ctx.Err() == nil {
		batch, sleep := s.nextBatch()
		if len(batch) > 0 {
			s.cfg.Target.Fire(ctx, batch, s.done)
			continue
		}
		if backoff.Wait(ctx, sleep, s.wake) != nil {
			return
		}
	}
}

// nextBatch returns the timers that are to be fired now, in due order, or how long to
// sleep if there are none.
func (s *Service) nextBatch() (batch []store.DueTimer, sleep time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := s.cfg.Clock()
	s.turn(now)
	// When all places were taken, a few that are free again are not worth a call: the
	// runtime reads the executions of one call together.
	room := s.cfg.Parallel - len(s.flying)
	if room < min(len(s.due), max(1, s.cfg.Parallel/4)) {
		room = 0
	}
	for len(s.due) > 0 && len(batch) < min(room, s.cfg.Batch) {
		n := s.due.pop()
		if _, busy := s.flying[n.key()]; busy {
			n.state = blocked
			continue
		}
		n.state = flying
		s.flying[n.key()] = n
		s.landed.Add(1)
		batch = append(batch, store.DueTimer{
			ID: n.rec.id, Name: n.name, Due: time.UnixMilli(n.due).UTC(), Shard: n.rec.shard, Version: n.rec.version,
		})
	}
	sleep = longestSleep
	next, some := s.wheel.next()
	if !some {
		sleep = time.Hour // until nudged
	} else if len(s.due) == 0 {
		sleep = min(sleep, max(time.UnixMilli(next).Sub(now), time.Millisecond))
	}
	s.sleepingUntil = now.Add(sleep).UnixMilli()
	return batch, sleep
}

// turn advances the wheel to now.
func (s *Service) turn(now time.Time) {
	s.wheel.advance(now.UnixMilli(), func(n *node) {
		if n.tick > n.due {
			s.resting--
		}
		s.due.push(n)
	})
}

// done is told by the runtime what became of a timer.
func (s *Service) done(t store.DueTimer, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	k := key{t.ID, t.Name}
	n := s.flying[k]
	if n == nil || n.due != t.Due.UnixMilli() {
		return // told twice
	}
	delete(s.flying, k)
	defer s.landed.Done()
	if s.wheel == nil {
		return
	}
	if n.state == flying {
		s.land(n, err)
	}
	s.unblock(k)
	s.nudge()
	s.settle()
}

// land does what err takes.
func (s *Service) land(n *node, err error) {
	rec := n.rec
	switch {
	case err == nil:
		s.drop(n)
		s.forget(rec)
	case errors.Is(err, ErrNotOwned):
		for _, m := range slices.Clone(rec.nodes) {
			s.drop(m)
		}
		s.forget(rec)
	default:
		n.attempts++
		wait := s.cfg.Jitter(backoff.After(n.attempts, s.cfg.BackoffMin, s.cfg.BackoffMax))
		s.cfg.Logger.Warn("fire a timer", logkey.Execution, rec.id, logkey.Event, n.name,
			logkey.Attempt, n.attempts, logkey.Delay, wait, logkey.Error, err)
		n.tick = s.cfg.Clock().Add(wait).UnixMilli()
		s.place(n)
		if n.rests() {
			s.resting++
		}
	}
}

// unblock lets a later date of a timer go that came due while an earlier one was with
// the runtime.
func (s *Service) unblock(k key) {
	rec := s.records[k.id]
	if rec == nil {
		return
	}
	if n := rec.node(k.name); n != nil && n.state == blocked {
		s.due.push(n)
	}
}
