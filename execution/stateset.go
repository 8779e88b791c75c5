package execution

import (
	"math/bits"

	"github.com/durachart/durachart/statechart"
)

// stateSet is a set of states of one chart, by index, which is document order.
type stateSet []uint64

func (b stateSet) has(s *statechart.State) bool { return b[s.Index>>6]&(1<<(s.Index&63)) != 0 }
func (b stateSet) add(s *statechart.State)      { b[s.Index>>6] |= 1 << (s.Index & 63) }
func (b stateSet) remove(s *statechart.State)   { b[s.Index>>6] &^= 1 << (s.Index & 63) }

// next returns the smallest member that is at least i, or -1.
func (b stateSet) next(i int) int {
	w := i >> 6
	if w >= len(b) {
		return -1
	}
	word := b[w] &^ (1<<(i&63) - 1)
	for word == 0 {
		if w++; w == len(b) {
			return -1
		}
		word = b[w]
	}
	return w<<6 + bits.TrailingZeros64(word)
}

// prev returns the largest member that is at most i, or -1.
func (b stateSet) prev(i int) int {
	if i < 0 {
		return -1
	}
	w := i >> 6
	word := b[w] & (^uint64(0) >> (63 - i&63))
	for word == 0 {
		if w--; w < 0 {
			return -1
		}
		word = b[w]
	}
	return w<<6 + 63 - bits.LeadingZeros64(word)
}

// any reports whether a member lies in lo…hi.
func (b stateSet) any(lo, hi int) bool {
	i := b.next(lo)
	return i >= 0 && i <= hi
}

func (b stateSet) clear() {
	for i := range b {
		b[i] = 0
	}
}
