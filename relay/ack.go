package relay

import (
	"context"
	"slices"

	"github.com/durachart/durachart/internal/logkey"
	"github.com/durachart/durachart/store"
)

// ack pulls delivered entries out of their outboxes, those of one source in one
// statement, many sources in one command (D46).
func (r *Relay) ack(ps []*parcel) {
	ctx, ok := r.running()
	if !ok {
		return
	}
	if err := r.ackAll(ctx, ps); err != nil {
		if passing(err) {
			r.locked(func() { r.stall(err, func() { r.acks.Add(ps...) }) })
			return
		}
		// What cannot be acknowledged is forgotten here, and delivered again under the
		// same id when a poll finds it.
		forOne(ctx, ps, r.ackAll, func(p *parcel, err error) {
			r.cfg.Logger.Error("acknowledge a delivery", logkey.Execution, p.from.id, logkey.Event, p.ID, logkey.Error, err)
		})
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.ctx == nil {
		return
	}
	for _, p := range ps {
		p.stage = gone
	}
	r.forgetGone(origins(ps, func(p *parcel) *origin { return p.from }))
}

func (r *Relay) ackAll(ctx context.Context, ps []*parcel) error {
	return r.cfg.Source.AckOutbox(ctx, acksOf(ps, func(p *parcel) (string, int64) { return p.from.id, p.Seq }))
}

// ackSpawns does the same for spawns that are carried out, or dead and reported.
func (r *Relay) ackSpawns(us []*unborn) {
	ctx, ok := r.running()
	if !ok {
		return
	}
	if err := r.ackAllSpawns(ctx, us); err != nil {
		if passing(err) {
			r.locked(func() { r.stall(err, func() { r.spawnAcks.Add(us...) }) })
			return
		}
		forOne(ctx, us, r.ackAllSpawns, func(u *unborn, err error) {
			r.cfg.Logger.Error("acknowledge a spawn", logkey.Execution, u.from.id, logkey.Target, u.ChildID, logkey.Error, err)
		})
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.ctx == nil {
		return
	}
	for _, u := range us {
		u.acked = true
	}
	r.forgetGone(origins(us, func(u *unborn) *origin { return u.from }))
}

func (r *Relay) ackAllSpawns(ctx context.Context, us []*unborn) error {
	return r.cfg.Source.AckSpawns(ctx, acksOf(us, func(u *unborn) (string, int64) { return u.from.id, u.Seq }))
}

// acksOf groups items by their source, in order of first appearance.
func acksOf[T any](items []T, key func(T) (id string, seq int64)) []store.Ack {
	index := make(map[string]int, len(items))
	acks := make([]store.Ack, 0, len(items))
	for _, item := range items {
		id, seq := key(item)
		i, known := index[id]
		if !known {
			i = len(acks)
			index[id] = i
			acks = append(acks, store.Ack{ID: id})
		}
		acks[i].Seqs = append(acks[i].Seqs, seq)
	}
	return acks
}

// origins returns the distinct origins of items.
func origins[T any](items []T, of func(T) *origin) map[*origin]struct{} {
	set := make(map[*origin]struct{}, len(items))
	for _, item := range items {
		set[of(item)] = struct{}{}
	}
	return set
}

// forgetGone takes out of hand what has been acknowledged, and goes on with the rest.
func (r *Relay) forgetGone(set map[*origin]struct{}) {
	n := 0
	for o := range set {
		before := len(o.parcels) + len(o.unborn)
		o.parcels = slices.DeleteFunc(o.parcels, func(p *parcel) bool { return p.stage == gone })
		o.unborn = slices.DeleteFunc(o.unborn, func(u *unborn) bool { return u.acked })
		n += before - len(o.parcels) - len(o.unborn)
		r.tidy(o)
	}
	r.forgot(n)
}
