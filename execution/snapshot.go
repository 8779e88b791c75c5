package execution

import "encoding/json"

// Format is the number of the snapshot layout that this version writes. A larger
// one is refused.
const Format = 1

// Snapshot is the whole state of an execution between two steps (S83). It is
// immutable: steps share parts of it.
type Snapshot struct {
	Format            int64
	ID                string
	DefinitionID      string // chart name
	DefinitionVersion string // pinned version
	RootPath          string // the execution root; empty but for regions
	Status            Status
	Outcome           string          // empty unless DONE
	Error             string          // empty means null (S43, S79)
	Cancel            json.RawMessage // reason of the accepted cancel; nil means null
	Configuration     []string        // paths of the active leaves, sorted
	History           []Recorded      // sorted by Path
	Context           json.RawMessage // user data, a canonical object
	Deferred          []Event         // the pool, oldest first
	Timers            []Timer         // sorted by Name
	Sites             []Site          // the open ones, sorted by Path
	Children          []Child         // of open sites, sorted by ID; none of fan-outs
	InvokeSeq         []NextSeq       // sorted by Path
	EntrySeq          int64
	Run               int64
	Steps             int64
	Version           int64 // of the record; written by the store, copied by the step
	Priority          int
	ParentID          string // empty means null
	ParentSite        *SiteRef

	extra []field // unknown fields, kept (S83)
	items *cached // decoded Context, while a fan-out is not through with its items
}

// Recorded is what a history state has recorded (S10).
type Recorded struct {
	Path   string   // of the history state
	States []string // sorted
}

// Timer is an armed timer or a pending delayed send (S46).
type Timer struct {
	Name  string
	Entry int64
	At    int64  // milliseconds since 1970
	Event *Event // delayed sends only, without an id
	To    Target // delayed sends only

	extra []field
}

// Target is where a delayed send goes when it is due; the zero Target is this
// execution.
type Target struct {
	ID       string // an execution
	Children bool   // all live children, or those of Site
	Site     string
}

// SiteKind is the kind of a site.
type SiteKind string

// The kinds of sites.
const (
	SiteRegions SiteKind = "regions" // orthogonal
	SiteInvoke  SiteKind = "invoke"  // one child chart
	SiteEach    SiteKind = "each"    // fan-out
)

// Site is an open site: an active state as the owner of children (S53).
type Site struct {
	Path      string
	Kind      SiteKind
	Seq       int64
	Total     int64
	Passed    int64
	Failed    int64
	Cancelled int64
	Next      int64  // each: index of the next child to start
	Finished  []byte // each: bitmap by index, low bit first
	Results   []Kept // each: the kept ones, by index

	extra []field
}

// Kept is a kept result.
type Kept struct {
	Index int64
	Data  json.RawMessage // {outcome, status, …carried}
}

// Child is a child execution of a region or a single invoke of an open site.
type Child struct {
	ID         string
	RootPath   string
	Key        string // region path, or empty
	Submachine bool   // it is an invoke
	Finished   bool
	Status     Status
	Outcome    string
	Result     json.RawMessage

	extra []field
}

// NextSeq is the seq of the next opening of a site.
type NextSeq struct {
	Path string
	Next int64
}

// SiteRef is a place in the parent that a child belongs to.
type SiteRef struct {
	Path  string
	Seq   int64
	Index int64 // fan-out; else 0
}

// field is a member that this version does not know.
type field struct {
	key   string
	value json.RawMessage // canonical
}

// New returns the snapshot of a fresh root execution: PENDING, with context as
// the object given to start (empty means {}). It must be canonical JSON, as
// [Object] makes it.
func New(chart, version, id string, context json.RawMessage) *Snapshot {
	if len(context) == 0 {
		context = json.RawMessage("{}")
	}
	return &Snapshot{
		Format: Format, ID: id, DefinitionID: chart, DefinitionVersion: version,
		Status: Pending, Context: context, Run: 1,
	}
}

// NewChild returns the fresh snapshot of a spawned child, a region or an invoked
// chart. Its first event is s.Start().
func NewChild(s Spawn) *Snapshot {
	c := New(s.Chart, s.Version, s.Child, s.Context)
	c.RootPath, c.Priority, c.ParentID = s.RootPath, s.Priority, s.Parent
	site := s.Site
	c.ParentSite = &site
	return c
}

// Ended reports whether the execution has ended: DONE, CANCELLED, or FAILED with
// a parent (S43).
func (s *Snapshot) Ended() bool {
	return s.Status == Done || s.Status == Cancelled || s.Status == Failed && s.ParentID != ""
}

// Held reports whether external events have to wait (S75).
func (s *Snapshot) Held() bool {
	return s.Status == Pending || s.Status == Suspended || s.Status == Failed && s.ParentID == ""
}

// ActivePath returns the active leaf if there is exactly one, else "".
func (s *Snapshot) ActivePath() string {
	if len(s.Configuration) == 1 {
		return s.Configuration[0]
	}
	return ""
}

// Armed returns the timers that are armed: all while the status is RUNNING or
// CANCELLING, else none (S51).
func (s *Snapshot) Armed() []Timer {
	if s.Status.active() {
		return s.Timers
	}
	return nil
}
