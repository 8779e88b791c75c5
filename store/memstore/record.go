package memstore

import (
	"cmp"
	"encoding/hex"
	"maps"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/durachart/durachart/store"
)

// record is one execution. Everything in it is its own copy.
type record struct {
	id           string
	definitionID string
	parentID     string // empty on a root
	rootID       string
	spawnSeq     int64
	priority     int8
	format       int8
	parked       *store.Parked
	shard        int32

	version           int64
	commitID          commitID
	definitionVersion string
	status            store.Status
	outcome           string
	leaves            []string
	data              []byte
	timers            []armed // by name
	attrs             map[string]store.Attr

	enteredAt, createdAt, updatedAt, endedAt, expiresAt, wakeAt instant

	inbox  []store.InboxEntry
	outbox []store.OutboxEntry
	spawns []store.SpawnEntry
	ring   idRing
	trace  []store.TraceStep

	// The dates by which the record is in the heaps of its shard, and its places
	// there. Invariant: due[k] is computed from the fields above by refresh.
	due [dueKinds]instant
	pos [dueKinds]int32

	snapshotSize int // bytes of what a commit replaces
	entriesSize  int // bytes of inbox, outbox, spawns and trace
}

// armed is a timer.
type armed struct {
	name string
	due  instant
}

// commitID is a commit id; it is hex only where somebody reads it.
type commitID [16]byte

// newCommitID draws a commit id. It is no secret: it only must not come twice.
func newCommitID() (id commitID) {
	a, b := rand.Uint64(), rand.Uint64()
	for i := range 8 {
		id[i], id[8+i] = byte(a>>(8*i)), byte(b>>(8*i))
	}
	return id
}

func (c commitID) String() string { return hex.EncodeToString(c[:]) }

// apply writes the snapshot and its promoted fields. The old buffers are used
// again: readers copy under the lock.
func (r *record) apply(s *store.Snapshot, now time.Time, retention time.Duration) {
	r.definitionVersion = s.DefinitionVersion
	r.status = s.Status
	r.outcome = s.Outcome
	r.format = store.CurrentFormat
	r.enteredAt = instantOr(s.EnteredAt, now)
	r.updatedAt = instantOf(now)
	r.leaves = append(r.leaves[:0], store.CutLeaves(s.Leaves)...)
	r.data = append(r.data[:0], s.Data...)
	r.applyTimers(s.Timers)
	r.attrs = cloneAttrs(s.Attrs)
	r.parked = cloneParked(s.Parked)
	r.endedAt, r.expiresAt = never, never
	if s.Ended {
		r.endedAt = r.updatedAt
		if retention > 0 {
			r.expiresAt = r.endedAt.plus(retention)
		}
	}
}

// applyTimers replaces the timers as a whole (D19).
func (r *record) applyTimers(timers map[string]time.Time) {
	r.timers = r.timers[:0]
	for name, due := range timers {
		r.timers = append(r.timers, armed{name, instantOf(due)})
	}
	if len(r.timers) > 1 {
		slices.SortFunc(r.timers, func(a, b armed) int { return cmp.Compare(a.name, b.name) })
	}
}

// execution returns the record without its arrays. The leaves are one of them:
// they are there to be filtered on, and a reader has them in the data (D16, D65).
func (r *record) execution(withData bool) store.Execution {
	e := store.Execution{
		Snapshot: store.Snapshot{
			DefinitionVersion: r.definitionVersion,
			Outcome:           r.outcome,
			EnteredAt:         r.enteredAt.time(),
			Format:            int(r.format),
			Status:            r.status,
			Ended:             r.endedAt != never,
			Attrs:             maps.Clone(r.attrs),
			Parked:            cloneParked(r.parked),
		},
		ID:           r.id,
		DefinitionID: r.definitionID,
		ParentID:     r.parentID,
		RootID:       r.rootID,
		CommitID:     r.commitID.String(),
		Version:      r.version,
		SpawnSeq:     r.spawnSeq,
		Priority:     int(r.priority),
		Shard:        int(r.shard),
		NextFireAt:   r.due[dueTimer].time(),
		CreatedAt:    r.createdAt.time(),
		UpdatedAt:    r.updatedAt.time(),
		EndedAt:      r.endedAt.time(),
		ExpiresAt:    r.expiresAt.time(),
	}
	if withData {
		e.Data = slices.Clone(r.data)
	}
	if len(r.timers) > 0 {
		e.Timers = make(map[string]time.Time, len(r.timers))
		for _, t := range r.timers {
			e.Timers[t.name] = t.due.time()
		}
	}
	return e
}

func (r *record) held() bool { return r.status == store.Suspended || r.parked != nil }

func (r *record) drained() bool {
	return len(r.inbox) == 0 && len(r.outbox) == 0 && len(r.spawns) == 0
}

// readable reports whether this version of the program can read the record (D13).
func (r *record) readable() bool { return r.format <= store.CurrentFormat }

func cloneAttrs(attrs map[string]store.Attr) map[string]store.Attr {
	if len(attrs) == 0 {
		return nil
	}
	own := make(map[string]store.Attr, len(attrs))
	for name, value := range attrs {
		if t, ok := value.(time.Time); ok {
			value = store.Millis(t)
		}
		own[name] = value
	}
	return own
}

func cloneParked(p *store.Parked) *store.Parked {
	if p == nil {
		return nil
	}
	own := *p
	own.Error = store.CutError(p.Error)
	own.At = store.Millis(p.At)
	return &own
}
