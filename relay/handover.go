package relay

import (
	"time"

	"github.com/durachart/durachart/store"
)

// Handover is what one commit or creation wrote into the outbox and the spawns of
// its execution.
type Handover struct {
	ID           string
	RootID       string
	DefinitionID string
	Priority     int
	Version      int64 // that the write left behind: Commit.Version+1, or 1 for a creation
	Emits        []store.Emit
	Spawns       []store.Spawn
	Now          time.Time // Commit.Now

	// Behind says that the copy of the execution that the step was computed from
	// was loaded with entries waiting in its outbox or spawns (Loaded.OutboxLen,
	// SpawnsLen), and that this is the first hand-over since. The relay then reads
	// what waits, so that nothing overtakes it.
	Behind bool
}

// Committed hands over what a commit wrote. Call it after the commit has proven
// successful, before the next commit of the same execution is sent; never after
// store.ErrUncertain. Hand-overs of one execution must come in the order of their
// commits. One without emits and spawns does nothing, unless it is Behind.
//
// It does not block and does no I/O, but it may ask Target.Owns: hold no lock that Owns
// takes. The relay keeps the slices and does not change them. Before Run hand-overs are
// kept until it begins: what is delivered later must not overtake them. After it they
// are forgotten: the poll finds the entries.
func (r *Relay) Committed(h Handover) {
	n := len(h.Emits) + len(h.Spawns)
	if n == 0 && !h.Behind {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	switch {
	case !r.ran:
		r.keep(h, n)
	case r.ctx != nil:
		r.accept(h, n)
	}
}

// keep takes down a hand-over that came before Run. What there is no memory for is
// read from the store, before all that follows it.
func (r *Relay) keep(h Handover, n int) {
	if r.kept += n; r.kept > r.cfg.Memory {
		h.Emits, h.Spawns, h.Behind = nil, nil, true
	}
	r.early = append(r.early, h)
}

// accept takes a hand-over of n entries in hand.
func (r *Relay) accept(h Handover, n int) {
	o := r.origins[h.ID]
	switch {
	case o == nil && h.Behind && !r.cfg.Target.Owns(h.ID):
		return // what waits is the owner's, and what follows comes after it
	case o == nil:
		o = r.origin(h.ID, h.RootID, h.DefinitionID, h.Priority)
	case o.left, o.behind && !o.reading:
		return // all of it will be read, in order
	}
	if r.count+n > r.cfg.Memory {
		r.starve(o)
		return
	}
	if h.Behind {
		r.catchUp(o)
	}
	r.take(o, h)
	r.advance(o)
}

// take takes the entries of a hand-over in hand, as the store wrote them (D7, D43).
func (r *Relay) take(o *origin, h Handover) {
	at := store.Millis(h.Now.Add(r.cfg.Grace))
	for i, s := range h.Spawns {
		r.addUnborn(o, store.SpawnEntry{Spawn: s, Seq: store.Seq(h.Version, i), ParentID: h.ID, At: at}, time.Time{})
	}
	for i, e := range h.Emits {
		r.addParcel(o, store.OutboxEntry{Emit: e, Seq: store.Seq(h.Version, i), At: at})
	}
}

// starve leaves what comes of o to be read when there is room.
func (r *Relay) starve(o *origin) {
	o.behind = true
	if len(o.parcels)+len(o.unborn) == 0 {
		r.starved = append(r.starved, o)
	}
}
