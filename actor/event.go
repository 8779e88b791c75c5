package actor

import (
	"bytes"
	"encoding/json"
	"time"

	"github.com/durachart/durachart/execution"
	"github.com/durachart/durachart/store"
)

// Event is something that happened, for one execution.
type Event struct {
	// ID is the key under which the event is applied at most once (P4), at most
	// 200 bytes. Empty: one is made, and returned.
	ID string
	// Name is matched by the triggers of the chart. Reserved and malformed names
	// are refused (S16).
	Name string
	// Data is a JSON object: nil (an empty one), a map[string]any, a
	// json.RawMessage, or a value that encoding/json encodes to an object. It is
	// encoded before the call returns and not kept.
	Data any
	// From is the origin that the chart and the inbox see: the id of an execution,
	// or a free label. It may be empty.
	From string
}

// StartRequest says which execution to create.
type StartRequest struct {
	// ID is the id of the new execution, at most 200 bytes. Required.
	ID string
	// Chart names a registered chart. Required.
	Chart string
	// Version pins a registered version. Empty: the newest.
	Version string
	// Context is the first user data: an object as for Event.Data.
	Context any
	// RequestID makes the start repeatable: a second start of ID with the same
	// RequestID succeeds and changes nothing. Empty: one is made, and any second
	// start is ErrExists.
	RequestID string
	// Priority orders the work of a busy runtime: 0 (first) to 4. Children inherit it.
	Priority int
	// Attrs are search attributes for List, declared with the store: string,
	// int64, float64, bool or time.Time.
	Attrs map[string]store.Attr
}

// Disposition says what became of an event (S87).
type Disposition = execution.Disposition

// The dispositions.
const (
	// Known means that the event was applied before, or by another process: its
	// own outcome is not known here any more. The rest of the reply is current.
	Known Disposition = ""

	Applied   = execution.Applied
	Forwarded = execution.Forwarded       // live regions get it
	Deferred  = execution.DeferredToLater // the chart keeps it for later
	Dropped   = execution.Dropped         // it has no effect in this state
	Held      = execution.Held            // durable, waits until the hold ends
	Failed    = execution.StepFailed      // the step failed and was undone, see Reply.Error
	Dead      = execution.Dead            // it is in the dead letters
	Stale     = execution.Stale
	Refused   = execution.Refused
)

// Status is the status of an execution (S75).
type Status = store.Status

// The statuses.
const (
	StatusPending    = store.Pending
	StatusRunning    = store.Running
	StatusCancelling = store.Cancelling
	StatusSuspended  = store.Suspended
	StatusFailed     = store.Failed
	StatusDone       = store.Done
	StatusCancelled  = store.Cancelled
)

// Reply is the outcome of one event, after its commit.
type Reply struct {
	ID          string // execution
	EventID     string
	Disposition Disposition
	Status      Status
	Outcome     string   // label of the terminal state, once DONE
	Active      []string // paths of the active leaves, sorted
	Error       string   // why it is FAILED, else empty
	Revision    int64    // counts the commits of the execution, this one included
	// Output is what the final carries, once DONE; else nil.
	Output json.RawMessage

	context json.RawMessage
}

// Context returns a copy of the user data after the step.
func (r Reply) Context() json.RawMessage { return bytes.Clone(r.context) }

// Execution is one execution as it was when it was read.
type Execution struct {
	ID       string
	Chart    string
	Version  string // of the chart
	ParentID string // empty on a root
	RootID   string
	Status   Status
	Outcome  string
	Error    string
	Active   []string
	Priority int
	// Revision counts the commits: 1 when created.
	Revision int64
	// Context is the user data, Output what the final carries. Both are nil where
	// List was not asked for data; Output is nil unless DONE.
	Context json.RawMessage
	Output  json.RawMessage
	Attrs   map[string]store.Attr
	// Timers are the armed ones: name to due time.
	Timers    map[string]time.Time
	Parked    *store.Parked // set while it waits for an operator
	EnteredAt time.Time     // when Active last changed
	CreatedAt time.Time
	UpdatedAt time.Time
	EndedAt   time.Time // zero while it has not ended
}

// Ended reports that nothing will happen in the execution any more, short of a
// reset.
func (e Execution) Ended() bool { return !e.EndedAt.IsZero() }
