// Bench measures durachart against the floor: what the raw driver can write.
//
//	go run ./bench SCENARIO [-store memory|mongo] [-mongo URI] [-c CLIENTS] [-n N] [-json]
//
// README.md draws each workload and explains each knob. A run exits with status 1 when
// the invariant of its scenario is broken, and with status 2 on a mistake in the call.
// All figures are of one run on one machine: compare only what ran side by side.
package main
