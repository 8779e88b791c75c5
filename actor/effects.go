package actor

import (
	"strings"
	"time"

	"github.com/durachart/durachart/execution"
	"github.com/durachart/durachart/store"
)

// outgoing turns the effects of a step into what its commit writes: outbox
// entries and spawns, in the order of the effects (D45, S85). Timer effects are
// not among them: the commit writes the armed timers as a whole (D19).
func outgoing(id string, effects []execution.Effect, emits []store.Emit, spawns []store.Spawn) ([]store.Emit, []store.Spawn) {
	for _, effect := range effects {
		switch e := effect.(type) {
		case execution.Spawn:
			spawns = append(spawns, spawn(e))
		case execution.Emit:
			emits = append(emits, emit(e))
		case execution.CancelChild:
			ev := e.Event()
			emits = append(emits, store.Emit{Kind: store.EmitControl, TargetID: e.Child, ID: ev.ID, Event: ev.Encode()})
		case execution.DeadLetter:
			emits = append(emits, store.Emit{Kind: store.EmitDead, TargetID: id, ID: e.Event.ID, Reason: e.Reason, Event: e.Event.Encode()})
		case execution.Finished:
			ev := e.Event()
			emits = append(emits, store.Emit{TargetID: e.Parent, ID: ev.ID, Event: ev.Encode()})
		}
	}
	return emits, spawns
}

// emit is an outbox entry for an event. System events among them are operations
// on children, suspend and resume (S77): a held child reads no inbox, so they are
// carried out as control (D71).
func emit(e execution.Emit) store.Emit {
	out := store.Emit{TargetID: e.Target, ID: e.Event.ID, Event: e.Event.Encode()}
	if strings.HasPrefix(e.Event.Name, "$") {
		out.Kind = store.EmitControl
	}
	return out
}

func spawn(e execution.Spawn) store.Spawn {
	return store.Spawn{
		ChildID:           e.Child,
		RootPath:          e.RootPath,
		DefinitionID:      e.Chart,
		DefinitionVersion: e.Version,
		Site:              store.Site{Path: e.Site.Path, Seq: e.Site.Seq, Index: e.Site.Index},
		Context:           e.Context,
		Event:             e.Start().Encode(),
	}
}

// armed are the timers that a commit writes, nil for none.
func armed(s *execution.Snapshot) map[string]time.Time {
	timers := s.Armed()
	if len(timers) == 0 {
		return nil
	}
	due := make(map[string]time.Time, len(timers))
	for _, t := range timers {
		due[t.Name] = time.UnixMilli(t.At).UTC()
	}
	return due
}
