// Package store says what a store of executions is: its interfaces by role, the
// records that cross them, and the errors that callers act on.
//
// A store keeps each execution as one record that is read in one round trip
// ([Executions.LoadForEvent]) and changed by one compare-and-set write
// ([Executions.Commit]). The record is the authority; whatever a process keeps
// in memory is a copy that the next failed commit invalidates. A store never
// looks inside the snapshot (Snapshot.Data), an event or a trace step: these are
// opaque JSON texts to it.
//
// This package is not for storing anything: memstore and mongostore do that. What
// both must do is defined, case by case, by the contract suite in storetest.
//
// # Where to start
//
// [Store] is the sum of the roles. A consumer declares the part it needs and
// takes that, never the whole. [BulkCommitter] and [Watcher] are extra abilities
// found by assertion, with a documented fallback.
//
// # Outcomes and errors
//
// Every write has one of three outcomes (D25): it happened (nil), it is not known
// whether it happened ([ErrUncertain]), or it did not happen (every other error).
// [OutcomeOf] tells them apart.
//
//	Situation                                        Error               Duty of the caller
//	a bad argument, found before any I/O             ErrInvalidArgument  fix the call
//	no such execution, letter                        ErrNotFound         as named
//	an execution of that id exists                   ErrExists           ExistsError.SameStart tells a repeated start
//	a push to an ended execution                     ErrEnded            as named
//	version moved, or an id is handled already       ErrConflict         reload, decide again
//	inbox, outbox, spawns or the document is full    ErrBackpressure     wait, try again
//	over a cap of its own                            ErrTooLarge         never retry
//	the reply was lost and reading back was no help  ErrUncertain        same event id again, or reload
//	definite and passing failure                     ErrUnavailable      retry with jitter
//	a capability the server lacks, a newer format    ErrUnsupported      other mode or server
//	wrong credentials, missing Required index, w=0   ErrMisconfigured    stop, tell the operator
//	a renewal that no longer holds a shard it named  ErrLeaseLost        stop those actors
//	use after Close                                  ErrClosed           none
//
// # Rules for all methods
//
// All methods are safe for concurrent use. A context without deadline gets the
// operation timeout. Arguments are neither kept nor changed; results belong to
// the caller. Nil and empty slices and maps mean the same. Times are truncated to
// milliseconds before they are written or compared (D11).
//
// # Bounds
//
// Every array, text and batch is bounded by [Limits]; there is no "unbounded". The
// checks of arguments are methods of Limits too, and every store calls them before
// it does anything else, so that all refuse the same calls with the same errors.
//
// An entry weighs what its JSON texts weigh: the event, or context and event of a
// spawn. One write adds at most [MaxPerWrite] entries to an array. Timers are armed
// in a running or cancelling execution that is not parked, and in no other.
//
// The rules D1, D2, … are those of the store specification; each is shown by a
// case of storetest.
package store
