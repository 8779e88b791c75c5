package mongostore

import (
	"maps"
	"slices"
	"time"

	"github.com/durachart/durachart/store"
)

// writeSnapshot writes the promoted fields beside data, in one place for inserts
// and updates, so that the two can never disagree (D3). Optional fields that do
// not apply are left out; an update unsets them with writeAbsent.
func writeSnapshot(w *builder, s *store.Snapshot, now time.Time) {
	w.text(fData, s.Data)
	w.i32(fFormat, store.CurrentFormat)
	w.str(fDefinitionVersion, s.DefinitionVersion)
	w.str(fStatus, string(s.Status))
	w.optStr(fOutcome, s.Outcome)
	w.strs(fLeaves, store.CutLeaves(s.Leaves))
	w.date(fEnteredAt, timeOr(s.EnteredAt, now))
	writeTimers(w, s.Timers)
	w.optDate(fNextFireAt, store.NextFire(s.Timers))
	writeAttrs(w, s.Attrs)
	writeParked(w, s.Parked)
}

// writeAbsent names the optional fields that writeSnapshot left out, and those
// that only an ended execution has.
func writeAbsent(w *builder, s *store.Snapshot, expires bool) {
	unset := func(key string, absent bool) {
		if absent {
			w.boolean(key, true) // the value of $unset means nothing
		}
	}
	unset(fOutcome, s.Outcome == "")
	unset(fNextFireAt, len(s.Timers) == 0)
	unset(fParked, s.Parked == nil)
	unset(fEndedAt, !s.Ended)
	unset(fExpiresAt, !expires)
}

// hasAllOptional reports whether writeAbsent would write nothing: an empty $unset
// is left out, not sent.
func hasAllOptional(s *store.Snapshot, expires bool) bool {
	return s.Outcome != "" && len(s.Timers) > 0 && s.Parked != nil && s.Ended && expires
}

// writeEnd writes the dates of an ended execution (D72).
func (s *Store) writeEnd(w *builder, ended bool, now time.Time) (expires bool) {
	if !ended {
		return false
	}
	w.date(fEndedAt, now)
	if s.lim.Retention <= 0 {
		return false
	}
	w.date(fExpiresAt, now.Add(s.lim.Retention))
	return true
}

// writeTimers writes the armed timers as a whole (D19), under encoded names (D6).
func writeTimers(w *builder, timers map[string]time.Time) {
	w.begin(fTimers)
	for _, name := range sortedKeys(timers) {
		w.date(store.EncodeTimer(name), timers[name])
	}
	w.end()
}

func writeAttrs(w *builder, attrs map[string]store.Attr) {
	w.begin(fAttrs)
	for _, name := range sortedKeys(attrs) {
		w.value(name, attrs[name])
	}
	w.end()
}

func timeOr(t, alt time.Time) time.Time {
	if t.IsZero() {
		return alt
	}
	return t
}

// sortedKeys keeps stored sub-documents in one order, whatever order the map is
// walked in.
func sortedKeys[V any](m map[string]V) []string {
	if len(m) == 0 {
		return nil
	}
	return slices.Sorted(maps.Keys(m))
}

func writeParked(w *builder, p *store.Parked) {
	if p == nil {
		return
	}
	w.begin(fParked)
	w.str(fEventID, p.EventID)
	w.str(fReason, p.Reason)
	w.str(fError, store.CutError(p.Error))
	w.i64(fAttempts, int64(p.Attempts))
	w.date(fAt, p.At)
	w.end()
}

// writeInbox writes new entries as items of the current array: visible from now
// on (D30), and never tried.
func writeInbox(w *builder, entries []store.InboxEntry, now time.Time) {
	for i := range entries {
		e := &entries[i]
		w.beginItem(i)
		w.str(fEntryID, e.ID)
		w.date(fAt, now)
		w.text(fEvent, e.Event)
		w.str(fFrom, e.From)
		w.end()
	}
}

// writeOutbox writes what the step to version gave out, as items of the current
// array. Until at, the committing process has the first right to deliver (D43).
func writeOutbox(w *builder, emits []store.Emit, version int64, at time.Time) {
	for i := range emits {
		e := &emits[i]
		w.beginItem(i)
		w.i64(fSeq, store.Seq(version, i))
		w.optStr(fKind, string(e.Kind))
		w.strOrNull(fTargetID, e.TargetID)
		w.str(fEntryID, e.ID)
		w.text(fEvent, e.Event)
		w.optStr(fReason, e.Reason)
		w.date(fAt, at)
		w.i32(fAttempts, 0)
		w.end()
	}
}

// writeSpawns writes the children that the step to version asks for.
func writeSpawns(w *builder, spawns []store.Spawn, parent string, version int64, at time.Time) {
	for i := range spawns {
		s := &spawns[i]
		w.beginItem(i)
		w.i64(fSeq, store.Seq(version, i))
		w.str(fParentID, parent)
		w.str(fChildID, s.ChildID)
		w.str(fRootPath, s.RootPath)
		w.text(fContext, s.Context)
		w.begin(fSite)
		w.str(fPath, s.Site.Path)
		w.i64(fSeq, s.Site.Seq)
		w.i64(fIndex, s.Site.Index)
		w.end()
		w.str(fDefinitionID, s.DefinitionID)
		w.str(fDefinitionVersion, s.DefinitionVersion)
		w.text(fEvent, s.Event)
		w.date(fAt, at)
		w.i32(fAttempts, 0)
		w.end()
	}
}

// writeTrace writes the steps of the commit to version that fit the ring: the last
// ones.
func (s *Store) writeTrace(w *builder, steps []store.TraceStep, version int64, now time.Time) {
	first := max(0, len(steps)-s.lim.TraceRing)
	for i, step := range steps[first:] {
		w.beginItem(i)
		w.i64(fIndex, store.Seq(version, first+i))
		w.date(fAt, timeOr(step.At, now))
		w.text(fStep, s.lim.CutStep(step.Step))
		w.end()
	}
}
