// Package lease keeps the shards of one process: it takes its fair share of them,
// renews, makes room for processes that come, and takes over from those that go.
//
// The authority is the store, whose server's clock decides every expiry. What this
// package holds is what a process may believe of it: a shard is believed from the
// moment a lease command was sent that succeeded until two thirds of the ttl later,
// on the monotonic clock of the process (D61). The last third is for stopping what
// runs before anybody else can start it.
//
// Correctness never rests on a lease. Two processes that run one execution are slow,
// not wrong, for the compare-and-set of each commit decides. A lease only keeps work
// from being done twice.
//
// This package is not for executions or actors: it deals in shard numbers, and tells
// of changes through [Config.Gained] and [Config.Lost].
//
// # Where to start
//
// [New] takes a [Config], [Service.Run] does the work, [Service.Holds] answers on the
// hot path. [Service.Release] hands everything over before Run's end.
//
// # One pass
//
// Every third of the ttl one write renews all leases (D60), and a survey shows who
// else is there. From it the share follows: the shards divided by the processes that
// live, which are the owners of unexpired leases and the workers that announced
// themselves because they hold less (D63). share.go has the rule. Then the process
//
//	takes free shards up to its share, at once
//	looks again when the next lease of another is about to expire, and takes it then
//	takes beyond its share what is still free a second after it was first seen
//	gives back 16 at most of what is beyond its share, while another lacks some
//
// So one process alone holds all at once, and after a death everything is served again
// within the ttl and a second. While a process lacks shards it looks twice a second,
// so that what another gives back is not left lying. In the steady state there is one
// write and three reads per third of the ttl, whatever the number of executions.
//
// # What happens when something fails
//
//	What fails                          What the service does
//	a renewal                           tries again, at most a second apart, while leases are still believed
//	the store, for long                 belief ends in time: Lost. When it is back, what still names us is renewed: Gained (D60)
//	another took a shard                Lost for that shard
//	the process was stopped (SIGSTOP)   the monotonic clock went on: Holds is false at once, then Lost
//	the reply of an acquisition         the next renewal finds what was taken (D27)
//	the reply of a release              released again until it is answered; until then it is not believed
//	actors do not stop in time          their shards are released all the same: slow, not wrong
//	the process dies                    others take its shards when they expire
//
// A monotonic clock stands still while the whole machine sleeps. A process that wakes
// up with it may believe in a lease that is over for up to two thirds of the ttl: slow,
// not wrong.
package lease
