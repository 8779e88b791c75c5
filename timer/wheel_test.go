package timer

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"
)

// TestTheWheelAgreesWithASortedList runs random inserts, removals, cuts and advances
// on the wheel and on a list that is sorted by tick.
func TestTheWheelAgreesWithASortedList(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		start := rapid.Int64Range(0, 1<<41).Draw(t, "start")
		w := newWheel(time.UnixMilli(start))
		var model []*node
		now := start
		distance := rapid.OneOf(
			rapid.Int64Range(-5, 5), rapid.Int64Range(0, 300), rapid.Int64Range(0, 70_000), rapid.Int64Range(0, 1<<36),
		)
		t.Repeat(map[string]func(*rapid.T){
			"insert": func(t *rapid.T) {
				n := &node{tick: max(0, now+distance.Draw(t, "distance"))}
				assert.Equal(t, n.tick > now, w.insert(n))
				if n.tick > now {
					model = append(model, n)
				}
			},
			"remove": func(t *rapid.T) {
				if len(model) == 0 {
					t.Skip("nothing to remove")
				}
				i := rapid.IntRange(0, len(model)-1).Draw(t, "which")
				w.remove(model[i])
				model = slices.Delete(model, i, i+1)
			},
			"cut": func(t *rapid.T) {
				keep := rapid.IntRange(0, len(model)).Draw(t, "keep")
				var out []*node
				from := w.cut(keep, func(n *node) { out = append(out, n) })
				assert.Equal(t, keep, w.count)
				kept := model[:0]
				for _, n := range model {
					if slices.Contains(out, n) {
						assert.GreaterOrEqual(t, n.tick, from)
						continue
					}
					kept = append(kept, n)
					if len(out) > 0 {
						assert.LessOrEqual(t, n.tick, from)
					}
				}
				model = kept
			},
			"advance": func(t *rapid.T) {
				to := now + max(0, distance.Draw(t, "distance"))
				var got, want []int64
				w.advance(to, func(n *node) { got = append(got, n.tick) })
				kept := model[:0]
				for _, n := range model {
					if n.tick <= to {
						want = append(want, n.tick)
						continue
					}
					kept = append(kept, n)
				}
				model, now = kept, to
				slices.Sort(want)
				assert.Equal(t, want, got)
			},
			"": func(t *rapid.T) {
				assert.Equal(t, len(model), w.count)
				next, some := w.next()
				assert.Equal(t, len(model) > 0, some)
				if some {
					first := slices.MinFunc(model, func(a, b *node) int { return int(a.tick - b.tick) }).tick
					assert.LessOrEqual(t, next, first, "never late")
					assert.Greater(t, next, now, "always ahead")
				}
			},
		})
	})
}

func TestAMillionTimersMoveAFewTimesEach(t *testing.T) {
	const timers = 1_000_000
	start := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	w := newWheel(start)
	nodes := make([]node, timers)
	for i := range nodes {
		nodes[i].tick = start.UnixMilli() + 1 + int64(i)*3_600_000/timers // one hour
		w.insert(&nodes[i])
	}
	out, last := 0, int64(0)
	for w.count > 0 {
		next, _ := w.next()
		w.advance(next, func(n *node) {
			if n.tick < last {
				t.Fatal("out of order")
			}
			last = n.tick
			out++
		})
	}
	assert.Equal(t, timers, out)
}

func BenchmarkWheelInsertAndRemove(b *testing.B) {
	w := newWheel(time.UnixMilli(0))
	nodes := make([]node, 1_000_000)
	for i := range nodes {
		nodes[i].tick = int64(i%120_000) + 1
		w.insert(&nodes[i])
	}
	b.ReportAllocs()
	i := 0
	for b.Loop() {
		n := &nodes[i%len(nodes)]
		w.remove(n)
		w.insert(n)
		i++
	}
}
