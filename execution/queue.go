package execution

import (
	"encoding/json"
	"strconv"

	"github.com/durachart/durachart/internal/jsonvalue"
	"github.com/durachart/durachart/statechart"
)

func itoa(n int) string { return strconv.Itoa(n) }

// Kinds of errors (S41), and the two that fail a step directly (S43).
const (
	kindAction     = "action"
	kindPanic      = "panic"
	kindTransient  = "transient"
	kindGuard      = "guard"
	kindSelector   = "selector"
	kindExpression = "expression"
	kindDelay      = "delay"
	kindCollection = "collection"
	kindValue      = "value"
	kindSend       = "send"
	kindInvoke     = "invoke"
	kindLivelock   = "livelock"
	kindSize       = "size"
)

// fault is something that went wrong in a list of actions or a guard.
type fault struct {
	kind    string
	action  string // handler name or item
	message string
	stack   string // of a panic
}

func (f *fault) event() string {
	if f.kind == kindSend {
		return nameErrorCommunication
	}
	return nameErrorExecution
}

// raiseFault appends the error event of f to the internal queue (S40, S41).
func (m *machine) raiseFault(f *fault, s *statechart.State) {
	if m.stopped() {
		return
	}
	if m.host.Trace {
		text := f.message
		if f.stack != "" {
			text += "\n" + f.stack
		}
		m.line("error", f.kind, jsonText(text))
	}
	d := append([]byte(`{"action":`), jsonText(f.action)...)
	d = append(d, `,"kind":`...)
	d = jsonvalue.AppendText(d, f.kind)
	d = append(d, `,"message":`...)
	d = jsonvalue.AppendText(d, f.message)
	d = append(d, `,"state":`...)
	d = append(jsonvalue.AppendText(d, s.Path), '}')
	m.enqueue(queued{Event: m.internal(f.event(), d), kind: f.kind, message: f.message})
}

// raiseOwn appends an event that the step itself makes.
func (m *machine) raiseOwn(name string, data json.RawMessage) {
	m.enqueue(queued{Event: m.internal(name, data)})
}

func (m *machine) enqueue(q queued) {
	if !m.stopped() {
		m.queue = append(m.queue, q)
	}
}

// internal makes an internal event with the next id (S67).
func (m *machine) internal(name string, data json.RawMessage) Event {
	id := DerivedID(m.given.ID, "i"+itoa(m.raised))
	m.raised++
	return Event{ID: id, Name: name, Data: data, Origin: m.in.ID, checked: true}
}

// external makes an event to be emitted with the next id (S67).
func (m *machine) external(name string, data json.RawMessage) Event {
	id := DerivedID(m.in.ID, m.given.ID, "e"+itoa(m.emitted))
	m.emitted++
	return Event{ID: id, Name: name, Data: data, Origin: m.in.ID, checked: true}
}

// byOperation makes an external event that a system event yields; it has the id
// of that one (S46).
func (m *machine) byOperation(name string, data json.RawMessage, origin string) Event {
	m.line("event", word(name))
	return Event{ID: m.given.ID, Name: name, Data: data, Origin: origin, checked: true}
}
