package mongostore

import (
	"fmt"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/x/bsonx/bsoncore"

	"github.com/durachart/durachart/store"
)

// row is an execution as a query gives it: what its projection did not ask for is
// zero.
type row struct {
	store.Loaded
	Outbox []store.OutboxEntry
	Spawns []store.SpawnEntry
	Trace  []store.TraceStep
}

// decode reads a row. The error of a newer format is store.ErrUnsupported (D13),
// that of a damaged document a CorruptError; the id is there all the same, if it
// could be read.
func decode(raw bson.Raw) (*row, error) {
	var d decoder
	r := new(row)
	d.each("document", raw, func(key string, v bsoncore.Value) {
		if !d.promoted(r, key, v) && !d.scalar(r, key, v) {
			d.computed(r, key, v)
		}
	})
	r.Ended = !r.EndedAt.IsZero()
	if r.Format > store.CurrentFormat {
		return r, fmt.Errorf("%w: format %d is newer than this version of the program", store.ErrUnsupported, r.Format)
	}
	return r, d.err
}

// promoted reads the fields of the snapshot.
func (d *decoder) promoted(r *row, key string, v bsoncore.Value) bool {
	switch key {
	case fData:
		r.Data = d.text(key, v)
	case fFormat:
		r.Format = d.count(key, v)
	case fDefinitionVersion:
		r.DefinitionVersion = d.str(key, v)
	case fStatus:
		r.Status = store.Status(d.str(key, v))
	case fOutcome:
		r.Outcome = d.str(key, v)
	case fEnteredAt:
		r.EnteredAt = d.date(key, v)
	case fTimers:
		r.Timers = d.timers(v)
	case fAttrs:
		r.Attrs = d.attrs(v)
	case fParked:
		r.Parked = d.parked(v)
	default:
		return false
	}
	return true
}

// scalar reads the fields beside the snapshot.
func (d *decoder) scalar(r *row, key string, v bsoncore.Value) bool {
	switch key {
	case fID:
		r.ID = d.str(key, v)
		d.id = r.ID
	case fDefinitionID:
		r.DefinitionID = d.str(key, v)
	case fVersion:
		r.Version = d.num(key, v)
	case fCommitID:
		r.CommitID = d.str(key, v)
	case fParentID:
		r.ParentID = d.strOrNull(key, v)
	case fRootID:
		r.RootID = d.str(key, v)
	case fSpawnSeq:
		r.SpawnSeq = d.num(key, v)
	case fPriority:
		r.Priority = d.count(key, v)
	case fShard:
		r.Shard = d.count(key, v)
	case fNextFireAt:
		r.NextFireAt = d.date(key, v)
	case fCreatedAt:
		r.CreatedAt = d.date(key, v)
	case fUpdatedAt:
		r.UpdatedAt = d.date(key, v)
	case fEndedAt:
		r.EndedAt = d.date(key, v)
	case fExpiresAt:
		r.ExpiresAt = d.date(key, v)
	default:
		return false
	}
	return true
}

// computed reads arrays, or the part of them that was asked for, and what a
// projection computes.
func (d *decoder) computed(r *row, key string, v bsoncore.Value) {
	switch key {
	case fSeen:
		r.Seen = d.strs(key, v)
	case fInbox:
		r.Inbox = d.inbox(v)
	case fOutbox:
		r.Outbox = d.outbox(v)
	case fSpawns:
		r.Spawns = d.spawns(v)
	case fTrace:
		r.Trace = d.trace(v)
	case fInboxLen:
		r.InboxLen = d.count(key, v)
	case fOutboxLen:
		r.OutboxLen = d.count(key, v)
	case fSpawnsLen:
		r.SpawnsLen = d.count(key, v)
	case fSize:
		r.Size = d.count(key, v)
	}
}

// timers reads the armed timers, whose names are encoded (D6).
func (d *decoder) timers(v bsoncore.Value) map[string]time.Time {
	var timers map[string]time.Time
	d.doc(fTimers, v, func(key string, due bsoncore.Value) {
		name, err := store.DecodeTimer(key)
		if err != nil {
			d.corrupt(fTimers)
			return
		}
		if timers == nil {
			timers = map[string]time.Time{}
		}
		timers[name] = d.date(fTimers, due)
	})
	return timers
}

func (d *decoder) attrs(v bsoncore.Value) map[string]store.Attr {
	var attrs map[string]store.Attr
	d.doc(fAttrs, v, func(key string, value bsoncore.Value) {
		if attrs == nil {
			attrs = map[string]store.Attr{}
		}
		attrs[key] = d.attr(value)
	})
	return attrs
}

func (d *decoder) attr(v bsoncore.Value) store.Attr {
	switch v.Type {
	case bsoncore.TypeString:
		return d.str(fAttrs, v)
	case bsoncore.TypeInt32, bsoncore.TypeInt64:
		return d.num(fAttrs, v)
	case bsoncore.TypeDouble:
		return v.Double()
	case bsoncore.TypeBoolean:
		return v.Boolean()
	case bsoncore.TypeDateTime:
		return d.date(fAttrs, v)
	}
	d.corrupt(fAttrs)
	return nil
}

func (d *decoder) parked(v bsoncore.Value) *store.Parked {
	p := new(store.Parked)
	d.doc(fParked, v, func(key string, v bsoncore.Value) {
		switch key {
		case fEventID:
			p.EventID = d.str(fParked, v)
		case fReason:
			p.Reason = d.str(fParked, v)
		case fError:
			p.Error = d.str(fParked, v)
		case fAttempts:
			p.Attempts = d.count(fParked, v)
		case fAt:
			p.At = d.date(fParked, v)
		}
	})
	return p
}
