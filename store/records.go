package store

import "time"

// Status is the status of an execution, as the statechart specification,
// section 10, defines it. The store only filters on it.
type Status string

// The statuses.
const (
	Pending    Status = "PENDING"
	Running    Status = "RUNNING"
	Cancelling Status = "CANCELLING"
	Suspended  Status = "SUSPENDED"
	Failed     Status = "FAILED"
	Done       Status = "DONE"
	Cancelled  Status = "CANCELLED"
)

// Attr is the value of a search attribute: a string, int64, float64, bool or
// time.Time. Any other type is ErrInvalidArgument.
type Attr = any

// Snapshot is what a step leaves behind: the encoded state and the fields that
// are promoted from it so that they can be filtered on (D3).
type Snapshot struct {
	DefinitionVersion string
	Outcome           string // empty while there is none
	Leaves            []string
	EnteredAt         time.Time // when the configuration last changed; zero means Now
	Format            int       // format of Data; 0 means the current one, 1
	Data              []byte
	Status            Status
	Ended             bool                 // DONE, CANCELLED, or FAILED with a parent
	Timers            map[string]time.Time // all that are armed after the step
	Attrs             map[string]Attr
	Parked            *Parked
}

// Parked says why an execution waits for an operator.
type Parked struct {
	EventID  string
	Reason   string
	Error    string
	Attempts int
	At       time.Time
}

// Creation is a new execution.
type Creation struct {
	Snapshot
	ID           string
	DefinitionID string
	ParentID     string // empty on a root
	RootID       string // empty means ID
	RequestID    string // id of the start request, remembered as processed
	StartID      string // set: the first step is done, and this is its event id
	SpawnSeq     int64  // children only
	Priority     int    // 0 to 4
	Inbox        []InboxEntry
	Emits        []Emit
	Spawns       []Spawn
	Trace        []TraceStep
	Now          time.Time
}

// Commit is one step, or several steps in a row, of one execution.
type Commit struct {
	Snapshot
	ID           string
	Version      int64 // computed from; the commit leaves the execution at Version+1
	Handled      []string
	Emits        []Emit
	Spawns       []Spawn
	Trace        []TraceStep
	ReleaseInbox bool // ends a hold: makes every inbox entry visible again (D34)
	Wake         bool // answers a remote call: writes WakeAt (D68)
	Now          time.Time
}

// Execution is a stored execution without its arrays: what Load and List return.
// Leaves is one of them and stays empty: it is there to be filtered on, and a
// reader has the active states in Data (D16, D65). EndedAt tells when Ended.
type Execution struct {
	Snapshot
	ID           string
	DefinitionID string
	ParentID     string
	RootID       string
	CommitID     string
	Version      int64
	SpawnSeq     int64
	Priority     int
	Shard        int
	NextFireAt   time.Time // zero when nothing is armed
	CreatedAt    time.Time
	UpdatedAt    time.Time
	EndedAt      time.Time
	ExpiresAt    time.Time
}

// Loaded is an execution with what one event needs to know about its arrays.
type Loaded struct {
	Execution
	Seen      []string // which of the asked event ids are processed
	Inbox     []InboxEntry
	InboxLen  int
	OutboxLen int
	SpawnsLen int
	Size      int // bytes of the whole record
}

// EmitKind tells what an outbox entry is.
type EmitKind string

// The kinds of outbox entries.
const (
	EmitEvent   EmitKind = ""        // an event for a target
	EmitControl EmitKind = "control" // an operation on a child (D71)
	EmitDead    EmitKind = "dead"    // a dead letter with its reason
)

// Emit is an outbox entry to be.
type Emit struct {
	Kind     EmitKind
	TargetID string // empty: no target
	ID       string // event id
	Reason   string // of a dead letter
	Event    []byte
}

// OutboxEntry is a committed, undelivered Emit.
type OutboxEntry struct {
	Emit
	Seq       int64
	At        time.Time // not before
	Attempts  int
	LastError string
}

// Site is the place in the parent that a child belongs to.
type Site struct {
	Path  string
	Seq   int64
	Index int64
}

// Spawn is a child to be created.
type Spawn struct {
	ChildID           string
	RootPath          string
	DefinitionID      string
	DefinitionVersion string
	Site              Site
	Context           []byte
	Event             []byte // the start event
}

// SpawnEntry is a committed Spawn that is not carried out yet.
type SpawnEntry struct {
	Spawn
	Seq       int64
	ParentID  string
	At        time.Time
	Attempts  int
	LastError string
}

