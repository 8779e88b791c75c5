package relay_test

import (
	"context"
	"fmt"
	"slices"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/durachart/durachart/relay"
	"github.com/durachart/durachart/store"
)

// story runs a test in a bubble, where time passes when everything waits.
func story(t *testing.T, limits store.Limits, f func(*testing.T, *world)) {
	synctest.Test(t, func(t *testing.T) { f(t, newWorld(t, limits)) })
}

// after lets d pass and everything come to rest.
func after(d time.Duration) {
	time.Sleep(d)
	synctest.Wait()
}

func TestWhatACommitEmittedIsDeliveredAtOnceAndAcknowledged(t *testing.T) {
	story(t, store.Limits{}, func(t *testing.T, w *world) {
		w.create("a", "b")
		p := w.process()
		p.relay.Committed(w.step("a", emits("b", "e1", "e2", "e3")))
		after(0)
		assert.Equal(t, []string{"e1", "e2", "e3"}, w.applied("b"))
		assert.Equal(t, []string{"b e1 e2 e3"}, p.noted(), "as one group")
		assert.Empty(t, w.outbox("a"))
		assert.Zero(t, p.relay.Pending())
		p.kill()
	})
}

// A runtime commits as soon as it is ready, which may be before its relay runs. If
// such hand-overs were forgotten, later ones would overtake them (D44), and the first
// child of a process would wait for the grace.
func TestWhatIsCommittedBeforeRunIsDeliveredFirst(t *testing.T) {
	for _, memory := range []int{0, 1} { // all of it is kept; it has to be read
		story(t, store.Limits{}, func(t *testing.T, w *world) {
			w.create("a", "b")
			p := w.idleProcess(func(_ *process, c *relay.Config) { c.Memory = memory })
			p.relay.Committed(w.step("a", emits("b", "e1", "e2")))
			p.relay.Committed(w.step("a", emits("b", "e3")))
			p.run()
			p.relay.Committed(w.step("a", emits("b", "e4")))
			after(0)
			assert.Equal(t, []string{"e1", "e2", "e3", "e4"}, w.applied("b"))
			p.kill()
		})
	}
}

func TestATargetThatAnotherProcessRunsGetsAPush(t *testing.T) {
	story(t, store.Limits{}, func(t *testing.T, w *world) {
		w.create("a", "b")
		p := w.process(owning(func(id string) bool { return id == "a" }))
		p.relay.Committed(w.step("a", emits("b", "e1", "e2")))
		after(0)
		assert.Equal(t, []string{"e1", "e2"}, w.inbox("b"))
		assert.Empty(t, p.noted())
		assert.Empty(t, w.outbox("a"))
		assert.Equal(t, "a", w.load("b").Inbox[0].From)
		p.kill()
	})
}

func TestATargetThatHasJustBeenLostGetsAPush(t *testing.T) {
	story(t, store.Limits{}, func(t *testing.T, w *world) {
		w.create("a", "b")
		p := w.process()
		p.delivers(func(context.Context, string, []store.InboxEntry) (int, error) { return 0, relay.ErrNotOwned })
		p.relay.Committed(w.step("a", emits("b", "e1")))
		after(0)
		assert.Equal(t, []string{"e1"}, w.inbox("b"))
		assert.Empty(t, w.outbox("a"))
		p.kill()
	})
}

func TestWhatAProcessLeftIsFoundByAPollAfterItsGrace(t *testing.T) {
	story(t, store.Limits{}, func(t *testing.T, w *world) {
		w.create("a", "b")
		w.step("a", emits("b", "e1", "e2")) // and the process dies
		p := w.process()
		after(4 * time.Second)
		assert.Empty(t, w.applied("b"), "the first right is another's")
		after(4 * time.Second)
		assert.Equal(t, []string{"e1", "e2"}, w.applied("b"))
		assert.Empty(t, w.outbox("a"))
		p.kill()
	})
}

func TestMoreThanAPollPageCarriesIsReadUntilNothingIsLeft(t *testing.T) {
	story(t, store.Limits{}, func(t *testing.T, w *world) {
		w.create("a", "b")
		var ids []string
		for i := range 200 {
			ids = append(ids, fmt.Sprintf("e%03d", i))
		}
		w.step("a", emits("b", ids...))
		p := w.process(func(p *process, _ *relay.Config) {
			p.deliver = func(ctx context.Context, target string, events []store.InboxEntry) (int, error) {
				time.Sleep(time.Second)
				for i, e := range events {
					if err := p.apply(ctx, target, e.ID); err != nil {
						return i, err
					}
				}
				return len(events), nil
			}
		})
		after(5500 * time.Millisecond) // the first page is on its way
		p.relay.Committed(w.step("a", emits("b", "new")))
		ids = append(ids, "new")
		after(20 * time.Second)
		assert.Equal(t, ids, w.applied("b"), "what is handed over meanwhile comes last")
		assert.Empty(t, w.outbox("a"))
		p.kill()
	})
}

