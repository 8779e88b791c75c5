package relay

import (
	"errors"
	"slices"

	"github.com/durachart/durachart/internal/logkey"
	"github.com/durachart/durachart/store"
)

// catchUp reads the outbox and the spawns of o, so that nothing of it that is not in
// hand is overtaken. Nothing of o is sent off meanwhile.
func (r *Relay) catchUp(o *origin) {
	if o.reading {
		o.behind = true // once more: the read under way may have begun too early
		return
	}
	o.reading, o.behind = true, false
	r.reads.Add(o)
}

// read carries out catchUp. The outbox is read before the spawns: so whatever an entry
// has to wait for is seen.
func (r *Relay) read(o *origin) {
	ctx, ok := r.running()
	if !ok {
		return
	}
	outbox, err := r.cfg.Source.PendingOutbox(ctx, o.id, r.cfg.Entries)
	var spawns []store.SpawnEntry
	if err == nil {
		spawns, err = r.cfg.Source.PendingSpawns(ctx, o.id, r.cfg.Entries)
	}
	switch {
	case errors.Is(err, store.ErrNotFound):
		// Deleted. What is in hand of it is tried all the same.
	case err != nil && passing(err):
		r.locked(func() { r.stall(err, func() { r.reads.Add(o) }) })
		return
	case err != nil:
		// A damaged document, say: leave it to the poll, which comes here again.
		r.cfg.Logger.Error("read an outbox", logkey.Execution, o.id, logkey.Error, err)
		r.locked(func() {
			o.reading = false
			r.leave(o)
		})
		return
	}
	r.locked(func() {
		o.reading = false
		if o.behind {
			r.catchUp(o) // it was asked for again meanwhile
			return
		}
		r.merge(o, outbox, spawns)
		r.tidy(o)
	})
}

// merge takes in hand what was read of o.
func (r *Relay) merge(o *origin, outbox []store.OutboxEntry, spawns []store.SpawnEntry) {
	for _, e := range spawns {
		r.addUnborn(o, e, e.At)
	}
	for _, e := range outbox {
		r.addParcel(o, e)
	}
	if len(outbox) >= r.cfg.Entries {
		r.cutAfter(o, outbox[len(outbox)-1].Seq)
	}
	if len(spawns) >= r.cfg.Entries {
		r.cutAfter(o, spawns[len(spawns)-1].Seq)
	}
	r.keepDates(o)
}

// cutAfter gives up what was handed over after entry last, because there may be more
// between the two: it is read again once what is in hand is done.
func (r *Relay) cutAfter(o *origin, last int64) {
	o.behind = true
	before := len(o.parcels) + len(o.unborn)
	o.parcels = slices.DeleteFunc(o.parcels, func(p *parcel) bool { return p.Seq > last && p.stage == waiting })
	o.unborn = slices.DeleteFunc(o.unborn, func(u *unborn) bool { return u.Seq > last && !u.busy })
	r.forgot(before - len(o.parcels) - len(o.unborn))
}

// keepDates gives a newer entry for a target that backs off the date of the entry
// that failed (D47), so that polls leave it alone as long.
func (r *Relay) keepDates(o *origin) {
	now := r.now()
	marked := map[string]bool{}
	for i, p := range o.parcels {
		if p.stage != waiting || p.Attempts == 0 || !now.Before(p.notBefore) || marked[p.TargetID] {
			continue
		}
		marked[p.TargetID] = true
		newer := false
		for _, q := range o.parcels[i+1:] {
			if q.TargetID == p.TargetID && q.stage == waiting && q.Attempts == 0 && q.At.Before(p.At) {
				q.At, newer = p.At, true
			}
		}
		if !newer {
			continue
		}
		mark := store.Retry{
			ID: o.id, TargetID: p.TargetID, Seq: p.Seq, LastError: p.LastError, Attempts: p.Attempts, At: p.At,
		}
		r.mends.Add(func() {
			ctx, ok := r.running()
			if !ok {
				return
			}
			if err := r.cfg.Source.RetryOutbox(ctx, mark); err != nil {
				// It only spares polls: the next one that meets the entry tries again.
				r.cfg.Logger.Warn("date a waiting entry", logkey.Execution, mark.ID, logkey.Error, err)
			}
		})
	}
}
