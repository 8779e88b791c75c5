package execution

import (
	"encoding/json"
	"time"
)

// Effect is work that a step asks for, as data: a Spawn, Emit, CancelChild,
// CancelTimer, StartTimer, DeadLetter or Finished (S85). String gives the text
// form.
type Effect interface {
	String() string
	effect()
}

// Spawn asks for a child execution.
type Spawn struct {
	Child    string // its id
	Chart    string
	Version  string
	RootPath string // regions only
	Context  json.RawMessage
	Parent   string // id of this execution
	Site     SiteRef
	Priority int
}

// Start is the first event of the child.
func (s Spawn) Start() Event { return StartEvent(s.Child, 1) }

// Emit asks for an event to be delivered to another execution, or to this one.
type Emit struct {
	Target string
	Event  Event
}

// CancelMode says how a child is cancelled.
type CancelMode string

// The modes.
const (
	ModeStop      CancelMode = "stop"      // with exit hooks
	ModeTerminate CancelMode = "terminate" // without
)

// CancelChild asks for the end of a child. It is carried out even if the child
// does not exist yet.
type CancelChild struct {
	Child string
	Mode  CancelMode
}

// Event is the operation that the child gets.
func (c CancelChild) Event() Event {
	if c.Mode == ModeTerminate {
		return terminateChild(c.Child)
	}
	return StopEvent(c.Child)
}

// CancelTimer says that a timer is not armed any more.
type CancelTimer struct {
	Name  string
	Entry int64
}

// StartTimer says that a timer is armed now.
type StartTimer struct {
	Name  string
	Entry int64
	At    time.Time // UTC, milliseconds
}

// Reasons of dead letters.
const (
	ReasonEnded        = "ended"         // the execution has ended, or ends
	ReasonStepFailed   = "step_failed"   // its step failed (S43)
	ReasonInvalidData  = "invalid_data"  // not as the chart declares it (S21)
	ReasonDeferredFull = "deferred_full" // no room in the pool (S39)
	ReasonReset        = "reset"         // the execution was reset (S82)
)

// DeadLetter is an event that has no place to go.
type DeadLetter struct {
	Reason string
	Event  Event
}

// Finished reports the end of this execution to its parent.
type Finished struct {
	Parent  string
	Child   string // id of this execution
	Site    SiteRef
	Status  Status
	Outcome string // as reported: S58
	Error   string
	Result  json.RawMessage // what it carries; {} unless DONE
}

// Event is what the parent gets.
func (f Finished) Event() Event { return FinishedEvent(f) }

func (Spawn) effect()       {}
func (Emit) effect()        {}
func (CancelChild) effect() {}
func (CancelTimer) effect() {}
func (StartTimer) effect()  {}
func (DeadLetter) effect()  {}
func (Finished) effect()    {}

// String returns the text form of S85.
func (s Spawn) String() string {
	chart := s.Chart
	if s.Version != "" {
		chart += "@" + s.Version
	}
	if s.RootPath != "" {
		chart += "/" + s.RootPath
	}
	return "spawn " + word(s.Child) + " " + word(chart) + " " + string(orEmpty(s.Context))
}

// String returns the text form of S85.
func (e Emit) String() string { return "emit " + word(e.Target) + " " + e.Event.String() }

// String returns the text form of S85.
func (c CancelChild) String() string { return "cancel-child " + word(c.Child) + " " + string(c.Mode) }

// String returns the text form of S85.
func (c CancelTimer) String() string { return "cancel-timer " + word(c.Name) + " " + decimal(c.Entry) }

// String returns the text form of S85.
func (s StartTimer) String() string {
	return "start-timer " + word(s.Name) + " " + decimal(s.Entry) + " " + s.At.UTC().Format(instantLayout)
}

// String returns the text form of S85.
func (d DeadLetter) String() string { return "dead-letter " + word(d.Reason) + " " + d.Event.String() }

// String returns the text form of S85.
func (f Finished) String() string {
	return "finished " + word(f.Parent) + " " + string(f.Status) + " " + word(f.Outcome) + " " + string(orEmpty(f.Result))
}

// String returns the text form of S86: name, id and data.
func (e Event) String() string {
	return word(e.Name) + " #" + word(e.ID) + " " + string(e.object())
}

// instantLayout is RFC 3339 with three decimals (S86).
const instantLayout = "2006-01-02T15:04:05.000Z07:00"
