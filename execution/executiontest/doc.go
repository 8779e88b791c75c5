// Package executiontest runs charts in a world that is all in memory and whose
// clock only moves when told: for scripts that read like stories, and for tests
// of one's own charts.
//
// [World] carries out what steps ask for: it creates children, delivers events,
// fires timers, keeps what a held execution cannot take yet. It is not a runtime:
// it has one goroutine, stores nothing, and knows no duplicates. Nothing happens
// behind one's back: an effect waits until [World.Deliver] or [World.Stabilize]
// carries it out, a timer until [World.Advance].
//
// Every step is repeated from a decoded copy of the snapshot, and the world
// complains ([Step].Complaints) if the result is another one, if the argument was
// changed, or if the timer effects are not those that the snapshots call for. So
// each story also tests determinism and the codec.
//
// [Run] runs a folder of scripts; its documentation lists their commands.
package executiontest
