// Package relay carries out what committed steps gave out: it delivers the events
// in their outboxes, has child commands done, writes dead letters, and creates the
// children that they spawned.
//
// The authority is the store. An entry is in the document of its source from the
// commit that wrote it until it has been carried out and acknowledged. What the
// relay holds in memory is a copy that may be dropped at any time: whatever it
// dies with is found again by a poll, once the entry's grace is over (D43).
// Therefore everything is done at least once, under ids that make the second time
// harmless, and an acknowledgement is never written before what it acknowledges.
//
// This package is not for accepting events (that is a push to an inbox, the
// runtime's business), nor does it know what an event or a child looks like inside:
// [Target] and [Births] are what it needs of a runtime.
//
// # Where to start
//
// [New] takes a [Config], [Relay.Run] does the work. After each commit the runtime
// calls [Relay.Committed] with what the commit wrote, so that it is carried out at
// once, from memory, without a query.
//
// # Order
//
// Entries of one source for one target are delivered in the order of their steps
// and in the order within each step (D44). Spawns of a step are tried before its
// outbox, and an entry for a child whose spawn is still pending waits for it. There
// is no order between different sources, nor between different targets.
//
// # What happens when something fails
//
//	What fails                               What the relay does
//	the process dies anywhere                another owner finds the entries by its poll (D43)
//	the store does not answer                everything waits, no attempt is counted (D47)
//	the target has no room                   attempts and back-off are marked in the source, later entries wait (D47)
//	it cannot be delivered, ever             dead letter first, then the entry is pulled (D48, D49)
//	20 attempts are used up                  the same, with reason "attempts"
//	the target of a command or report is gone  acknowledged: nothing is left to do (D48)
//	the spawn cannot be carried out, ever    dead letter, report to the parent, then pulled (D50)
//	memory is full                           entries are left to be read from the store later
//	another process owns the source by now   its poll does the rest; both may deliver, dedupe absorbs it
package relay
