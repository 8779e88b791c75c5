package relay

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"github.com/durachart/durachart/store"
)

// unborn is a spawn in hand.
type unborn struct {
	store.SpawnEntry
	from *origin

	busy      bool // being built, created, reported or acknowledged
	tried     bool // what its step emitted need not wait for it any more
	born      bool // the child exists
	acked     bool
	notBefore time.Time
}

// creation is a child's record on its way into the store.
type creation struct {
	of     *unborn
	record store.Creation
}

// addUnborn takes a spawn in hand unless it is already; it is not tried before at.
func (r *Relay) addUnborn(o *origin, e store.SpawnEntry, at time.Time) {
	i, found := slices.BinarySearchFunc(o.unborn, e.Seq, func(u *unborn, seq int64) int { return cmp.Compare(u.Seq, seq) })
	if found {
		return
	}
	u := &unborn{SpawnEntry: e, from: o, tried: e.Attempts > 0, notBefore: at}
	if wait := at.Sub(r.now()); wait > 0 {
		r.after(wait, func() { r.advance(o) })
	}
	o.unborn = slices.Insert(o.unborn, i, u)
	r.count++
}

// startBirths sends off the births of o that are due and returns the step of the first
// spawn that was not tried yet, 0 if there is none.
func (r *Relay) startBirths(o *origin, now time.Time) (untried int64) {
	for _, u := range o.unborn {
		if !u.tried && untried == 0 {
			untried = step(u.Seq)
		}
		if !u.busy && !now.Before(u.notBefore) {
			u.busy = true
			r.builds.Add(u)
		}
	}
	return untried
}

// build has the runtime make the record of a child.
func (r *Relay) build(u *unborn) {
	ctx, ok := r.claim(u)
	if !ok {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, r.cfg.Timeout)
	defer cancel()
	record, err := r.cfg.Births.Build(ctx, u.birth())
	if err != nil {
		r.failBirth(u, err, func() { r.builds.Add(u) })
		return
	}
	record.ParentID, record.RootID = u.from.id, u.from.rootID
	record.SpawnSeq, record.Priority = u.Seq, u.from.priority
	r.creates.Add(creation{of: u, record: record})
}

func (u *unborn) birth() Birth {
	return Birth{SpawnEntry: u.SpawnEntry, RootID: u.from.rootID, Priority: u.from.priority}
}

// claim reports whether u is still to be carried out by this process.
func (r *Relay) claim(u *unborn) (context.Context, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.ctx == nil {
		return nil, false
	}
	if u.from.left || r.expired(u.from.id, u.At, r.now()) {
		u.busy = false
		r.leave(u.from)
		return nil, false
	}
	return r.ctx, true
}

// create inserts the records of children, in one command if the store can.
func (r *Relay) create(cs []creation) {
	ctx, ok := r.running()
	if !ok {
		return
	}
	errs := r.createAll(ctx, cs)
	var children []creation
	for i, c := range cs {
		switch err := errs[i]; {
		case err == nil:
			children = append(children, c)
		case errors.Is(err, store.ErrExists):
			r.mends.Add(func() { r.compare(c) })
		default:
			r.failBirth(c.of, err, func() { r.creates.Add(c) })
		}
	}
	r.welcome(children)
}

func (r *Relay) createAll(ctx context.Context, cs []creation) []error {
	if r.bulk != nil {
		records := make([]store.Creation, len(cs))
		for i, c := range cs {
			records[i] = c.record
		}
		return r.bulk.CreateBatch(ctx, records)
	}
	errs := make([]error, len(cs))
	for i, c := range cs {
		errs[i] = r.cfg.Source.Create(ctx, c.record)
	}
	return errs
}

// welcome does what follows from the creation of children: their own entries are taken
// in hand first, then the runtime hears of them, then their spawns are acknowledged and
// what waits for them goes on.
func (r *Relay) welcome(children []creation) {
	if len(children) == 0 {
		return
	}
	r.cfg.Observe(Spawned{Count: len(children)})
	for _, c := range children {
		r.Committed(Handover{
			ID: c.record.ID, RootID: c.record.RootID, DefinitionID: c.record.DefinitionID, Priority: c.record.Priority,
			Version: 1, Emits: c.record.Emits, Spawns: c.record.Spawns, Now: c.record.Now,
		})
		r.cfg.Births.Born(c.record)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.ctx == nil {
		return
	}
	us := make([]*unborn, len(children))
	for i, c := range children {
		us[i] = c.of
		c.of.born, c.of.tried = true, true
	}
	r.spawnAcks.Add(us...)
	for o := range origins(us, func(u *unborn) *origin { return u.from }) {
		r.advance(o)
	}
}

// compare tells a child that is there already, made from this very spawn by an earlier
// try or by another process, from an execution that has its id (D50).
func (r *Relay) compare(c creation) {
	ctx, ok := r.running()
	if !ok {
		return
	}
	u := c.of
	there, err := r.cfg.Source.Load(ctx, u.ChildID)
	switch {
	case errors.Is(err, store.ErrNotFound):
		r.creates.Add(c) // it was deleted meanwhile
	case err != nil:
		r.failBirth(u, err, func() { r.mends.Add(func() { r.compare(c) }) })
	case there.ParentID == u.from.id && there.SpawnSeq == u.Seq:
		r.locked(func() {
			u.born, u.tried = true, true
			r.spawnAcks.Add(u)
			r.advance(u.from)
		})
	default:
		r.stillbirth(u, ReasonIDTaken, store.OpError("create", u.ChildID, store.ErrExists))
	}
}
