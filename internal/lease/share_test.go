package lease

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"

	"github.com/durachart/durachart/store"
)

// surveyOf is a survey in which each owner has that many shards, the rest is free, and
// the workers have announced themselves.
func surveyOf(shards int, counts map[string]int, workers ...string) *store.Survey {
	s := &store.Survey{Leases: make([]store.Lease, shards)}
	next := 0
	for _, owner := range slices.Sorted(maps.Keys(counts)) {
		for range counts[owner] {
			s.Leases[next] = store.Lease{Shard: next, Owner: owner, Live: true}
			next++
		}
	}
	for ; next < shards; next++ {
		s.Leases[next] = store.Lease{Shard: next, Owner: "dead"}
	}
	for _, w := range workers {
		s.Workers = append(s.Workers, store.Worker{Owner: w, Live: true})
	}
	s.Workers = append(s.Workers, store.Worker{Owner: "dead"})
	return s
}

// D63, case by case: me has mine, and sees the others.
func TestShares(t *testing.T) {
	for _, c := range []struct {
		says    string
		shards  int
		mine    int
		others  map[string]int
		workers []string

		limit, surplus int
		lacking        bool
	}{
		{says: "alone with nothing", shards: 256, limit: 256, lacking: true},
		{says: "alone with all", shards: 256, mine: 256, limit: 256},
		{says: "the dead do not count", shards: 256, mine: 100, limit: 256, lacking: true},
		{says: "one who announced itself counts", shards: 256, workers: []string{"b"}, limit: 128, lacking: true},
		{says: "its own announcement does not count twice", shards: 256, workers: []string{"me"}, limit: 256, lacking: true},
		{says: "another comes: 16 at most", shards: 256, mine: 256, workers: []string{"b"}, limit: 128, surplus: 16},
		{says: "no more than it lacks", shards: 256, mine: 140, others: map[string]int{"b": 116}, workers: []string{"b"}, limit: 128, surplus: 12},
		{says: "not to who does not want", shards: 256, mine: 140, others: map[string]int{"b": 116}, limit: 128},
		{says: "who lacks says so", shards: 256, mine: 116, others: map[string]int{"b": 140}, limit: 128, lacking: true},
		{says: "what does not divide: nobody lacks", shards: 256, mine: 85, others: map[string]int{"b": 86, "c": 85}, limit: 86},
		{says: "what does not divide: one lacks, I have one too many", shards: 256, mine: 86, others: map[string]int{"b": 86, "c": 84},
			workers: []string{"c"}, limit: 85, surplus: 1},
		{says: "room is left for who lacks", shards: 256, mine: 85, others: map[string]int{"b": 85, "c": 40}, workers: []string{"c"}, limit: 85},
		{says: "one has more than anybody should, nobody less", shards: 5, mine: 1, others: map[string]int{"b": 3, "c": 1}, limit: 2, lacking: true},
		{says: "and gives it back", shards: 5, mine: 3, others: map[string]int{"b": 1, "c": 1}, workers: []string{"b"}, limit: 2, surplus: 1},
		{says: "more processes than shards", shards: 2, others: map[string]int{"b": 1, "c": 1}, limit: 1},
		{says: "more processes than shards, one has two", shards: 2, others: map[string]int{"b": 2}, workers: []string{"c"}, limit: 1, lacking: true},
	} {
		counts := map[string]int{"me": c.mine}
		maps.Copy(counts, c.others)
		sh := sharesOf(surveyOf(c.shards, counts, c.workers...), "me", c.mine)
		assert.Equal(t, c.limit, sh.limit(), "limit: %s", c.says)
		assert.Equal(t, c.surplus, sh.surplus(), "surplus: %s", c.says)
		assert.Equal(t, c.lacking, sh.lacking(), "lacking: %s", c.says)
	}
}

// Whatever the start, processes that look one after another come to fair shares, and
// then nobody lacks shards, so nobody announces itself.
func TestSharesConverge(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		shards := rapid.IntRange(1, 60).Draw(t, "shards")
		n := rapid.IntRange(1, 7).Draw(t, "processes")
		counts, free := map[string]int{}, shards
		var names []string
		for i := range n {
			name := fmt.Sprint("p", i)
			names = append(names, name)
			counts[name] = rapid.IntRange(0, free).Draw(t, name)
			free -= counts[name]
		}
		wants := map[string]bool{}
		for _, name := range names {
			wants[name] = true // as whoever starts does
		}
		for range 10 * n {
			for _, name := range rapid.Permutation(names).Draw(t, "order") {
				var workers []string
				for w, is := range wants {
					if is {
						workers = append(workers, w)
					}
				}
				sh := sharesOf(surveyOf(shards, counts, workers...), name, counts[name])
				taken := max(0, min(free, sh.limit()-counts[name]))
				sh.counts[name] += taken
				given := sh.surplus()
				counts[name] += taken - given
				free -= taken - given
				wants[name] = sh.lacking()
			}
		}
		for _, name := range names {
			assert.GreaterOrEqual(t, counts[name], shards/n)
			assert.LessOrEqual(t, counts[name], (shards+n-1)/n)
			assert.False(t, wants[name])
		}
		assert.Zero(t, free)
	})
}

// Those who take at the same time begin at different ends.
func TestSidesDiffer(t *testing.T) {
	free := []int{1, 3, 5, 7, 9}
	var firsts []int
	for _, me := range []string{"a", "b", "c"} {
		sh := sharesOf(surveyOf(5, nil, "a", "b", "c"), me, 0)
		side := sh.mySide(free)
		assert.ElementsMatch(t, free, side)
		firsts = append(firsts, side[0])
	}
	assert.Equal(t, []int{1, 3, 7}, firsts)
	assert.Equal(t, []int{1, 3, 5, 7, 9}, free)
}
