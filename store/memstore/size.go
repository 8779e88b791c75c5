package memstore

import (
	"time"

	"github.com/durachart/durachart/store"
)

// The size of a record is what its document would have on MongoDB, so that both
// refuse at about the same point. Names and headers of fields are counted as
// these constants, which were summed up from the names of the specification.
const (
	documentOverhead = 640 // all scalar fields and the empty arrays
	entryOverhead    = 96
	spawnOverhead    = 224
	textOverhead     = 12 // one element of an array of text
	timerOverhead    = 10
)

// size returns the bytes of the whole record.
func (r *record) size() int {
	return documentOverhead + len(r.id) + len(r.definitionID) + len(r.parentID) + len(r.rootID) +
		r.snapshotSize + r.entriesSize + r.ring.size + textOverhead*len(r.ring.ids)
}

// snapshotSize returns the bytes of what a commit replaces.
func snapshotSize(s *store.Snapshot) int {
	n := len(s.DefinitionVersion) + len(s.Outcome) + len(s.Data)
	for _, leaf := range store.CutLeaves(s.Leaves) {
		n += textOverhead + len(leaf)
	}
	for name := range s.Timers {
		n += timerOverhead + len(name)
	}
	for name, value := range s.Attrs {
		n += textOverhead + len(name) + attrSize(value)
	}
	if p := s.Parked; p != nil {
		n += entryOverhead + len(p.EventID) + len(p.Reason) + len(store.CutError(p.Error))
	}
	return n
}

func attrSize(value store.Attr) int {
	switch v := value.(type) {
	case string:
		return len(v)
	case bool:
		return 1
	case int64, float64, time.Time:
		return 8
	}
	return 0
}

func inboxSize(e *store.InboxEntry) int {
	return entryOverhead + len(e.ID) + len(e.From) + len(e.Event)
}

func outboxSize(e *store.OutboxEntry) int { return emitSize(&e.Emit) + len(e.LastError) }

func emitSize(e *store.Emit) int {
	return entryOverhead + len(e.Kind) + len(e.TargetID) + len(e.ID) + len(e.Reason) + len(e.Event)
}

func spawnsSize(e *store.SpawnEntry) int { return spawnSize(&e.Spawn) + len(e.LastError) }

func spawnSize(s *store.Spawn) int {
	return spawnOverhead + len(s.ChildID) + len(s.RootPath) + len(s.DefinitionID) + len(s.DefinitionVersion) +
		len(s.Site.Path) + len(s.Context) + len(s.Event)
}

func stepSize(step []byte) int { return textOverhead + 40 + len(step) }
