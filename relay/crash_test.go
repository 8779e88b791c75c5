package relay_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/durachart/durachart/relay"
	"github.com/durachart/durachart/store"
)

// everyCrash runs a flow, which takes less than span, once for each of its commands: a
// process that dies right after it, then one that lives. The last run is the one in which
// the first process did not die.
func everyCrash(t *testing.T, span time.Duration, set func(*process, *relay.Config), flow func(*testing.T, *world) relay.Handover, audit func(*testing.T, *world)) {
	for n, died := 0, true; died; n++ {
		story(t, store.Limits{}, func(t *testing.T, w *world) {
			h := flow(t, w)
			common := func(p *process, c *relay.Config) {
				c.PollMax = max(2*time.Second, span/100)
				set(p, c)
			}
			doomed := w.process(dyingAfter(n), common)
			doomed.relay.Committed(h)
			after(span)
			select {
			case <-doomed.db.died:
			default:
				died = false
			}
			doomed.kill()
			heir := w.process(common)
			after(span + 10*time.Second) // with the grace
			audit(t, w)
			assert.Zero(t, heir.relay.Pending())
			heir.kill()
			if t.Failed() {
				t.Logf("the first process died after %d commands", n)
				died = false
			}
		})
	}
}

func TestEmitSurvivesACrashAfterEachCommand(t *testing.T) {
	for name, owns := range map[string]func(string) bool{"local": everything, "pushed": func(id string) bool { return id == "a" }} {
		t.Run(name, func(t *testing.T) {
			everyCrash(t, 5*time.Second,
				func(p *process, _ *relay.Config) { p.owns = owns },
				func(_ *testing.T, w *world) relay.Handover {
					w.create("a", "b", "c")
					return w.step("a", slices.Concat(emits("b", "e1", "e2"), emits("c", "e3"), emits("b", "e4")))
				},
				func(t *testing.T, w *world) {
					reached := w.applied
					if name == "pushed" {
						reached = w.inbox
					}
					assert.Equal(t, []string{"e1", "e2", "e4"}, reached("b"))
					assert.Equal(t, []string{"e3"}, reached("c"))
					assert.Empty(t, w.outbox("a"))
				})
		})
	}
}

func TestAFailingDeliverySurvivesACrashAfterEachCommand(t *testing.T) {
	everyCrash(t, 20*time.Second,
		func(p *process, c *relay.Config) {
			c.Attempts = 4
			p.deliver = func(ctx context.Context, target string, events []store.InboxEntry) (int, error) {
				if events[0].ID == "bad" {
					return 0, errors.New("no")
				}
				if err := p.apply(ctx, target, events[0].ID); err != nil {
					return 0, err
				}
				return 1, nil
			}
		},
		func(_ *testing.T, w *world) relay.Handover {
			w.create("a", "b")
			return w.step("a", slices.Concat(emits("b", "bad", "e2"), emits("nobody", "e3")))
		},
		func(t *testing.T, w *world) {
			assert.Equal(t, []string{"b bad attempts", "nobody e3 not_found"}, w.letters())
			assert.Equal(t, []string{"e2"}, w.applied("b"))
			assert.Empty(t, w.outbox("a"))
		})
}

func TestSpawnAndEndOfAChildSurviveACrashAfterEachCommand(t *testing.T) {
	everyCrash(t, 5*time.Second,
		func(p *process, _ *relay.Config) {
			p.child = func(b relay.Birth) (store.Creation, error) {
				switch b.ChildID {
				case "taken":
					return newborn(b), nil
				case "hopeless":
					return store.Creation{}, store.ErrTooLarge
				}
				return finished(b), nil
			}
		},
		func(_ *testing.T, w *world) relay.Handover {
			w.create("a", "taken")
			return w.step("a", emits("c1", "for-c1"), spawn("c1"), spawn("taken"), spawn("hopeless"), spawn("c2"))
		},
		func(t *testing.T, w *world) {
			told := w.applied("a")
			slices.Sort(told)
			assert.Equal(t, []string{"c1:finished", "c2:finished", "hopeless:finished", "taken:finished"}, told)
			assert.Equal(t, []string{"c1 for-c1 ended", "hopeless  invalid", "taken  id_taken"}, w.letters())
			for _, id := range []string{"a", "c1", "c2"} {
				assert.Empty(t, w.outbox(id))
			}
			assert.Empty(t, w.spawns("a"))
			assert.Equal(t, "a", w.load("c1").ParentID)
		})
}

