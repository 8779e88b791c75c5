package main

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"go.mongodb.org/mongo-driver/v2/event"
)

// commands counts what the driver sends, by the name of the command.
type commands struct {
	mu   sync.Mutex
	kind map[string]kindOfCommand
}

type kindOfCommand struct {
	sent int64
	took time.Duration // in all, of those that were answered
}

func (c *commands) monitor() *event.CommandMonitor {
	return &event.CommandMonitor{
		Started:   func(_ context.Context, e *event.CommandStartedEvent) { c.add(e.CommandName, 1, 0) },
		Succeeded: func(_ context.Context, e *event.CommandSucceededEvent) { c.add(e.CommandName, 0, e.Duration) },
		Failed:    func(_ context.Context, e *event.CommandFailedEvent) { c.add(e.CommandName, 0, e.Duration) },
	}
}

func (c *commands) add(name string, sent int64, took time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.kind == nil {
		c.kind = map[string]kindOfCommand{}
	}
	k := c.kind[name]
	k.sent += sent
	k.took += took
	c.kind[name] = k
}

// snapshot returns the counts of now.
func (c *commands) snapshot() map[string]kindOfCommand {
	c.mu.Lock()
	defer c.mu.Unlock()
	return maps.Clone(c.kind)
}

// since returns the counts since before.
func (c *commands) since(before map[string]kindOfCommand) map[string]kindOfCommand {
	now := c.snapshot()
	for name, k := range now {
		k.sent -= before[name].sent
		k.took -= before[name].took
		if now[name] = k; k.sent == 0 {
			delete(now, name)
		}
	}
	return now
}

// total is the number of commands.
func total(kinds map[string]kindOfCommand) (n int64) {
	for _, k := range kinds {
		n += k.sent
	}
	return n
}

// list names the kinds with their numbers and mean durations, in alphabetical order.
func list(kinds map[string]kindOfCommand) string {
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(kinds)) {
		k := kinds[name]
		mean := (k.took / time.Duration(k.sent)).Round(10 * time.Microsecond)
		parts = append(parts, fmt.Sprintf("%d %s of %v", k.sent, name, mean))
	}
	return strings.Join(parts, ", ")
}
