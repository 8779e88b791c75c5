package lease_test

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/durachart/durachart/internal/lease"
	"github.com/durachart/durachart/store"
)

// settled is a world with one process that has everything, two seconds after its
// renewal.
func settled(w *world) *process {
	w.Helper()
	a := w.start("a")
	pass(ttl/3 + 2*time.Second)
	require.Len(w, a.Held(), w.shards)
	require.Len(w, seen[lease.Gained](a), 1)
	return a
}

// D61: in an outage belief ends two thirds of the ttl after the last renewal was sent,
// whatever way the store fails; nothing waits for a command then. When the store is back
// everything is had again within a second.
func TestAnOutageEndsBeliefInTime(t *testing.T) {
	for name, how := range map[string]condition{"refused": refused, "hanging": hanging, "deaf": deaf} {
		t.Run(name, func(t *testing.T) {
			in(t, 16, func(w *world) {
				a := settled(w)
				if how == deaf {
					w.unwatch() // what arrives keeps the leases, so nobody can have them
				}
				over := w.trouble()
				a.cut(how)
				pass(2*ttl/3 - 2*time.Second - time.Millisecond)
				assert.Len(w, a.Held(), 16)
				assert.Empty(w, seen[lease.Lost](a))
				pass(time.Millisecond)
				assert.Empty(w, a.Held())
				require.Len(w, seen[lease.Lost](a), 1)
				assert.Equal(w, lease.Lost{Shards: numbers(16), Reason: lease.Expired}, seen[lease.Lost](a)[0])

				pass(time.Minute)
				assert.Empty(w, a.Held())
				a.commands()
				a.cut(well)
				over()
				w.within(time.Second+ttl/6, "everything again", w.allServed)
				assert.Len(w, seen[lease.Gained](a), 2)
			})
		})
	}
}

// D60, D61: one renewal that fails is no loss: there is time for another.
func TestARenewalMayFail(t *testing.T) {
	for name, how := range map[string]condition{"refused": refused, "hanging": hanging, "deaf": deaf} {
		t.Run(name, func(t *testing.T) {
			in(t, 16, func(w *world) {
				a := settled(w)
				a.then("renew", how)
				pass(3 * ttl)
				assert.Empty(w, seen[lease.Lost](a))
				failed := seen[lease.Failed](a)
				require.Len(w, failed, 1)
				assert.Equal(w, "renew", failed[0].Operation)
				assert.Error(w, failed[0].Err)
			})
		})
	}
}

// While the store does not answer it is asked once a second, not in a loop.
func TestAnOutageIsNoStampede(t *testing.T) {
	in(t, 16, func(w *world) {
		a := settled(w)
		over := w.trouble()
		a.cut(refused)
		pass(2 * time.Minute)
		assert.LessOrEqual(w, len(seen[lease.Failed](a)), 2*120+10)
		over()
	})
}

// D61: a process that was stopped (SIGSTOP) and comes back owns nothing, in its first
// instruction; and others have had its shards meanwhile.
func TestAProcessThatWasStoppedOwnsNothing(t *testing.T) {
	for _, where := range []string{"at rest", "in a renewal", "in a survey"} {
		t.Run(where, func(t *testing.T) {
			in(t, 32, func(w *world) {
				a, b := w.start("a"), w.start("b")
				w.within(time.Minute, "fair shares", w.fair)
				pass(ttl)
				stop := func() { b.cut(frozen); w.disturb() }
				switch where {
				case "at rest":
					stop()
				case "in a renewal":
					b.before("renew", stop)
				case "in a survey":
					b.before("survey", stop)
				}
				pass(ttl)
				assert.Empty(w, b.Held(), "before anything of it runs again")
				pass(10 * ttl)
				assert.Empty(w, b.Held())
				assert.Len(w, a.Held(), 32)
				b.cut(well)
				w.within(time.Minute, "fair shares", w.fair)
				reasons := map[lease.Reason]int{}
				for _, lost := range seen[lease.Lost](b) {
					reasons[lost.Reason] += len(lost.Shards)
				}
				assert.Equal(w, 16, reasons[lease.Expired], "%v", reasons)
			})
		})
	}
}

