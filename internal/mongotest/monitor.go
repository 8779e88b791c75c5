package mongotest

import (
	"bytes"
	"context"
	"sync"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/event"
)

// Monitor keeps the commands that a client sends. Its zero value is ready; hand
// [Monitor.Events] to the client options. It is safe for concurrent use.
type Monitor struct {
	mu     sync.Mutex
	counts map[string]int
	sent   []*Command
	byID   map[int64]*Command // by request
	failed int
}

// Command is one command as it left the driver, and what came back.
type Command struct {
	Name  string
	Body  bson.Raw
	Reply bson.Raw // nil while there is none, and for a failure
}

// Events returns the driver's side of the monitor.
func (m *Monitor) Events() *event.CommandMonitor {
	return &event.CommandMonitor{
		Started: func(_ context.Context, e *event.CommandStartedEvent) {
			m.mu.Lock()
			defer m.mu.Unlock()
			if m.counts == nil {
				m.counts, m.byID = map[string]int{}, map[int64]*Command{}
			}
			m.counts[e.CommandName]++
			c := &Command{Name: e.CommandName, Body: bytes.Clone(e.Command)}
			m.sent = append(m.sent, c)
			m.byID[e.RequestID] = c
		},
		Succeeded: func(_ context.Context, e *event.CommandSucceededEvent) {
			m.mu.Lock()
			defer m.mu.Unlock()
			if c := m.byID[e.RequestID]; c != nil {
				c.Reply = bytes.Clone(e.Reply)
			}
		},
		Failed: func(context.Context, *event.CommandFailedEvent) {
			m.mu.Lock()
			defer m.mu.Unlock()
			m.failed++
		},
	}
}

// Reset forgets what was sent so far.
func (m *Monitor) Reset() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.counts, m.sent, m.byID, m.failed = nil, nil, nil, 0
}

// Total returns how many commands were sent since the last Reset.
func (m *Monitor) Total() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return len(m.sent)
}

// Counts returns how many commands of each kind were sent since the last Reset.
func (m *Monitor) Counts() map[string]int {
	m.mu.Lock()
	defer m.mu.Unlock()
	counts := make(map[string]int, len(m.counts))
	for name, n := range m.counts {
		counts[name] = n
	}
	return counts
}

// Failed returns how many commands had no good reply since the last Reset.
func (m *Monitor) Failed() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.failed
}

// Sent returns the commands since the last Reset, in order.
func (m *Monitor) Sent() []Command {
	m.mu.Lock()
	defer m.mu.Unlock()
	sent := make([]Command, len(m.sent))
	for i, c := range m.sent {
		sent[i] = *c
	}
	return sent
}