func TestAPageFullOfOneShardDoesNotHideTheOthers(t *testing.T) {
	story(t, store.Limits{}, func(t *testing.T, w *world) {
		// Ten sources in each of several shards, and pages of three.
		w.create("b")
		var want []string
		for i := range 200 {
			id := fmt.Sprintf("s%d", i)
			if store.ShardOf(id, store.DefaultShards)%16 != 0 {
				continue
			}
			w.create(id)
			w.step(id, emits("b", "from-"+id))
			want = append(want, "from-"+id)
		}
		p := w.process(func(_ *process, c *relay.Config) { c.Page = 3 })
		after(10 * time.Second)
		assert.ElementsMatch(t, want, w.applied("b"))
		p.kill()
	})
}

func TestNothingOvertakesWhatAnEarlierOwnerLeft(t *testing.T) {
	story(t, store.Limits{}, func(t *testing.T, w *world) {
		w.create("a", "b")
		w.step("a", emits("b", "e1"))
		p := w.process()
		h := w.step("a", emits("b", "e2"))
		h.Behind = true // the runtime loaded "a" with an entry waiting
		p.relay.Committed(h)
		p.relay.Committed(w.step("a", emits("b", "e3")))
		after(0)
		assert.Equal(t, []string{"e1", "e2", "e3"}, w.applied("b"))
		assert.Empty(t, w.outbox("a"))
		p.kill()
	})
}

func TestWhatDoesNotFitInMemoryIsReadLaterInOrder(t *testing.T) {
	story(t, store.Limits{}, func(t *testing.T, w *world) {
		w.create("a", "c", "b")
		p := w.process(func(_ *process, c *relay.Config) { c.Memory = 4 })
		var want []string
		for i := range 30 {
			p.relay.Committed(w.step("a", emits("b", fmt.Sprintf("a%02d.1", i), fmt.Sprintf("a%02d.2", i))))
			p.relay.Committed(w.step("c", emits("b", fmt.Sprintf("c%02d", i))))
			want = append(want, fmt.Sprintf("a%02d.1", i), fmt.Sprintf("a%02d.2", i))
		}
		after(time.Minute)
		applied := w.applied("b")
		assert.Len(t, applied, 90)
		fromA := slices.DeleteFunc(slices.Clone(applied), func(id string) bool { return id[0] != 'a' })
		fromC := slices.DeleteFunc(slices.Clone(applied), func(id string) bool { return id[0] != 'c' })
		assert.Equal(t, want, fromA)
		assert.True(t, slices.IsSorted(fromC))
		p.kill()
	})
}

func TestTheEndsOfManyChildrenReachTheParentInGroups(t *testing.T) {
	const children = 1000
	story(t, store.Limits{}, func(t *testing.T, w *world) {
		w.create("parent")
		p := w.process()
		p.delivers(func(_ context.Context, _ string, events []store.InboxEntry) (int, error) {
			time.Sleep(time.Millisecond) // the commit of the parent
			return len(events), nil
		})
		for i := range children {
			id := fmt.Sprintf("child-%d", i)
			w.create(id)
			p.relay.Committed(w.step(id, []store.Emit{report(id, "parent")}))
		}
		after(time.Minute)
		assert.LessOrEqual(t, len(p.noted()), children/64+2)
		p.kill()
	})
}

func TestTargetsDoNotWaitForEachOther(t *testing.T) {
	story(t, store.Limits{}, func(t *testing.T, w *world) {
		w.create("a", "slow", "quick")
		p := w.process()
		p.delivers(func(ctx context.Context, target string, events []store.InboxEntry) (int, error) {
			if target == "slow" {
				<-ctx.Done()
				return 0, ctx.Err()
			}
			return len(events), nil
		})
		p.relay.Committed(w.step("a", append(emits("slow", "e1"), emits("quick", "e2")...)))
		after(time.Second)
		assert.Len(t, w.outbox("a"), 1)
		p.kill()
	})
}

func TestAControlOperationIsCarriedOutInOrderWithEvents(t *testing.T) {
	story(t, store.Limits{}, func(t *testing.T, w *world) {
		w.create("a", "child")
		p := w.process(owning(func(id string) bool { return id == "a" }))
		p.relay.Committed(w.step("a", []store.Emit{
			emit("child", "e1"),
			{Kind: store.EmitControl, TargetID: "child", ID: "child:stop", Event: []byte(`{"name":"$stop"}`)},
		}))
		after(0)
		assert.Equal(t, []string{"e1"}, w.inbox("child"))
		assert.Equal(t, []string{"control child child:stop"}, p.noted(), "not owned, and carried out all the same")
		assert.Equal(t, []string{"child:stop"}, w.applied("child"))
		assert.Empty(t, w.outbox("a"))
		p.kill()
	})
}

