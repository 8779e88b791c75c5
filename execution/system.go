package execution

// System events: the runtime's way to talk to the step (S77). Their names start
// with $, and no trigger sees them. The ids of those that are derived are the
// same for every repetition.

// StartEvent starts run number run of an execution.
func StartEvent(id string, run int64) Event { return Event{} }

// TimerEvent says that a timer is due.
func TimerEvent(id, name string, entry int64) Event { return Event{} }

// FinishedEvent tells the parent of the end of a child.
func FinishedEvent(f Finished) Event { return Event{} }

// StopEvent ends a child, with exit hooks.
func StopEvent(child string) Event { return Event{} }

func terminateChild(child string) Event { return Event{} }

// CancelEvent asks an execution to clean up and end (S78). id names the
// operation; reason is an object as for [Object].
func CancelEvent(id string, reason any) (Event, error) { return Event{}, nil }

// TerminateEvent ends an execution without hooks (S79).
func TerminateEvent(id string, reason any) (Event, error) { return Event{}, nil }

// SuspendEvent puts an execution on hold.
func SuspendEvent(id string) Event { return Event{} }

// ResumeEvent ends the hold.
func ResumeEvent(id string) Event { return Event{} }

// SetStateEvent moves an execution to the states of those paths (S80).
func SetStateEvent(id string, targets []string) Event { return Event{} }

// RetryEvent takes up a FAILED execution again with the event whose step failed,
// the dead letter with reason step_failed (S81).
func RetryEvent(id string, failed Event) Event { return Event{} }

// ResetEvent starts an execution anew (S82). context is an object as for
// [Object].
func ResetEvent(id string, context any) (Event, error) { return Event{}, nil }

// DerivedID joins parts with ":", and shortens what is longer than 255 bytes to
// "~" and 32 hex digits of its SHA-256 (S52).
func DerivedID(parts ...string) string { return "" }
