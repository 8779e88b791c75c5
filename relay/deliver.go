package relay

import (
	"context"
	"errors"
	"time"

	"github.com/durachart/durachart/store"
)

// errShort is a receiver that took less than it was given and does not say why.
var errShort = errors.New("relay: not all events were taken")

// serve delivers a group of l by a call of the runtime, or of the sink.
func (r *Relay) serve(l *lane) {
	ctx, group := r.begin(l)
	if group == nil {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, r.cfg.Timeout)
	defer cancel()
	head := group[0]
	var taken int
	var err error
	switch {
	case l.kind == toSink:
		err = r.cfg.Sink(ctx, head.from.id, head.OutboxEntry)
	case head.Kind == store.EmitControl:
		err = r.cfg.Target.Control(ctx, l.target, r.inboxEntries(group)[0])
	default:
		taken, err = r.cfg.Target.Deliver(ctx, l.target, r.inboxEntries(group))
		r.settle(l, group, taken, true, err)
		return
	}
	if err == nil {
		taken = 1
	}
	r.settle(l, group, taken, true, err)
}

// begin returns the next group of l, or nil if there is none.
func (r *Relay) begin(l *lane) (context.Context, []*parcel) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.ctx == nil {
		return nil, nil
	}
	group := r.group(l)
	if len(group) == 0 {
		r.release(l)
		return nil, nil
	}
	return r.ctx, group
}

// push delivers a group of each of ls by pushes to their inboxes, in one command if
// the store can.
func (r *Relay) push(ls []*lane) {
	ctx, ok := r.running()
	if !ok {
		return
	}
	var lanes []*lane
	var groups [][]*parcel
	var pushes []store.Push
	for _, l := range ls {
		_, group := r.begin(l)
		switch {
		case group == nil:
			continue
		case group[0].Kind == store.EmitControl: // what was before it has gone to its owner
			r.local.Add(l)
			continue
		}
		lanes, groups = append(lanes, l), append(groups, group)
		entries := r.inboxEntries(group)
		pushes = append(pushes, store.Push{ID: l.target, Entries: entries, Now: entries[0].At})
	}
	pushed, errs := r.pushAll(ctx, pushes)
	for i, l := range lanes {
		r.settle(l, groups[i], pushed[i].Added+len(pushed[i].Duplicates), false, errs[i])
	}
}

func (r *Relay) pushAll(ctx context.Context, ps []store.Push) ([]store.Pushed, []error) {
	if len(ps) == 0 {
		return nil, nil
	}
	if r.bulk != nil {
		return r.bulk.PushBatch(ctx, ps)
	}
	pushed, errs := make([]store.Pushed, len(ps)), make([]error, len(ps))
	for i, p := range ps {
		pushed[i], errs[i] = r.cfg.Source.Push(ctx, p)
	}
	return pushed, errs
}

// settle does what follows from a delivery: the first taken parcels of group have
// arrived, and err is about the next one.
func (r *Relay) settle(l *lane, group []*parcel, taken int, local bool, err error) {
	taken = min(taken, len(group))
	if err != nil {
		taken = min(taken, len(group)-1) // it is about an event of the group
	}
	if taken > 0 {
		r.cfg.Observe(Delivered{Target: l.target, Count: taken, Local: local})
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.ctx == nil {
		return
	}
	if err == nil && taken < len(group) {
		err = errShort
	}
	for _, p := range group[:taken] {
		r.arrive(p)
	}
	clear(l.queue[:taken])
	l.queue = l.queue[taken:]
	if taken > 0 {
		// What has room for some may have room for more; so the group grows again
		// after it was cut to one (see failure smaller).
		l.limit = min(2*l.limit, r.cfg.Batch)
	}
	if taken == len(group) {
		l.push = false
		r.release(l)
		return
	}
	r.fail(l, group[taken], len(group)-taken, err)
}

// arrive marks p as carried out: only the acknowledgement is missing.
func (r *Relay) arrive(p *parcel) {
	p.stage = arrived
	if p.dead != nil {
		r.spawnAcks.Add(p.dead)
		return
	}
	r.acks.Add(p)
}

// pop marks the head of l as carried out.
func (r *Relay) pop(l *lane) {
	p := l.queue[0]
	l.queue[0] = nil
	l.queue = l.queue[1:]
	r.arrive(p)
}

// postpone takes p, the head of l, and what comes after it from the same origin out of
// the lane until at.
func (r *Relay) postpone(l *lane, p *parcel, at time.Time) {
	if p.dead != nil {
		l.queue = l.queue[1:]
		r.after(at.Sub(r.now()), func() { r.send(p) })
		return
	}
	kept := l.queue[:0]
	for _, q := range l.queue {
		if q.from != p.from || q.dead != nil {
			kept = append(kept, q)
			continue
		}
		q.stage = waiting
	}
	clear(l.queue[len(kept):])
	l.queue = kept
	r.hold(p, at)
	if !r.cfg.Target.Owns(p.from.id) {
		r.leave(p.from) // the right of the first try has been used
	}
}
