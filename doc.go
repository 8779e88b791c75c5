// Package durachart is the module of a durable statechart runtime: executions of
// charts whose whole state is one document, changed by one compare-and-set write
// a step, so that a process may die at any instruction and nothing accepted is
// lost. It holds no code of its own; this page is a tour.
//
// # A chart
//
// Package [github.com/durachart/durachart/statechart] has the builder. A chart is
// checked once, with all mistakes reported at once, and never changes.
//
// # One step
//
// Package [github.com/durachart/durachart/execution] is a pure function: chart,
// snapshot and event in, new snapshot and effects out. Go actions and guards are
// registered by the names that the chart uses, over a typed context.
//
// # A store
//
// Package [github.com/durachart/durachart/store] says what a store is, and its
// subpackage storetest proves it of one. [github.com/durachart/durachart/store/memstore]
// is the reference, [github.com/durachart/durachart/store/mongostore] keeps
// executions in MongoDB, standalone or replica set.
//
// # The runtime
//
// Package [github.com/durachart/durachart/actor] puts them together: start
// executions, send them events, call them, wait for them. It runs
// [github.com/durachart/durachart/relay], which delivers what steps emit, and
// [github.com/durachart/durachart/timer], which fires what is due.
//
// # Seeing it
//
// The folder examples has programs to read and run; examples/order processes a
// stream of order events. ARCHITECTURE.md draws the life of one event.
package durachart
