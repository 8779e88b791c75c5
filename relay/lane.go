package relay

import (
	"encoding/json"
	"slices"

	"github.com/durachart/durachart/store"
)

// lane is what is on its way to one target, from all sources, in the order in which it
// was sent. One group of it is under way at a time, which keeps the order (D44) and
// makes the ends of many children one delivery.
type lane struct {
	target string
	kind   laneKind
	queue  []*parcel
	busy   bool // a group, or what its failure takes, is under way
	limit  int  // of the next group, while the target has little room
	push   bool // the runtime said that it does not run the target
}

type laneKind uint8

const (
	toTarget laneKind = iota
	toSink            // events without target; target is the source
)

// send puts p into the lane of its target.
func (r *Relay) send(p *parcel) {
	if p.Kind == store.EmitDead || p.TargetID == "" && r.cfg.Sink == nil {
		r.bury(p)
		return
	}
	p.stage = sent
	key, kind := p.TargetID, toTarget
	if key == "" {
		key, kind = "\x00"+p.from.id, toSink // no id contains a NUL (D10)
	}
	l := r.lanes[key]
	if l == nil {
		l = &lane{target: key, kind: kind, limit: r.cfg.Batch}
		r.lanes[key] = l
	}
	l.queue = append(l.queue, p)
	r.dispatch(l)
}

// dispatch starts the next group of l, unless one is under way.
func (r *Relay) dispatch(l *lane) {
	if l.busy {
		return
	}
	if len(l.queue) == 0 {
		delete(r.lanes, l.target)
		return
	}
	l.busy = true
	head := l.queue[0]
	if l.kind == toSink || head.Kind == store.EmitControl || !l.push && r.cfg.Target.Owns(l.target) {
		r.local.Add(l)
	} else {
		r.pushes.Add(l)
	}
}

// release lets the next group of l go.
func (r *Relay) release(l *lane) {
	l.busy = false
	r.dispatch(l)
}

// group returns the first parcels of l that go together; they stay in the queue until
// they have arrived. It is empty if what is left belongs to somebody else now.
func (r *Relay) group(l *lane) []*parcel {
	now, n, size := r.now(), 0, 0
	for n < len(l.queue) && n < l.limit {
		p := l.queue[n]
		if p.dead == nil && (p.from.left || r.expired(p.from.id, p.At, now)) {
			r.withdraw(l, n)
			continue
		}
		single := l.kind == toSink || p.Kind == store.EmitControl
		size += len(p.Event)
		if n > 0 && (single || size > r.cfg.Bytes) {
			break
		}
		n++
		if single {
			break
		}
	}
	return slices.Clone(l.queue[:n])
}

// withdraw takes the parcel at i out of l and leaves its origin to its owner.
func (r *Relay) withdraw(l *lane, i int) {
	p := l.queue[i]
	l.queue = slices.Delete(l.queue, i, i+1)
	p.stage = waiting
	r.leave(p.from)
}

// inboxEntries is what the target gets of a group.
func (r *Relay) inboxEntries(group []*parcel) []store.InboxEntry {
	now := r.now()
	entries := make([]store.InboxEntry, len(group))
	for i, p := range group {
		entries[i] = store.InboxEntry{ID: p.ID, From: p.from.id, At: now, Event: p.Event}
		if p.dead != nil {
			entries[i].From = p.dead.ChildID
		}
	}
	return entries
}

// isReport reports whether the event of p is the report of a child's end (S58), for
// which an unknown or ended parent is no loss (D48).
func isReport(p *parcel) bool {
	if p.dead != nil {
		return true
	}
	var event struct {
		Name string `json:"name"`
	}
	return json.Unmarshal(p.Event, &event) == nil && event.Name == "$finished"
}
