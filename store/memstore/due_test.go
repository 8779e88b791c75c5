package memstore

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// D37: whatever dates come and go, a heap gives exactly what is due, earliest first.
func TestDueHeapGivesWhatIsDue(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		sh := &shard{}
		const kind = dueTimer
		sh.due[kind].kind = kind
		model := map[*record]instant{}
		var all []*record
		for range rapid.IntRange(1, 60).Draw(t, "operations") {
			var r *record
			if len(all) == 0 || rapid.Bool().Draw(t, "new") {
				r = &record{id: fmt.Sprint(len(all))}
				r.due = [dueKinds]instant{never, never, never, never, never}
				all = append(all, r)
			} else {
				r = rapid.SampledFrom(all).Draw(t, "record")
			}
			date := instant(rapid.IntRange(-1, 9).Draw(t, "date"))
			sh.due[kind].put(r, date)
			model[r] = date
		}
		until := instant(rapid.IntRange(-1, 9).Draw(t, "until"))
		var want, got []instant
		for _, date := range model {
			if date != never && date <= until {
				want = append(want, date)
			}
		}
		slices.Sort(want)
		seen := map[*record]bool{}
		sh.due[kind].each(until, func(r *record) bool {
			require.False(t, seen[r], "once")
			seen[r] = true
			require.Equal(t, model[r], r.due[kind])
			got = append(got, r.due[kind])
			return true
		})
		require.Equal(t, want, got)
		sh.forget(all[0])
		require.Zero(t, all[0].pos[kind])
	})
}

// What visits fewer costs less: a visit that stops sees no more.
func TestDueHeapStops(t *testing.T) {
	var h dueHeap
	for i := range 100 {
		h.put(&record{due: [dueKinds]instant{never}}, instant(100-i))
	}
	visits := 0
	h.each(1000, func(r *record) bool {
		visits++
		require.Equal(t, instant(visits), r.due[dueInbox])
		return visits < 10
	})
	require.Equal(t, 10, visits)
}

// best keeps the first of any order, whatever comes when.
func TestBestKeepsTheFirst(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		numbers := rapid.SliceOf(rapid.IntRange(0, 20)).Draw(t, "numbers")
		limit := rapid.IntRange(1, 10).Draw(t, "limit")
		first := best[int]{limit: limit, less: func(a, b int) bool { return a < b }}
		for _, n := range numbers {
			if first.wants(n) {
				first.offer(n)
			}
		}
		slices.Sort(numbers)
		require.Equal(t, append([]int{}, numbers[:min(limit, len(numbers))]...), append([]int{}, first.sorted()...))
	})
}

// P4: the ring remembers the last ids, also when its bound changes between two adds.
func TestRingRemembersTheLast(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var ring idRing
		var model []string
		for n := range rapid.IntRange(0, 80).Draw(t, "adds") {
			most := rapid.SampledFrom([]int{16, 16, 16, 20, 32}).Draw(t, "most")
			id := fmt.Sprint("id", n)
			ring.add(id, most)
			model = append(model, id)
			model = model[max(0, len(model)-most):]
		}
		size := 0
		for _, id := range model {
			require.True(t, ring.has(id), id)
			size += len(id)
		}
		require.Len(t, ring.ids, len(model))
		require.Equal(t, size, ring.size)
		require.Equal(t, model, ring.seen(model))
		require.False(t, ring.has("unknown"))
		if len(model) > 0 {
			require.Equal(t, model[:1], ring.seen([]string{"unknown", model[0], model[0]}))
		}
	})
}
