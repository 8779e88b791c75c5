package relay

import (
	"cmp"
	"slices"
	"time"

	"github.com/durachart/durachart/store"
)

// origin is an execution of whose outbox or spawns something is in hand.
type origin struct {
	id           string
	rootID       string
	definitionID string
	priority     int

	parcels []*parcel // by seq
	unborn  []*unborn // by seq

	// behind says that the store may hold entries that are not in hand. Nothing that
	// is handed over later is taken until they have been read, lest it overtakes them.
	behind  bool
	reading bool // a read is under way; nothing is sent off meanwhile
	left    bool // another process does what is not under way
}

// parcel is an outbox entry in hand, or, with dead set, the report of a spawn that is
// dead, which is in no outbox.
type parcel struct {
	store.OutboxEntry
	from *origin
	dead *unborn

	stage     stage
	notBefore time.Time // set after a failure
	sure      bool      // its target was looked for among the pending spawns
}

// stage says where a parcel is. It only goes forward, but for a failure, which puts a
// sent one back to waiting.
type stage uint8

const (
	waiting stage = iota // for an earlier parcel, a spawn, or a back-off
	sent                 // in a lane, or on its way to the dead letters
	arrived              // only its acknowledgement is missing
	gone                 // acknowledged
)

// step is the version of the commit that wrote entry seq (D7).
func step(seq int64) int64 { return seq >> 16 }

// origin returns the origin id, new if there is none.
func (r *Relay) origin(id, rootID, definitionID string, priority int) *origin {
	o := r.origins[id]
	if o == nil {
		o = &origin{id: id, rootID: cmp.Or(rootID, id), definitionID: definitionID, priority: priority}
		r.origins[id] = o
	}
	return o
}

// addParcel takes an entry in hand unless it is already. One that failed before waits
// for its date. A first attempt waits for nobody: who had the right to it has had it, or
// tries at the same time, which dedupe absorbs.
func (r *Relay) addParcel(o *origin, e store.OutboxEntry) {
	at, found := slices.BinarySearchFunc(o.parcels, e.Seq, func(p *parcel, seq int64) int { return cmp.Compare(p.Seq, seq) })
	if found {
		return
	}
	p := &parcel{OutboxEntry: e, from: o}
	if e.Attempts > 0 {
		r.hold(p, e.At)
	}
	o.parcels = slices.Insert(o.parcels, at, p)
	r.count++
}

// hold makes p wait until at.
func (r *Relay) hold(p *parcel, at time.Time) {
	p.stage, p.notBefore = waiting, at
	r.after(at.Sub(r.now()), func() { r.advance(p.from) })
}

// advance sends off what no longer waits: births that are due, then parcels whose turn
// it is (D44). It is called with mu held whenever something of o has changed.
func (r *Relay) advance(o *origin) {
	if o.reading || o.left {
		return
	}
	now := r.now()
	untried := r.startBirths(o, now)
	var blocked []string // targets for which an earlier parcel waits
	for _, p := range o.parcels {
		if p.stage != waiting || slices.Contains(blocked, p.TargetID) {
			continue
		}
		if untried != 0 && step(p.Seq) >= untried {
			break // the spawns of a step come before its outbox
		}
		if now.Before(p.notBefore) || o.expects(p.TargetID) {
			blocked = append(blocked, p.TargetID)
			continue
		}
		r.send(p)
	}
}

// expects reports whether id is a child that is yet to be created.
func (o *origin) expects(id string) bool {
	return id != "" && slices.ContainsFunc(o.unborn, func(u *unborn) bool { return !u.born && u.ChildID == id })
}

// tidy is called when something of o is no longer in hand: it goes on with the rest,
// reads what it is behind with, or drops the origin.
func (r *Relay) tidy(o *origin) {
	switch {
	case len(o.parcels)+len(o.unborn) > 0:
		r.advance(o)
	case o.behind && !o.left:
		r.catchUp(o)
	case !o.reading:
		delete(r.origins, o.id)
	}
}

// leave gives up what is in hand of o and not under way: the owner's poll will find it.
// All of it goes, for a later parcel must not be delivered while an earlier one waits
// for somebody else.
func (r *Relay) leave(o *origin) {
	o.left, o.behind = true, false
	before := len(o.parcels) + len(o.unborn)
	o.parcels = slices.DeleteFunc(o.parcels, func(p *parcel) bool { return p.stage == waiting })
	o.unborn = slices.DeleteFunc(o.unborn, func(u *unborn) bool { return !u.busy })
	r.forgot(before - len(o.parcels) - len(o.unborn))
	if len(o.parcels)+len(o.unborn) == 0 && !o.reading {
		delete(r.origins, o.id)
	}
}

// expired reports whether the right of the first try is over and the execution id
// belongs to somebody else (D43). Going on would not be wrong, but a process that was
// stopped for minutes could come back after the target's dedupe ring has turned over.
func (r *Relay) expired(id string, at, now time.Time) bool {
	return !now.Before(at) && !r.cfg.Target.Owns(id)
}

// forgot counts n parcels or unborn less in hand.
func (r *Relay) forgot(n int) {
	r.count -= n
	if r.count == 0 {
		for _, c := range r.idle {
			close(c)
		}
		r.idle = nil
	}
	if len(r.starved) > 0 && r.count <= r.cfg.Memory/2 {
		todo := r.starved
		r.starved = nil
		for _, o := range todo {
			r.tidy(o)
		}
	}
}