// A process that is stopped in the middle of a command believes nothing of a reply that
// comes too late.
func TestAReplyThatComesTooLateIsNotBelieved(t *testing.T) {
	for _, command := range []string{"renew", "acquire", "survey", "announce"} {
		for _, asleep := range []time.Duration{2 * ttl / 3, ttl, 5 * ttl} {
			t.Run(fmt.Sprint(command, " ", asleep), func(t *testing.T) {
				in(t, 16, func(w *world) {
					a := w.prepare("a")
					stop := func() {
						a.cut(frozen)
						time.AfterFunc(asleep, func() {
							assert.Empty(w, a.Held())
							a.then("renew", hanging) // so that nothing makes it true meanwhile
							a.cut(well)
						})
					}
					if command != "renew" { // the first one has nothing to renew
						a.after(command, stop)
					}
					over := w.trouble()
					a.run()
					pass(time.Second)
					if command == "renew" {
						a.after(command, stop)
						pass(ttl / 3)
					}
					pass(asleep + time.Second) // for the world to see what is believed
					over()
					w.within(ttl/6+time.Second, "everything", w.allServed)
				})
			})
		}
	}
}

// D60: an expired lease that still names us is renewed, for nobody held it in between.
func TestWhatExpiredAndStillNamesUsIsRenewed(t *testing.T) {
	in(t, 16, func(w *world) {
		a := settled(w)
		before, err := w.data.Survey(w.Context())
		require.NoError(w, err)
		over := w.trouble()
		a.cut(refused)
		pass(2 * ttl)
		a.cut(well)
		over()
		w.within(2*time.Second, "everything", w.allServed)
		after, err := w.data.Survey(w.Context())
		require.NoError(w, err)
		for i := range after.Leases {
			assert.Equal(w, before.Leases[i].Fence, after.Leases[i].Fence, "renewed, not acquired")
		}
	})
}

// D60: a shard that the renewal does not find any more is lost.
func TestAShardThatAnotherTookIsLost(t *testing.T) {
	in(t, 16, func(w *world) {
		a := settled(w)
		w.unwatch() // what we do here no process does
		a.deceived = map[int]bool{3: true, 7: true}
		taker := w.data
		require.NoError(w, taker.ReleaseShards(w.Context(), a.owner, []int{3, 7}))
		_, err := taker.AcquireShards(w.Context(), "operator", []int{3}, time.Hour)
		require.NoError(w, err)
		pass(ttl / 3)
		lost := seen[lease.Lost](a)
		require.Len(w, lost, 1)
		assert.Equal(w, lease.Lost{Shards: []int{3, 7}, Reason: lease.Taken}, lost[0])
		assert.False(w, a.Holds(3))
		pass(time.Second + slack)
		assert.True(w, a.Holds(7), "it was free")
		assert.False(w, a.Holds(3))
	})
}

// D27: what an acquisition took whose reply was lost is found by the next renewal.
func TestAnAcquisitionWithoutReplyIsFound(t *testing.T) {
	in(t, 16, func(w *world) {
		a := w.prepare("a")
		a.then("acquire", deaf)
		a.run()
		took := w.within(ttl/6+time.Second, "everything", w.allServed)
		assert.GreaterOrEqual(w, took, ttl/6)
		assert.Equal(w, 1, count(a.commands(), "acquire"))
	})
}

// A lease that an acquisition finds beside what it takes is believed for what is left of
// it, less the third for stopping: here that is nothing, and it is taken when it is over.
func TestALeaseThatIsFoundIsBelievedForWhatIsLeftOfIt(t *testing.T) {
	in(t, 16, func(w *world) {
		a := w.prepare("a")
		a.before("survey", func() { // as an acquisition that arrives late would
			_, err := w.data.AcquireShards(context.Background(), a.owner, []int{3}, store.MinLeaseTTL)
			assert.NoError(w, err)
		})
		a.run()
		pass(store.MinLeaseTTL - time.Millisecond)
		assert.Len(w, a.Held(), 15)
		w.within(500*time.Millisecond+slack, "all", w.allServed)
	})
}

