package statechart

import "fmt"

// hintLimit bounds the search for near names, which compares with every name: a
// file full of mistakes must still be checked in linear time.
const hintLimit = 50

// didYouMean returns a hint with the candidate that is nearest to name, or "".
func (s *session) didYouMean(name string, candidates func(yield func(string) bool)) string {
	if s.hints++; s.hints > hintLimit {
		return ""
	}
	best, distance := "", min(len(name)/3+2, max(1, len(name)))
	for cand := range candidates {
		if d := editDistance(name, cand, distance); d < distance {
			best, distance = cand, d
		}
	}
	if best == "" {
		return ""
	}
	return fmt.Sprintf("did you mean %q?", best)
}

// editDistance counts insertions, deletions, replacements and swaps of neighbours
// between a and b, up to limit.
func editDistance(a, b string, limit int) int {
	if diff := len(a) - len(b); diff >= limit || -diff >= limit {
		return limit
	}
	before, prev, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range prev {
		prev[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		least := i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			row[j] = min(prev[j]+1, row[j-1]+1, prev[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
			least = min(least, row[j])
		}
		if least >= limit {
			return limit
		}
		before, prev, row = prev, row, before
	}
	return min(prev[len(b)], limit)
}