// InboxEntry is an accepted event.
type InboxEntry struct {
	ID       string
	From     string // origin, or a free label
	At       time.Time
	Event    []byte
	Attempts int
}

// TraceStep is one entry of the trace ring.
type TraceStep struct {
	Index int64 // set by the store
	At    time.Time
	Step  []byte
}

// DueTimer is an armed timer.
type DueTimer struct {
	ID      string
	Name    string
	Due     time.Time
	Shard   int
	Version int64
}

// Push is a group of events for one execution.
type Push struct {
	ID      string
	Entries []InboxEntry
	Now     time.Time
}

// Pushed is what became of a Push.
type Pushed struct {
	Added      int
	Duplicates []string
}

// Ack names entries that are delivered.
type Ack struct {
	ID   string
	Seqs []int64
}

// Retry records a failed delivery.
type Retry struct {
	ID        string
	TargetID  string
	LastError string
	Seq       int64
	Attempts  int       // the value, not an increment
	At        time.Time // not before
}

// PollQuery asks for due work of some shards.
type PollQuery struct {
	Shards  []int
	Until   time.Time
	Limit   int      // executions; 0 means the default page
	Exclude []string // execution ids in hand
}

// Waiting is an execution with due work.
type Waiting struct {
	ID       string
	Shard    int
	Priority int
	Version  int64
	Status   Status
	Held     bool // SUSPENDED or parked
	Ended    bool
}

// Outgoing is an execution with entries to deliver or children to create.
type Outgoing struct {
	Waiting
	RootID       string
	DefinitionID string
	Outbox       []OutboxEntry
	Spawns       []SpawnEntry
}

// Filter selects executions; zero fields select all.
type Filter struct {
	DefinitionID      string
	DefinitionVersion string
	Leaf              string
	ParentID          string
	RootID            string
	Statuses          []Status
	RootsOnly         bool
	ParkedOnly        bool
	CreatedFrom       time.Time // inclusive
	CreatedTo         time.Time // exclusive
	UpdatedFrom       time.Time // inclusive
	UpdatedTo         time.Time // exclusive
	Attrs             map[string]Attr
}

// Order is the order of a list.
type Order int

// The orders.
const (
	ByID        Order = iota // by id, ascending
	NewestFirst              // by creation, then id, descending
)

// Page selects a part of a list.
type Page struct {
	Limit    int // 1 to the bound
	Cursor   string
	Order    Order
	WithData bool
}

// ListPage is a part of a list of executions.
type ListPage struct {
	Items []Execution
	Next  string // cursor of the next page; empty on the last one
}

// Worker is a process that wants shards.
type Worker struct {
	Owner     string
	Name      string
	StartedAt time.Time
	Live      bool // set by Survey
}

// Lease is the state of one shard.
type Lease struct {
	Shard int
	Owner string
	Fence int64
	Until time.Time
	Live  bool // unexpired by the server's clock; set by Survey
}

// Leases is what an owner holds.
type Leases struct {
	Held      []Lease
	SentAt    time.Time // local time at which the successful command was sent
	ServerNow time.Time
}

// Survey is the state of all shards and workers at one instant.
type Survey struct {
	Leases    []Lease
	Workers   []Worker
	ServerNow time.Time
}

// DeadLetter is an event or spawn that could not be delivered or applied.
type DeadLetter struct {
	ID           string // see DeadLetterID
	Put          string // drawn by the store at each put
	Kind         string // "inbox", "outbox" or "spawn"
	ExecutionID  string // the record that the entry was taken from
	TargetID     string
	DefinitionID string
	EventID      string
	Seq          int64
	Event        []byte
	Spawn        []byte
	From         string
	Reason       string
	Error        string
	Attempts     int
	At           time.Time
}

// DeadLetterFilter selects dead letters; zero fields select all.
type DeadLetterFilter struct {
	ExecutionID string
	Kind        string
	Reason      string
}

// DeadLetterPage is a part of a list of dead letters.
type DeadLetterPage struct {
	Items []DeadLetter
	Next  string
}

// Purged counts what one Purge did.
type Purged struct {
	Deleted int
	Kept    int // looked at, and not yet to be deleted
}

// Info says what the server behind a store is and can do (D81).
type Info struct {
	Kind            string // "memory", "standalone", "replica set", "sharded"
	Version         string
	WireVersion     int
	ServerNow       time.Time // server clock; a lower bound once the reply has arrived (D12)
	ChangeStreams   bool
	ClientBulkWrite bool
	DocumentLimit   int
	Shards          int
}