// D27: shards whose release was not answered are released again and not believed
// meanwhile, although the renewals in between extend their leases.
func TestAReleaseWithoutReplyIsRepeated(t *testing.T) {
	for name, how := range map[string]condition{"refused": refused, "hanging": hanging, "deaf": deaf} {
		t.Run(name, func(t *testing.T) {
			in(t, 64, func(w *world) {
				a := w.start("a")
				pass(time.Second)
				a.then("release", how)
				w.start("b")
				w.within(time.Minute, "fair shares", w.fair)
				given := 0
				for _, lost := range seen[lease.Lost](a) {
					assert.Equal(w, lease.GivenBack, lost.Reason)
					given += len(lost.Shards)
				}
				released := 0
				for _, r := range seen[lease.Released](a) {
					released += len(r.Shards)
				}
				assert.Equal(w, given, released)
				assert.Len(w, seen[lease.Failed](a), 1)
			})
		})
	}
}

// The same while releases fail for long, and the renewals in between tell again and again
// that the leases are ours.
func TestWhatIsBeingGivenBackIsNotBelieved(t *testing.T) {
	in(t, 64, func(w *world) {
		a := w.start("a")
		pass(time.Second)
		over := w.trouble()
		a.each("release", refused)
		w.start("b")
		pass(2 * ttl)
		assert.Len(w, seen[lease.Gained](a), 1)
		require.Len(w, seen[lease.Lost](a), 2, "not belief in the rest either")
		assert.Len(w, a.Held(), 32)
		a.each("release", well)
		over()
		w.within(time.Second+slack, "fair shares", w.fair)
	})
}

// Each of the other commands may fail once, in each way.
func TestACommandMayFail(t *testing.T) {
	for _, command := range []string{"announce", "survey", "acquire"} {
		for name, how := range map[string]condition{"refused": refused, "hanging": hanging, "deaf": deaf} {
			t.Run(command+" "+name, func(t *testing.T) {
				in(t, 64, func(w *world) {
					a := w.prepare("a")
					a.then(command, how)
					a.run()
					w.within(ttl/6+time.Second, "all", w.allServed)
					b := w.prepare("b")
					b.then(command, how)
					b.run()
					w.within(time.Minute, "fair shares", w.fair)
					for _, p := range []*process{a, b} {
						failed := seen[lease.Failed](p)
						require.Len(w, failed, 1)
						assert.Equal(w, command, failed[0].Operation)
					}
				})
			})
		}
	}
}

// The wall clock of a process does not matter, nor that of the server (SH5).
func TestWrongClocksChangeNothing(t *testing.T) {
	in(t, 64, func(w *world) {
		for i, skew := range []time.Duration{-5 * time.Minute, 0, 5 * time.Minute} {
			p := w.prepare(fmt.Sprint("p", i))
			p.skew = skew
			p.run()
		}
		w.within(time.Minute, "fair shares", w.fair)
		pass(4 * ttl)
		assert.True(w, w.fair())
		w.all()[2].kill()
		w.within(ttl+time.Second+slack, "all served", w.allServed)
		w.start("p3")
		w.within(time.Minute, "fair shares", w.fair)
	})
}

// D12: the clock of the server is handed on with each reply.
func TestTheServersClockIsHandedOn(t *testing.T) {
	in(t, 16, func(w *world) {
		var heard []time.Time
		w.start("a", func(_ *process, c *lease.Config) {
			c.Heard = func(server time.Time) {
				assert.WithinDuration(w, time.Now().Add(time.Hour), server, time.Millisecond)
				heard = append(heard, server)
			}
		})
		pass(ttl + time.Second)
		synctest.Wait()
		assert.Len(w, heard, 4*2+1)
	})
}

// The hot path allocates nothing.
func TestHoldsIsCheap(t *testing.T) {
	in(t, 16, func(w *world) {
		a := settled(w)
		assert.Zero(w, testing.AllocsPerRun(1000, func() { _ = a.Holds(5) }))
	})
}

func BenchmarkHolds(b *testing.B) {
	s, err := lease.New(lease.Config{Store: nothing{}, Owner: "a", Shards: 256})
	require.NoError(b, err)
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			if s.Holds(17) {
				b.Error("it never ran")
			}
		}
	})
}

// nothing is a store that has nothing.
type nothing struct{ store.Shards }

func count(all []string, one string) int {
	return len(slices.DeleteFunc(slices.Clone(all), func(s string) bool { return s != one }))
}
