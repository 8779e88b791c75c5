package mongostore

import (
	"go.mongodb.org/mongo-driver/v2/x/bsonx/bsoncore"

	"github.com/durachart/durachart/store"
)

// inbox, outbox, spawns and trace read the entries of the four arrays. Fields that
// we do not know are left alone.

func (d *decoder) inbox(v bsoncore.Value) []store.InboxEntry {
	var entries []store.InboxEntry
	d.items(fInbox, v, func(item bsoncore.Value) {
		var e store.InboxEntry
		d.doc(fInbox, item, func(key string, v bsoncore.Value) {
			switch key {
			case fEntryID:
				e.ID = d.str(fInbox, v)
			case fFrom:
				e.From = d.str(fInbox, v)
			case fAt:
				e.At = d.date(fInbox, v)
			case fEvent:
				e.Event = d.text(fInbox, v)
			case fAttempts:
				e.Attempts = d.count(fInbox, v)
			}
		})
		entries = append(entries, e)
	})
	return entries
}

func (d *decoder) outbox(v bsoncore.Value) []store.OutboxEntry {
	var entries []store.OutboxEntry
	d.items(fOutbox, v, func(item bsoncore.Value) {
		var e store.OutboxEntry
		d.doc(fOutbox, item, func(key string, v bsoncore.Value) {
			switch key {
			case fSeq:
				e.Seq = d.num(fOutbox, v)
			case fKind:
				e.Kind = store.EmitKind(d.str(fOutbox, v))
			case fTargetID:
				e.TargetID = d.strOrNull(fOutbox, v)
			case fEntryID:
				e.ID = d.str(fOutbox, v)
			case fEvent:
				e.Event = d.text(fOutbox, v)
			case fReason:
				e.Reason = d.str(fOutbox, v)
			case fAt:
				e.At = d.date(fOutbox, v)
			case fAttempts:
				e.Attempts = d.count(fOutbox, v)
			case fLastError:
				e.LastError = d.str(fOutbox, v)
			}
		})
		entries = append(entries, e)
	})
	return entries
}

func (d *decoder) spawns(v bsoncore.Value) []store.SpawnEntry {
	var entries []store.SpawnEntry
	d.items(fSpawns, v, func(item bsoncore.Value) {
		var e store.SpawnEntry
		d.doc(fSpawns, item, func(key string, v bsoncore.Value) {
			switch key {
			case fSeq:
				e.Seq = d.num(fSpawns, v)
			case fParentID:
				e.ParentID = d.str(fSpawns, v)
			case fChildID:
				e.ChildID = d.str(fSpawns, v)
			case fRootPath:
				e.RootPath = d.str(fSpawns, v)
			case fContext:
				e.Context = d.text(fSpawns, v)
			case fSite:
				e.Site = d.site(v)
			case fDefinitionID:
				e.DefinitionID = d.str(fSpawns, v)
			case fDefinitionVersion:
				e.DefinitionVersion = d.str(fSpawns, v)
			case fEvent:
				e.Event = d.text(fSpawns, v)
			case fAt:
				e.At = d.date(fSpawns, v)
			case fAttempts:
				e.Attempts = d.count(fSpawns, v)
			case fLastError:
				e.LastError = d.str(fSpawns, v)
			}
		})
		entries = append(entries, e)
	})
	return entries
}

func (d *decoder) site(v bsoncore.Value) store.Site {
	var site store.Site
	d.doc(fSite, v, func(key string, v bsoncore.Value) {
		switch key {
		case fPath:
			site.Path = d.str(fSite, v)
		case fSeq:
			site.Seq = d.num(fSite, v)
		case fIndex:
			site.Index = d.num(fSite, v)
		}
	})
	return site
}

func (d *decoder) trace(v bsoncore.Value) []store.TraceStep {
	var steps []store.TraceStep
	d.items(fTrace, v, func(item bsoncore.Value) {
		var step store.TraceStep
		d.doc(fTrace, item, func(key string, v bsoncore.Value) {
			switch key {
			case fIndex:
				step.Index = d.num(fTrace, v)
			case fAt:
				step.At = d.date(fTrace, v)
			case fStep:
				step.Step = d.text(fTrace, v)
			}
		})
		steps = append(steps, step)
	})
	return steps
}
