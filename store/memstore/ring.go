package memstore

import "hash/maphash"

// seed makes the hashes of the ring. It never leaves the process.
var seed = maphash.MakeSeed()

// idRing is the dedupe ring: the event ids handled last, the oldest overwritten
// first. Looking for an id compares hashes, which lie side by side in memory, and
// touches a text only on a hit: a commit looks through the whole ring.
type idRing struct {
	ids  []string
	sums []uint64
	next int // where the oldest is, once the ring is full
	size int // bytes of all ids
}

// has reports whether id is remembered.
func (r *idRing) has(id string) bool {
	if len(r.ids) == 0 {
		return false
	}
	sum := maphash.String(seed, id)
	for i, s := range r.sums {
		if s == sum && r.ids[i] == id {
			return true
		}
	}
	return false
}

// hasAny reports whether one of ids is remembered.
func (r *idRing) hasAny(ids []string) bool {
	for _, id := range ids {
		if r.has(id) {
			return true
		}
	}
	return false
}

// seen returns those of ids that are remembered, each once, in their order.
func (r *idRing) seen(ids []string) []string {
	var seen []string
next:
	for i, id := range ids {
		if !r.has(id) {
			continue
		}
		for _, earlier := range ids[:i] {
			if earlier == id {
				continue next
			}
		}
		seen = append(seen, id)
	}
	return seen
}

// add remembers id in a ring of most ids. A ring that held more, because the bound
// was larger before, forgets the oldest ones first.
func (r *idRing) add(id string, most int) {
	if len(r.ids) > most || len(r.ids) < most && r.next > 0 {
		r.resize(most)
	}
	r.size += len(id)
	sum := maphash.String(seed, id)
	if len(r.ids) < most {
		r.ids, r.sums = append(r.ids, id), append(r.sums, sum)
		return
	}
	r.size -= len(r.ids[r.next])
	r.ids[r.next], r.sums[r.next] = id, sum
	r.next = (r.next + 1) % len(r.ids)
}

// resize puts the ring in order, oldest first, and forgets what is too much.
func (r *idRing) resize(most int) {
	all := append(append([]string(nil), r.ids[r.next:]...), r.ids[:r.next]...)
	*r = idRing{}
	for _, id := range all[max(0, len(all)-most):] {
		r.add(id, most)
	}
}
