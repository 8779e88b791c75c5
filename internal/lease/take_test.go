package lease_test

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/durachart/durachart/internal/lease"
)

// D63: who is alone takes everything with its first acquisition.
func TestOneProcessAloneHasAllAtOnce(t *testing.T) {
	in(t, 256, func(w *world) {
		began := time.Now()
		a := w.start("a")
		require.NoError(w, a.First(w.Context()))
		require.NoError(w, a.Joined(w.Context()))
		assert.Zero(w, time.Since(began))
		assert.Equal(w, []lease.Gained{{Shards: numbers(256)}}, seen[lease.Gained](a))
		assert.Equal(w, numbers(256), a.Held())
		assert.True(w, a.Holds(0) && a.Holds(255))
		assert.False(w, a.Holds(-1) || a.Holds(256))
		assert.Equal(w, "renew announce survey acquire", strings.Join(a.commands(), " "))
	})
}

func numbers(n int) []int {
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	return all
}

// D63: who starts says so before it looks, so that processes which start together share
// from the beginning.
func TestThoseWhoStartTogetherShareFromTheBeginning(t *testing.T) {
	in(t, 256, func(w *world) {
		a, b := w.prepare("a"), w.prepare("b")
		var announced sync.WaitGroup // both, before either looks
		announced.Add(2)
		for _, p := range []*process{a, b} {
			p.before("survey", func() { announced.Done(); announced.Wait() })
		}
		a.run()
		b.run()
		took := w.within(time.Second, "fair shares", w.fair)
		w.Log(took)
		pass(time.Minute)
		assert.Empty(w, seen[lease.Lost](a))
		assert.Empty(w, seen[lease.Lost](b))
	})
}

// D63: what a process lacks it gets from those who have too much, 16 a pass, and none of
// it is without an owner for longer than the one who lacks it takes to look.
func TestSharesFollowThoseWhoCome(t *testing.T) {
	in(t, 256, func(w *world) {
		a := w.start("a")
		pass(17 * time.Second)
		w.start("b")
		w.Log("two:", w.within(45*time.Second, "two share", w.fair))
		w.start("c")
		w.Log("three:", w.within(30*time.Second, "three share", w.fair))
		for _, lost := range seen[lease.Lost](a) {
			assert.LessOrEqual(w, len(lost.Shards), 16)
			assert.Equal(w, lease.GivenBack, lost.Reason)
		}
		assert.LessOrEqual(w, w.longest(), 500*time.Millisecond+slack)
	})
}

// D60, D63: in the steady state a process makes one write and its reads per third of the
// ttl, whatever the number of shards, also where these do not divide.
func TestTheSteadyStateIsOneWrite(t *testing.T) {
	in(t, 64, func(w *world) {
		for _, name := range []string{"a", "b", "c"} {
			w.start(name)
		}
		w.within(time.Minute, "fair shares", w.fair)
		pass(time.Minute)
		for _, p := range w.all() {
			p.commands()
		}
		pass(10 * ttl)
		for _, p := range w.all() {
			sent := p.commands()
			assert.InDelta(w, 2*30, len(sent), 2)
			assert.ElementsMatch(w, []string{"renew", "survey"}, slices.Compact(slices.Sorted(slices.Values(sent))))
		}
	})
}

// SH7: wherever in the round of its renewals a process dies, everything is served again
// within the ttl and a second.
func TestAfterADeathEverythingIsServedAgain(t *testing.T) {
	for i := range 6 {
		alive := ttl + time.Duration(i)*time.Second
		t.Run(fmt.Sprint("after ", alive), func(t *testing.T) {
			in(t, 64, func(w *world) {
				for _, name := range []string{"a", "b", "c"} {
					w.start(name)
				}
				w.within(time.Minute, "fair shares", w.fair)
				pass(alive)
				w.all()[1].kill()
				took := w.within(ttl+slack, "all served", w.allServed)
				assert.Greater(w, took, ttl/3)
				w.within(time.Minute, "fair shares", w.fair)
			})
		})
	}
}

// D63: a process that announced itself and died is counted until its announcement ends;
// what would have been its share is taken one second after it was seen free.
func TestWhatNobodyTakesIsTakenASecondLater(t *testing.T) {
	in(t, 64, func(w *world) {
		w.start("a")
		b := w.start("b")
		w.within(time.Minute, "fair shares", w.fair)
		ghost := w.start("ghost")
		pass(100 * time.Millisecond) // it has announced itself and has nothing yet
		ghost.kill()
		b.kill()
		w.within(ttl+time.Second+slack, "all served", w.allServed)
	})
}

// Who announced itself and died is given shards for once, which come back after a
// second; then not again while its announcement lasts.
func TestAGhostIsGivenShardsOnce(t *testing.T) {
	in(t, 64, func(w *world) {
		a := w.start("a")
		pass(time.Second)
		ghost := w.start("ghost")
		pass(100 * time.Millisecond) // it has announced itself
		ghost.kill()
		pass(2 * ttl)
		lost := seen[lease.Lost](a)
		require.Len(w, lost, 1)
		assert.Len(w, lost[0].Shards, 16)
		assert.True(w, w.allServed())
		assert.LessOrEqual(w, w.longest(), time.Second+slack)

		w.start("b")
		w.within(time.Minute, "fair shares", w.fair)
	})
}

// A new start of a process that was killed waits for its own old leases, which are
// another owner's, and takes them when they expire.
func TestARestartTakesOverFromItself(t *testing.T) {
	in(t, 64, func(w *world) {
		w.start("a")
		pass(time.Second)
		w.all()[0].kill()
		w.start("a")
		w.within(ttl+slack, "all served", w.allServed)
		assert.Len(w, w.all()[1].Held(), 64)
	})
}

// D63: more processes than shards: who has none lacks none, and is there when one dies.
func TestMoreProcessesThanShards(t *testing.T) {
	in(t, 3, func(w *world) {
		for i := range 5 {
			w.start(fmt.Sprint("p", i))
			pass(time.Second)
		}
		w.within(time.Minute, "fair shares", w.fair)
		pass(2 * ttl)
		for _, p := range w.all() {
			p.commands()
		}
		pass(ttl)
		for _, p := range w.all() {
			assert.LessOrEqual(w, len(p.commands()), 7, "%s rests", p.name)
			if len(p.Held()) == 1 {
				p.kill()
				break
			}
		}
		w.within(ttl+time.Second+slack, "all served", w.allServed)
	})
}

// D60: 16 at most are given in a pass also by who has far too much, and looks that come
// in between (here: something expires) are no pass.
func TestGivingIsPaced(t *testing.T) {
	in(t, 256, func(w *world) {
		a := w.start("a")
		pass(time.Second)
		w.start("b")
		began, most := time.Now(), 0
		for time.Since(began) < 30*time.Second {
			before := len(a.Held())
			pass(ttl / 3)
			most = max(most, before-len(a.Held()))
		}
		assert.Equal(w, 16, most)
	})
}

// SH1 and D58 in the service: 8 that start at once over one store never believe in the
// same shard, and share in the end. The fences tell that each shard changed hands.
func TestManyStartAtOnce(t *testing.T) {
	in(t, 64, func(w *world) {
		for i := range 8 {
			w.start(fmt.Sprint("p", i))
		}
		w.within(time.Minute, "fair shares", w.fair)
		survey, err := w.data.Survey(w.Context())
		require.NoError(w, err)
		for _, l := range survey.Leases {
			assert.Positive(w, l.Fence)
		}
	})
}
