// Package gate admits calls to executions and passivates executions that are
// idle, so that no call is lost between the two.
//
// It is a registry of entries, one per active execution, each with its queue. The
// queue is here and not in the mailbox of an actor library: what stands in a
// queue can be bounded, cancelled, ordered, taken in groups and handed back, and
// none of this a mailbox offers. [Mailboxes] only runs an entry, one run at a
// time.
//
// # Why nothing is lost on the passivation edge
//
// Admission and passivation decide under one lock, that of the registry shard. A
// call is either appended to an entry that is in the map, or the entry is gone
// from the map and a new one is made. An entry leaves the map only when nothing
// of it is queued, waiting, running or paused.
//
// # Waiting for room
//
// A full queue makes callers wait in order of arrival. A caller that waits is
// moved to the queue by whoever makes room, under the same lock; it is never
// woken to try for itself, so there is no wake-up to be lost by one who was
// cancelled meanwhile.
//
// # Who owns a call
//
// A call is queued, then started by the behavior ([Call.Claim]) or abandoned by
// its caller, whose context ended; one atomic change decides. An abandoned call
// has certainly no effect. A started one is finished by the behavior alone.
package gate
