// Package memstore keeps executions in memory. It is the reference of what a
// store does: it passes the whole contract suite, with the same bounds, errors and
// orders as the MongoDB store, and it is the store of tests, examples and of
// services that need no durability.
//
// It is not durable: the data ends with the process.
//
// The zero [Store] is ready to use; [New] takes [Options]. [Store.Attach] gives
// another handle on the same data, which is what another process, or the next
// one, would get.
//
// # What is atomic
//
// What is one command on a database server is atomic here, and nothing else is
// (D75): a commit whose filter does not match and the read that tells why are
// two, as they are there. So a runtime meets the same interleavings.
//
// # How it is built
//
// The data is divided by shard number. Each shard has one lock, the executions in
// a map, and a heap of them by date for each kind of due work, so that a poll costs
// what it finds and not what is stored. Records hold copies: nothing that was
// passed in, and nothing that was handed out, aliases them.
//
// A call that meets the closed handle after it waited for a lock is ErrClosed, so
// when Close returns nothing is running any more.
package memstore
