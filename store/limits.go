package store

import (
	"errors"
	"fmt"
	"time"
)

// What is fixed and no option.
const (
	maxID          = 255 // bytes of an id, label or timer name (D10)
	maxAttrText    = 256 // bytes of a string attribute
	maxLeaves      = 32  // leaf paths kept for lists by state
	minRing        = 16
	maxPriority    = 4
	MinLeaseTTL    = 3 * time.Second // shorter leases are refused
	WorkerKept     = 24 * time.Hour  // how long a worker entry stays that is over
	MaxLastError   = 500             // characters; longer error texts are cut
	CurrentFormat  = 1               // format of records and snapshots that this version writes
	maxDocumentLen = 16 << 20        // bytes of one record on MongoDB
)

const (
	kib = 1 << 10
	mib = 1 << 20
)

// Limits are the bounds of a store (storage specification, section 13). The zero
// value of a field is its default; there is no "unbounded". Bounds of the relay,
// the timer wheel and the poll intervals belong to their own configurations.
//
// The checks below are the one implementation of "refused before any I/O" (D10,
// D11, D24): every store calls them first, in the same order, so that all give
// the same errors (D75).
type Limits struct {
	Data         int // bytes of one snapshot. Default 4 MiB
	Event        int // bytes of one event. Default 256 KiB
	SpawnContext int // bytes of the context of one spawn. Default 64 KiB
	Attrs        int // attributes of one execution. Default 16
	AttrBytes    int // bytes of the names and values of all attributes. Default 4 KiB

	InboxEntries int // waiting events. Default 256
	InboxBytes   int // weight of waiting events (D23). Default 1 MiB
	PushBytes    int // events of one push. Default 1 MiB

	OutboxEntries int // undelivered entries. Default 256
	OutboxBytes   int // weight of undelivered entries. Default 1 MiB
	OutboxStep    int // bytes that one commit may emit. Default 2 MiB

	SpawnEntries int // children not yet created. Default 256
	SpawnBytes   int // weight of children not yet created. Default 512 KiB
	SpawnStep    int // bytes that one commit may spawn. Default 1 MiB

	Timers    int // armed timers. Default 128
	Ring      int // event ids remembered for dedupe, at least 16. Default 256
	TraceRing int // trace steps kept. Default 200
	TraceStep int // bytes of one trace step; longer ones are cut. Default 4 KiB
	Handled   int // event ids that one commit handles, at most half of Ring. Default 16

	DocumentSoft int // bytes of a record from which it is reported. Default 8 MiB
	Document     int // bytes of a record beyond which writes wait. Default 16 MiB

	Slots      int // write commands in flight. Default: chosen by the store, 1 to 8
	Statements int // changes that one write command carries. Default 64
	BatchBytes int // bytes that one write command carries. Default 32 MiB

	PollPage    int // executions of one poll page. Default 256
	DuePage     int // executions of one page of due timers. Default 10,000
	PollEntries int // entries of each execution in a poll page. Default 64
	Exclude     int // ids that a poll may exclude. Default 1,000
	ListPage    int // rows of one list page. Default 1,000
	Count       int // where Count stops. Default 100,000
	PurgePass   int // executions that one Purge looks at. Default 200

	Grace     time.Duration // how long the committer has the first right to deliver (D43). Default 5 s
	OpTimeout time.Duration // of a call whose ctx has no deadline. Default 10 s

	// Retention is how long an ended execution stays before Purge may delete it;
	// zero keeps it for ever. So does DeadLetterRetention for dead letters.
	Retention           time.Duration
	DeadLetterRetention time.Duration
}

// bound is one row of the table of section 13.
type bound struct {
	name          string
	value         *int
	initial       int
	least, utmost int
}

