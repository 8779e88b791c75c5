// Package timer fires due timers: a wheel in memory over the store's index of due
// dates.
//
// The authority is the store. A timer is armed by the commit that writes its due
// date into the document of its execution, and is gone by the commit that leaves it
// out; firing it is the business of the runtime ([Target]), whose commit does just
// that (D54). The [Service] only says when. It may say so twice, and for a timer that
// is gone: the runtime finds no such due date in its snapshot and drops it. It never
// says so early, and it never forgets one: what it loses with its memory is read
// again from the index.
//
// # Where to start
//
// [New] takes a [Config], [Service.Run] does the work. After each commit and creation
// the runtime calls [Service.Armed], so that a timer that is due soon needs no query;
// the others wait in the store until the wheel's horizon reaches them.
//
// # What happens when something fails
//
//	What fails                           What the service does
//	the process dies                     the next owner reads its shards' timers at takeover
//	the store does not answer            waits; what became due meanwhile fires then, in due order
//	a fire fails                         tries again, with a back-off
//	more timers than fit in memory       a shorter horizon (D53)
//	the clock is wrong                   nothing: due dates are compared with the server's time (D12)
package timer
