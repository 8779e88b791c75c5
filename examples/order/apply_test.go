package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/durachart/durachart/actor"
)

// scripted is a runtime that takes a second for each call, notes what it was
// asked, and answers from a script: order → errors of its next calls.
type scripted struct {
	mu      sync.Mutex
	script  map[string][]error
	applied map[string][]string // order → ids, as they came
	running int
	most    int // calls that ran at once
}

func (s *scripted) Start(_ context.Context, start actor.StartRequest) (actor.Reply, error) {
	return actor.Reply{}, s.take(start.ID, start.RequestID)
}

func (s *scripted) Call(_ context.Context, id string, ev actor.Event) (actor.Reply, error) {
	return actor.Reply{}, s.take(id, ev.ID)
}

func (s *scripted) take(order, id string) error {
	s.enter()
	time.Sleep(time.Second) // of the test's own clock
	s.mu.Lock()
	defer s.mu.Unlock()
	s.running--
	if next := s.script[order]; len(next) > 0 {
		s.script[order] = next[1:]
		if next[0] != nil {
			return next[0]
		}
	}
	if s.applied == nil {
		s.applied = map[string][]string{}
	}
	s.applied[order] = append(s.applied[order], id)
	return nil
}

func (s *scripted) enter() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.running++
	s.most = max(s.most, s.running)
}

// applyThem applies events to rt and returns the applier, what it told people, and
// how it ended.
func applyThem(t *testing.T, rt starter, events ...event) (a *applier, told string, err error) {
	t.Helper()
	var out strings.Builder
	a = newApplier(t.Context(), rt, newConsole(&out))
	for _, ev := range events {
		if a.add(ev) != nil {
			break
		}
	}
	err = a.wait()
	return a, out.String(), err
}

func TestEachOrderInTurnManyAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		rt := &scripted{}
		var events []event
		want := map[string][]string{}
		for n := range 3 * inFlight {
			order := fmt.Sprint("o-", n%100)
			ev := event{line: n + 1, id: fmt.Sprint("e-", n), order: order, name: "Submit"}
			if n < 100 {
				ev.name = "Create"
			}
			events = append(events, ev)
			want[order] = append(want[order], ev.id)
		}
		began := time.Now()
		_, _, err := applyThem(t, rt, events...)
		require.NoError(t, err)
		assert.Equal(t, want, rt.applied)
		assert.Equal(t, 100, rt.most, "all orders run side by side")
		assert.LessOrEqual(t, time.Since(began), 20*time.Second)
	})
}

func TestInFlightIsBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		rt := &scripted{}
		var events []event
		for n := range 2 * inFlight {
			events = append(events, event{line: n + 1, id: "e", order: fmt.Sprint("o-", n), name: "Create"})
		}
		_, _, err := applyThem(t, rt, events...)
		require.NoError(t, err)
		assert.Equal(t, inFlight, rt.most)
	})
}

func TestAnUnknownOutcomeIsTriedAgainUnderTheSameID(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		rt := &scripted{script: map[string][]error{"o": {
			fmt.Errorf("commit: %w", actor.ErrUncertain), actor.ErrBackpressure, actor.ErrUnavailable, nil,
		}}}
		_, told, err := applyThem(t, rt,
			event{line: 1, id: "first", order: "o", name: "Submit"},
			event{line: 2, id: "second", order: "o", name: "Cancel"})
		require.NoError(t, err)
		assert.Equal(t, map[string][]string{"o": {"first", "second"}}, rt.applied)
		assert.Empty(t, told)
	})
}

func TestWhatCannotBeAppliedIsNoReasonToStop(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		rt := &scripted{script: map[string][]error{
			"ghost": {actor.ErrNotFound},
			"over":  {actor.ErrEnded},
			"twice": {actor.ErrExists},
			"bad":   {fmt.Errorf("event %q: %w", "done.x", actor.ErrInvalidEvent)},
		}}
		a, told, err := applyThem(t, rt,
			event{line: 1, id: "1", order: "ghost", name: "Submit"},
			event{line: 2, id: "2", order: "over", name: "Submit"},
			event{line: 3, id: "3", order: "twice", name: "Create"},
			event{line: 4, id: "4", order: "bad", name: "done.x"},
			event{line: 5, id: "5", order: "bad", name: "Submit"})
		require.NoError(t, err)
		assert.Equal(t, map[string][]string{"bad": {"5"}}, rt.applied)
		assert.EqualValues(t, 1, a.unknown.Load())
		assert.Contains(t, told, `line 1: order "ghost" was never created`)
		assert.Contains(t, told, `line 4: event "done.x"`)
		assert.NotContains(t, told, "line 2")
		assert.NotContains(t, told, "line 3")
	})
}

func TestAFailureThatStaysStopsTheWork(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		broken := errors.New("wrong password")
		rt := &scripted{script: map[string][]error{"o": {broken}}}
		_, _, err := applyThem(t, rt,
			event{line: 1, id: "1", order: "o", name: "Create"},
			event{line: 2, id: "2", order: "o", name: "Submit"})
		assert.ErrorIs(t, err, broken)
		assert.ErrorContains(t, err, `line 1: Create for order "o"`)
		assert.Empty(t, rt.applied)
	})
}
