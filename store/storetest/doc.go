// Package storetest is the definition of a store: a flat list of named cases that
// every implementation of [store.Store] has to pass.
//
// A driver calls [Run] from a test of its own with a function that opens a fresh,
// empty store, and calls it again for every mode that must not change results: a
// batch of one, hints off, another kind of server.
//
//	func TestContract(t *testing.T) { storetest.Run(t, open) }
//
// Cases run in parallel, each on a store of its own. What a case needs beyond
// store.Store is a field of [Fixture] that a harness may leave empty: the cases
// that need it are then skipped, and [Run] logs how many were and why. Cases that
// look at the wire of a server are listed too and belong to its driver.
//
// The suite is itself tested with stores that are wrong on purpose: [Judge] runs one
// case on one of them, and it must fail there. Those that are mutations of the
// memory store are in its tests.
//
// # Time
//
// Cases pass fixed dates to the methods that take a date. Only leases read a clock,
// the server's: a harness that can move it sets [Fixture.Elapse], else the cases
// wait until the server says that the time is over.
//
// The benchmarks that all stores share are [Benchmark].
package storetest