func (l *Limits) bounds() []bound {
	return []bound{
		{"Data", &l.Data, 4 * mib, 2, 14 * mib},
		{"Event", &l.Event, 256 * kib, 2, 4 * mib},
		{"SpawnContext", &l.SpawnContext, 64 * kib, 2, 4 * mib},
		{"Attrs", &l.Attrs, 16, 1, 64},
		{"AttrBytes", &l.AttrBytes, 4 * kib, 1, 64 * kib},
		{"InboxEntries", &l.InboxEntries, 256, 1, MaxPerWrite},
		{"InboxBytes", &l.InboxBytes, mib, 1, 8 * mib},
		{"PushBytes", &l.PushBytes, mib, 2, 8 * mib},
		{"OutboxEntries", &l.OutboxEntries, 256, 1, MaxPerWrite},
		{"OutboxBytes", &l.OutboxBytes, mib, 1, 8 * mib},
		{"OutboxStep", &l.OutboxStep, 2 * mib, 2, 8 * mib},
		{"SpawnEntries", &l.SpawnEntries, 256, 1, MaxPerWrite},
		{"SpawnBytes", &l.SpawnBytes, 512 * kib, 1, 8 * mib},
		{"SpawnStep", &l.SpawnStep, mib, 2, 8 * mib},
		{"Timers", &l.Timers, 128, 1, 4_096},
		{"Ring", &l.Ring, 256, minRing, 16_384},
		{"TraceRing", &l.TraceRing, 200, 1, 10_000},
		{"TraceStep", &l.TraceStep, 4 * kib, 32, 64 * kib},
		{"Handled", &l.Handled, 16, 1, 8_192},
		{"DocumentSoft", &l.DocumentSoft, 8 * mib, kib, maxDocumentLen},
		{"Document", &l.Document, maxDocumentLen, 16 * kib, maxDocumentLen},
		{"Statements", &l.Statements, 64, 1, 10_000},
		{"BatchBytes", &l.BatchBytes, 32 * mib, 64 * kib, 40 * mib},
		{"PollPage", &l.PollPage, 256, 1, 10_000},
		{"DuePage", &l.DuePage, 10_000, 1, 100_000},
		{"PollEntries", &l.PollEntries, 64, 1, 10_000},
		{"Exclude", &l.Exclude, 1_000, 1, 100_000},
		{"ListPage", &l.ListPage, 1_000, 1, 10_000},
		{"Count", &l.Count, 100_000, 1, 10_000_000},
		{"PurgePass", &l.PurgePass, 200, 1, 10_000},
	}
}

// WithDefaults returns l with every zero field set to its default.
func (l Limits) WithDefaults() Limits {
	for _, b := range l.bounds() {
		if *b.value == 0 {
			*b.value = b.initial
		}
	}
	if l.Grace == 0 {
		l.Grace = 5 * time.Second
	}
	if l.OpTimeout == 0 {
		l.OpTimeout = 10 * time.Second
	}
	return l
}

// Validate reports every field that is out of range, as one ErrInvalidArgument.
// Zero fields count as their defaults.
func (l Limits) Validate() error {
	l = l.WithDefaults()
	var problems []error
	refuse := func(name, format string, args ...any) {
		problems = append(problems, invalid("limits: "+name, fmt.Sprintf(format, args...)))
	}
	for _, b := range l.bounds() {
		if *b.value < b.least || *b.value > b.utmost {
			refuse(b.name, "%d is not within %d to %d", *b.value, b.least, b.utmost)
		}
	}
	if l.Slots < 0 || l.Slots > 64 {
		refuse("Slots", "%d is not within 0 to 64", l.Slots)
	}
	if l.Handled > l.Ring/2 {
		refuse("Handled", "%d is more than half of Ring, %d", l.Handled, l.Ring)
	}
	for _, d := range []struct {
		name  string
		value time.Duration
		least time.Duration
	}{
		{"Grace", l.Grace, time.Millisecond},
		{"OpTimeout", l.OpTimeout, time.Millisecond},
		{"Retention", l.Retention, 0},
		{"DeadLetterRetention", l.DeadLetterRetention, 0},
	} {
		if d.value < d.least || d.value > 100*365*24*time.Hour {
			refuse(d.name, "%v is out of range", d.value)
		}
	}
	return errors.Join(problems...)
}

// invalid is ErrInvalidArgument that names the field and not its value.
func invalid(field, why string) error {
	return fmt.Errorf("%w: %s: %s", ErrInvalidArgument, field, why)
}

// tooLarge is ErrTooLarge that names the field and both sizes.
func tooLarge(field string, size, cap int) error {
	return fmt.Errorf("%w: %s: %d is over the cap of %d", ErrTooLarge, field, size, cap)
}