func TestEventsWithoutTargetGoToTheSink(t *testing.T) {
	story(t, store.Limits{}, func(t *testing.T, w *world) {
		w.create("a")
		var got []string
		p := w.process(func(_ *process, c *relay.Config) {
			c.Sink = func(_ context.Context, source string, e store.OutboxEntry) error {
				got = append(got, source+" "+e.ID)
				return nil
			}
		})
		p.relay.Committed(w.step("a", emits("", "e1", "e2")))
		after(0)
		assert.Equal(t, []string{"a e1", "a e2"}, got)
		assert.Empty(t, w.outbox("a"))
		p.kill()
	})
}

func TestAfterItsGraceAnEntryOfAnotherOwnerIsLeftToIt(t *testing.T) {
	story(t, store.Limits{}, func(t *testing.T, w *world) {
		w.create("a", "b")
		var lost atomic.Bool
		p := w.process(owning(func(string) bool { return !lost.Load() }))
		p.delivers(func(ctx context.Context, _ string, _ []store.InboxEntry) (int, error) {
			time.Sleep(10 * time.Second)
			return 0, relay.ErrNotOwned
		})
		p.relay.Committed(w.step("a", emits("b", "e1")))
		p.relay.Committed(w.step("a", emits("b", "e2")))
		after(time.Second)
		lost.Store(true) // the shards went to another process, which has been stopped so far
		after(20 * time.Second)
		assert.Empty(t, w.inbox("b"))
		assert.Len(t, w.outbox("a"), 2)
		assert.Zero(t, p.relay.Pending())
		p.kill()
	})
}

func TestRunMayBeCalledOnceAndEndsWithItsContext(t *testing.T) {
	story(t, store.Limits{}, func(t *testing.T, w *world) {
		w.create("a", "b")
		p := w.process()
		after(0)
		require.ErrorIs(t, p.relay.Run(t.Context()), relay.ErrRunning)

		p.delivers(func(ctx context.Context, _ string, _ []store.InboxEntry) (int, error) {
			<-ctx.Done()
			return 0, ctx.Err()
		})
		p.relay.Committed(w.step("a", emits("b", "e1")))
		after(0)
		p.kill() // returns although a delivery was under way
		assert.Len(t, w.outbox("a"), 1)
		p.relay.Committed(w.step("a", emits("b", "e2")))
		assert.Zero(t, p.relay.Pending(), "after Run a hand-over is forgotten")
	})
}

func TestWaitIdleWaitsForWhatIsInTheStoreToo(t *testing.T) {
	story(t, store.Limits{}, func(t *testing.T, w *world) {
		w.create("a", "b", "c")
		w.step("a", emits("b", "e1")) // of a process that is gone
		p := w.process()
		p.relay.Committed(w.step("c", emits("b", "e2")))
		start := time.Now()
		require.NoError(t, p.relay.WaitIdle(t.Context()))
		assert.GreaterOrEqual(t, time.Since(start), 5*time.Second)
		assert.ElementsMatch(t, []string{"e1", "e2"}, w.applied("b"))

		p.delivers(func(context.Context, string, []store.InboxEntry) (int, error) { return 0, store.ErrBackpressure })
		p.relay.Committed(w.step("c", emits("b", "e3")))
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		assert.ErrorIs(t, p.relay.WaitIdle(ctx), context.DeadlineExceeded)
		p.kill()
	})
}

func TestLagIsTheAgeOfTheOldestDueEntry(t *testing.T) {
	story(t, store.Limits{}, func(t *testing.T, w *world) {
		w.create("a", "b")
		w.step("a", emits("b", "e1"), spawn("child"))
		p := w.process(func(_ *process, c *relay.Config) { c.Shards = func() []int { return nil } })
		lag, err := p.relay.Lag(t.Context())
		require.NoError(t, err)
		assert.Zero(t, lag)
		p.kill()

		p = w.process(func(p *process, _ *relay.Config) {
			p.delivers(func(context.Context, string, []store.InboxEntry) (int, error) { return 0, store.ErrUnavailable })
			p.bears(func(relay.Birth) (store.Creation, error) { return store.Creation{}, store.ErrUnavailable })
		})
		after(15 * time.Second) // 5 s of grace
		lag, err = p.relay.Lag(t.Context())
		require.NoError(t, err)
		assert.Equal(t, relay.Lag{Outbox: 10 * time.Second, Spawns: 10 * time.Second}, lag)
		p.kill()
	})
}
