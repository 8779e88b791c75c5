package memstore

// dueKind is a kind of due work.
type dueKind int

const (
	dueInbox  dueKind = iota // the earliest date in the inbox
	dueOutbox                // the earliest date in the outbox
	dueSpawns                // the earliest date in the spawns
	dueTimer                 // the earliest timer
	dueExpiry                // when an ended execution may be deleted
	dueKinds
)

// dueHeap holds the records of a shard that have a date of one kind, the earliest
// at the root. Each record knows its place, so that a changed date costs O(log n)
// and an unchanged one nothing.
type dueHeap struct {
	kind dueKind
	recs []*record
}

// refresh brings the dates of r, and its places in the heaps, up to what its
// arrays and timers say. Every change of a record ends with it.
func (sh *shard) refresh(r *record) {
	var dates [dueKinds]instant
	dates[dueInbox], dates[dueOutbox], dates[dueSpawns], dates[dueTimer] = never, never, never, never
	for i := range r.inbox {
		dates[dueInbox] = earlier(dates[dueInbox], instantOf(r.inbox[i].At))
	}
	for i := range r.outbox {
		dates[dueOutbox] = earlier(dates[dueOutbox], instantOf(r.outbox[i].At))
	}
	for i := range r.spawns {
		dates[dueSpawns] = earlier(dates[dueSpawns], instantOf(r.spawns[i].At))
	}
	for i := range r.timers {
		dates[dueTimer] = earlier(dates[dueTimer], r.timers[i].due)
	}
	dates[dueExpiry] = r.expiresAt
	for kind, date := range dates {
		if date != r.due[kind] {
			sh.due[kind].put(r, date)
		}
	}
}

// forget takes r out of all heaps.
func (sh *shard) forget(r *record) {
	for kind := range sh.due {
		sh.due[kind].put(r, never)
	}
}

// put files r under date, or nowhere when that is never.
func (h *dueHeap) put(r *record, date instant) {
	i := int(r.pos[h.kind]) - 1
	switch {
	case i < 0 && date == never:
		r.due[h.kind] = never
	case i < 0:
		r.due[h.kind] = date
		h.recs = append(h.recs, r)
		h.up(h.place(len(h.recs)-1, r))
	case date == never:
		h.remove(i)
		r.due[h.kind], r.pos[h.kind] = never, 0
	default:
		r.due[h.kind] = date
		h.down(h.up(h.place(i, r)))
	}
}

func (h *dueHeap) remove(i int) {
	last := len(h.recs) - 1
	moved := h.recs[last]
	h.recs[last] = nil
	h.recs = h.recs[:last]
	if i < last {
		h.down(h.up(h.place(i, moved)))
	}
}

func (h *dueHeap) place(i int, r *record) int {
	h.recs[i] = r
	r.pos[h.kind] = int32(i) + 1
	return i
}

func (h *dueHeap) date(i int) instant { return h.recs[i].due[h.kind] }

func (h *dueHeap) up(i int) int {
	for i > 0 {
		parent := (i - 1) / 2
		if h.date(parent) <= h.date(i) {
			break
		}
		h.swap(i, parent)
		i = parent
	}
	return i
}

func (h *dueHeap) down(i int) int {
	for {
		child := 2*i + 1
		if child >= len(h.recs) {
			return i
		}
		if child+1 < len(h.recs) && h.date(child+1) < h.date(child) {
			child++
		}
		if h.date(i) <= h.date(child) {
			return i
		}
		h.swap(i, child)
		i = child
	}
}

func (h *dueHeap) swap(i, j int) {
	a, b := h.recs[i], h.recs[j]
	h.place(i, b)
	h.place(j, a)
}

// each calls visit with the records due at or before until, earliest first, until
// there are no more or visit returns false. It costs what it visits.
func (h *dueHeap) each(until instant, visit func(*record) bool) {
	if len(h.recs) == 0 || h.date(0) > until {
		return
	}
	earlier := func(i, j int) bool { return h.date(i) < h.date(j) }
	front := []int{0} // a heap of places, by the dates there
	for len(front) > 0 {
		i, last := front[0], len(front)-1
		front[0] = front[last]
		front = front[:last]
		siftDown(front, earlier)
		if !visit(h.recs[i]) {
			return
		}
		for child := 2*i + 1; child <= 2*i+2 && child < len(h.recs); child++ {
			if h.date(child) <= until {
				front = append(front, child)
				siftUp(front, earlier)
			}
		}
	}
}