// TestNothingIsLostDoubledOrReordered runs random steps in two processes whose shares
// change, kills them at random commands, and checks what the executions have applied
// (P1, P4, P6, P8).
func TestNothingIsLostDoubledOrReordered(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		synctest.Test(t, func(t *testing.T) {
			w := newWorld(t, store.Limits{PollEntries: 3, InboxEntries: 20})
			sources := []string{"s0", "s1", "s2"}
			targets := []string{"t0", "t1", "t2", "t3"}
			w.create(slices.Concat(sources, targets)...)

			// split decides who owns what: bit i of it is the owner of the i-th execution.
			var split atomic.Uint32
			owner := func(id string) int {
				i := slices.Index(slices.Concat(sources, targets), id)
				return int(split.Load()>>max(0, i)) & 1
			}
			start := func(n int) *process {
				dies := rapid.IntRange(0, 300).Draw(rt, "dies after")
				return w.process(dyingAfter(dies), owning(func(id string) bool { return owner(id) == n }), func(p *process, c *relay.Config) {
					c.Entries, c.Page, c.Batch = 3, 2, 4
					c.Memory = rapid.SampledFrom([]int{2, 10, 1000}).Draw(rt, "memory")
					p.child = func(b relay.Birth) (store.Creation, error) { return finished(b), nil }
					c.Shards = func() []int {
						all := make([]int, store.DefaultShards)
						for i := range all {
							all[i] = i
						}
						return all
					}
				})
			}
			processes := []*process{start(0), start(1)}

			var sent, children int
			want := map[string][]string{} // "<source> <target>" → event ids in order
			for range rapid.IntRange(1, 40).Draw(rt, "steps") {
				after(time.Duration(rapid.SampledFrom([]int{0, 1, 300, 7000}).Draw(rt, "pause")) * time.Millisecond)
				switch rapid.IntRange(0, 12).Draw(rt, "what") {
				case 0:
					n := rapid.IntRange(0, 1).Draw(rt, "killed")
					processes[n].kill()
					processes[n] = start(n)
					continue
				case 1:
					split.Store(rapid.Uint32().Draw(rt, "split"))
					continue
				}
				source := rapid.SampledFrom(sources).Draw(rt, "source")
				l := w.load(source)
				behind := l.OutboxLen+l.SpawnsLen > 0
				var es []store.Emit
				for range rapid.IntRange(0, 4).Draw(rt, "emits") {
					target := rapid.SampledFrom(append(targets, "nobody")).Draw(rt, "target")
					id := fmt.Sprintf("%s>%s#%d", source, target, sent)
					sent++
					es = append(es, emit(target, id))
					want[source+" "+target] = append(want[source+" "+target], id)
				}
				var spawns []store.Spawn
				for range rapid.IntRange(0, 2).Draw(rt, "spawns") {
					id := fmt.Sprintf("%s-child%d", source, children)
					children++
					spawns = append(spawns, spawn(id))
					want[id+" "+source] = []string{id + ":finished"}
				}
				h := w.step(source, es, spawns...)
				// The runtime knows what waits from its load; here each step is cold.
				h.Behind = behind
				if rapid.IntRange(0, 3).Draw(rt, "handed over") > 0 {
					processes[rapid.IntRange(0, 1).Draw(rt, "to")].relay.Committed(h)
				}
			}
			// Both die; then one that lives owns everything.
			processes[0].kill()
			processes[1].kill()
			heir := w.process(func(p *process, _ *relay.Config) {
				p.child = func(b relay.Birth) (store.Creation, error) { return finished(b), nil }
			})
			after(time.Minute)
			heir.kill()

			dead := map[string]bool{}
			for _, l := range w.letters() {
				target, rest, _ := strings.Cut(l, " ")
				id, _, _ := strings.Cut(rest, " ")
				require.Equal(t, "nobody", target, "only what has no target may die: %s", l)
				dead[id] = true
			}
			for pair, ids := range want {
				source, target, _ := strings.Cut(pair, " ")
				if target == "nobody" {
					for _, id := range ids {
						assert.True(t, dead[id], "%s is lost", id)
					}
					continue
				}
				// What was pushed is durable in the inbox, where the plain runtime leaves it.
				var got []string
				for _, id := range slices.Concat(w.inbox(target), w.applied(target)) {
					if slices.Contains(ids, id) {
						got = append(got, id)
					}
				}
				slices.Sort(got)
				sorted := slices.Sorted(slices.Values(ids))
				assert.Equal(t, sorted, slices.Compact(got), "from %s to %s", source, target)
				for _, list := range [][]string{w.inbox(target), w.applied(target)} {
					inOrder(t, ids, list)
				}
			}
			for _, id := range sources {
				assert.Empty(t, w.outbox(id))
				assert.Empty(t, w.spawns(id))
			}
		})
	})
}

// inOrder checks that what list has of ids is in their order and there once.
func inOrder(t *testing.T, ids, list []string) {
	last := -1
	for _, id := range list {
		i := slices.Index(ids, id)
		if i < 0 {
			continue
		}
		assert.Greater(t, i, last, "%s is doubled or out of order", id)
		last = i
	}
}
