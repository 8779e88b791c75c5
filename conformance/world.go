package main

import (
	"context"
	"errors"
	"time"

	"github.com/durachart/durachart/execution"
	"github.com/durachart/durachart/statechart"
	"github.com/durachart/durachart/statechart/scxml"
)

// Modes.
const (
	modeDirect  = "direct"
	modeRuntime = "runtime"
	modeCrash   = "crash"
	modeTwice   = "twice"
)

// setting is what a world knows.
type setting struct {
	charts   []*statechart.Chart
	handlers execution.Handlers
}

// opener opens a world for one test.
type opener func(ctx context.Context, s setting) (world, error)

var errEnded = errors.New("the execution has ended")

// world is where a test runs. What a call leads to has happened, and all is
// quiet, when it returns. Time moves only by advance.
type world interface {
	start(id, chart string, context any) error
	// send delivers an event: errEnded if the execution refuses it.
	send(id string, e execution.Event) error
	// control carries out an operation on a family: cancel, terminate, suspend, resume.
	control(id, operation string, reason any) error
	advance(d time.Duration) error
	now() time.Time
	// nextTimer is when the next armed timer of any execution is due.
	nextTimer() (time.Time, bool)
	snapshot(id string) (*execution.Snapshot, error)
	// all returns the ids of all executions, sorted.
	all() ([]string, error)
	// letters returns the dead letters of an execution, oldest first.
	letters(id string) ([]execution.Event, error)
	close()
}

// ended reports whether nothing moves an execution any more.
func ended(s *execution.Snapshot) bool {
	return s.Status == execution.Done || s.Status == execution.Cancelled || s.Status == execution.Failed
}

// leaves returns the ids of the active leaves of the test's execution.
func leaves(w world, doc *scxml.Document) []string {
	s, err := w.snapshot("test")
	if err != nil {
		return []string{err.Error()}
	}
	var out []string
	for _, path := range s.Configuration {
		if id := doc.ID(path); id != "" {
			out = append(out, id)
		} else if !doc.Made(path) {
			out = append(out, path)
		}
	}
	return out
}
