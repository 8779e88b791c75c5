package timer

import (
	"cmp"
	"math/bits"
	"slices"
	"time"
)

// The wheel has six rings of 256 slots. Ring k turns once in 256^(k+1) milliseconds,
// so together they cover more years than dates have (D11): there is no overflow list
// and no wrap-around.
const (
	rings    = 6
	slotBits = 8
	slots    = 1 << slotBits
)

// node is a timer in a wheel. The wheel owns its fields but for what is under "service".
type node struct {
	tick       int64 // when it leaves the wheel: milliseconds since 1970
	next, prev *node // in its slot; nil outside
	ring, slot int   // where it is

	// Of the service.
	rec      *record
	name     string
	due      int64 // milliseconds since 1970; tick is later after a failed fire
	state    state
	index    int // in the queue of due timers
	attempts int
}

// wheel keeps nodes by tick: insert and remove take constant time, and a node moves
// at most once per ring on its way to the front. It is not safe for concurrent use.
//
// A node is in the ring of the highest byte in which its tick differs from now, in the
// slot that this byte names. So all nodes of one slot share the higher bytes, and
// whatever is in a lower ring is earlier than what is in a higher one.
//
// Invariant: every node in the wheel has tick > now.
type wheel struct {
	now   int64
	count int
	heads [rings][slots]*node
	used  [rings][slots / 64]uint64 // bit s: slot s is not empty
}

func newWheel(now time.Time) *wheel { return &wheel{now: now.UnixMilli()} }

// insert puts n into the wheel and reports whether it did; a node whose tick has come
// stays outside.
func (w *wheel) insert(n *node) bool {
	if n.tick <= w.now {
		return false
	}
	ring := (bits.Len64(uint64(n.tick^w.now)) - 1) / slotBits
	slot := int(n.tick>>(ring*slotBits)) & (slots - 1)
	head := w.heads[ring][slot]
	n.ring, n.slot = ring, slot
	n.next, n.prev = head, nil
	if head != nil {
		head.prev = n
	}
	w.heads[ring][slot] = n
	w.used[ring][slot/64] |= 1 << (slot % 64)
	w.count++
	return true
}

// remove takes n, which is in the wheel, out of it.
func (w *wheel) remove(n *node) {
	if n.next != nil {
		n.next.prev = n.prev
	}
	if n.prev != nil {
		n.prev.next = n.next
	} else {
		w.setHead(n.ring, n.slot, n.next)
	}
	n.next, n.prev = nil, nil
	w.count--
}

func (w *wheel) setHead(ring, slot int, n *node) {
	w.heads[ring][slot] = n
	if n == nil {
		w.used[ring][slot/64] &^= 1 << (slot % 64)
	}
}

// first returns the lowest ring that has a node, its first slot that has one, and the
// tick at which that slot begins.
func (w *wheel) first() (ring, slot int, begin int64, ok bool) {
	for ring := range rings {
		for word, set := range w.used[ring] {
			if set == 0 {
				continue
			}
			slot := word*64 + bits.TrailingZeros64(set)
			return ring, slot, w.begin(ring, slot), true
		}
	}
	return 0, 0, 0, false
}

// begin returns the tick at which a slot begins.
func (w *wheel) begin(ring, slot int) int64 {
	shift := ring * slotBits
	return w.now>>(shift+slotBits)<<(shift+slotBits) | int64(slot)<<shift
}

// advance moves to tick to and gives out every node whose tick has come, in the order
// of their ticks. The order within one millisecond is not defined.
func (w *wheel) advance(to int64, out func(*node)) {
	for {
		ring, slot, begin, ok := w.first()
		if !ok || begin > to {
			w.now = max(w.now, to)
			return
		}
		w.now = begin
		for n := w.drain(ring, slot); n != nil; {
			next := n.next
			n.next = nil
			if !w.insert(n) {
				out(n)
			}
			n = next
		}
	}
}

// drain empties a slot and returns its nodes, chained by next.
func (w *wheel) drain(ring, slot int) *node {
	head := w.heads[ring][slot]
	w.setHead(ring, slot, nil)
	for n := head; n != nil; n = n.next {
		n.prev = nil
		w.count--
	}
	return head
}

// next returns the tick before which nothing leaves the wheel: the first that does may
// be later.
func (w *wheel) next() (tick int64, ok bool) {
	_, _, begin, ok := w.first()
	return begin, ok
}

// cut takes the latest nodes out of the wheel until keep are left, and gives them out.
// It returns the earliest tick of those; what is left is not later. It is 0 if there was
// nothing to take. It costs a sort of one slot.
func (w *wheel) cut(keep int, out func(*node)) (from int64) {
	for w.count > keep {
		ring, slot := w.last()
		var latest []*node
		for n := w.drain(ring, slot); n != nil; n = n.next {
			latest = append(latest, n)
		}
		slices.SortFunc(latest, func(a, b *node) int { return cmp.Compare(a.tick, b.tick) })
		stay := max(0, keep-w.count)
		for _, n := range latest {
			n.next = nil
		}
		for _, n := range latest[:stay] {
			w.insert(n)
		}
		for _, n := range latest[stay:] {
			out(n)
		}
		from = latest[stay].tick
	}
	return from
}

// last returns the slot of the latest nodes; there must be one.
func (w *wheel) last() (ring, slot int) {
	for ring := rings - 1; ; ring-- {
		for word := len(w.used[ring]) - 1; word >= 0; word-- {
			if set := w.used[ring][word]; set != 0 {
				return ring, word*64 + bits.Len64(set) - 1
			}
		}
	}
}
