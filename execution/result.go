package execution

import "strings"

// Disposition says what became of an event (S87).
type Disposition string

// The dispositions. After the first four the execution has not changed, and
// Result.Snapshot is the one that was given.
const (
	Held            Disposition = "held"    // offer it again when the hold ends
	Refused         Disposition = "refused" // the status does not allow the operation
	Dead            Disposition = "dead"    // see the DeadLetter effect
	Stale           Disposition = "stale"   // it has come too late to mean anything
	StepFailed      Disposition = "failed"  // the step was undone, the status is FAILED
	Applied         Disposition = "applied"
	Forwarded       Disposition = "forwarded" // live regions get it
	DeferredToLater Disposition = "deferred"  // it waits in the pool
	Dropped         Disposition = "dropped"   // it has no effect
)

// Result is what a step gives.
type Result struct {
	Event       Event
	Disposition Disposition
	Snapshot    *Snapshot
	Effects     []Effect // in the order of S85
	Trace       []string // its lines, only if the host asks for them
}

// Changed reports whether there is a new snapshot to commit: false after held,
// refused, dead and stale. A dead event still has its DeadLetter effect.
func (r *Result) Changed() bool {
	switch r.Disposition {
	case Held, Refused, Dead, Stale:
		return false
	}
	return true
}

// String returns the text form of S87, without a newline at the end.
func (r Result) String() string {
	var b strings.Builder
	b.WriteString(word(r.Event.Name) + " #" + word(r.Event.ID) + " -> " + string(r.Disposition))
	for _, line := range r.Trace {
		b.WriteString("\n  " + line)
	}
	b.WriteString("\n" + r.Snapshot.String())
	for _, e := range r.Effects {
		b.WriteString("\n> " + e.String())
	}
	return b.String()
}

// String returns the line of S87 that says where the execution stands.
func (s *Snapshot) String() string {
	var b strings.Builder
	b.WriteString("= " + string(s.Status))
	if s.Outcome != "" {
		b.WriteString(" " + word(s.Outcome))
	}
	b.WriteString(" [")
	for i, path := range s.Configuration {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(pathWord(path))
	}
	b.WriteString("]")
	if s.Error != "" {
		b.WriteString(" error " + jsonText(s.Error))
	}
	return b.String()
}
