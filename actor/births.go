package actor

import (
	"context"

	"github.com/durachart/durachart/actor/internal/gate"
	"github.com/durachart/durachart/execution"
	"github.com/durachart/durachart/internal/logkey"
	"github.com/durachart/durachart/relay"
	"github.com/durachart/durachart/store"
)

// births implements [relay.Births]: it makes the records of children.
type births struct{ rt *Runtime }

// Build implements [relay.Births]. A first step that cannot be run here, or not
// now, is left to the owner of the child: it finds the start event in the inbox.
func (b births) Build(ctx context.Context, birth relay.Birth) (store.Creation, error) {
	snap := execution.NewChild(asSpawn(birth))
	start, err := execution.DecodeEvent(birth.Event)
	if err != nil {
		return store.Creation{}, &relay.DeadError{Reason: relay.ReasonInvalid, Err: err}
	}
	if b.rt.shards.owns(birth.ChildID) {
		c, err := b.started(birth, snap, start)
		if err == nil {
			return c, nil
		}
		b.rt.log.Info("start of a child is left to its inbox", logkey.Execution, birth.ChildID, logkey.Error, err)
	}
	now := store.Millis(b.rt.clock.now())
	snap.Version = 1
	return store.Creation{
		Snapshot: store.Snapshot{
			DefinitionVersion: snap.DefinitionVersion,
			EnteredAt:         now,
			Data:              snap.Encode(),
			Status:            store.Pending,
		},
		ID:           birth.ChildID,
		DefinitionID: birth.DefinitionID,
		RequestID:    execution.DerivedID(birth.ChildID, "spawn"),
		Inbox:        []store.InboxEntry{{ID: start.ID, From: birth.ParentID, At: now, Event: birth.Event}},
		Now:          now,
	}, nil
}

// started is the record of a child with its first step done.
func (b births) started(birth relay.Birth, snap *execution.Snapshot, start execution.Event) (store.Creation, error) {
	chart, err := b.rt.charts.get(birth.DefinitionID, birth.DefinitionVersion)
	if err != nil {
		return store.Creation{}, err
	}
	b.rt.mailboxes.Enter()
	defer b.rt.mailboxes.Leave()
	a := &activation{rt: b.rt, id: birth.ChildID, chart: chart, fixed: identity{definitionID: birth.DefinitionID}}
	d := draft{now: store.Millis(b.rt.clock.now()), snap: snap}
	res, err := a.step(snap, start, d.now)
	if err != nil {
		return store.Creation{}, err
	}
	a.add(&d, start.ID, &res)
	d.entered = d.now
	return store.Creation{
		Snapshot:     a.record(&d),
		ID:           birth.ChildID,
		DefinitionID: birth.DefinitionID,
		RequestID:    execution.DerivedID(birth.ChildID, "spawn"),
		StartID:      start.ID,
		Emits:        d.emits,
		Spawns:       d.spawns,
		Trace:        d.trace,
		Now:          d.now,
	}, nil
}

// Born implements [relay.Births]. The child gets an activation with what was just
// written, so that its first event needs no read.
func (b births) Born(c store.Creation) {
	b.rt.timer().Armed(c.ID, 1, c.Timers)
	b.rt.stats.commits.Add(1)
	if c.StartID != "" {
		b.rt.stats.steps.Add(1)
	}
	b.rt.watchers.changed(c.ID)
	if c.Ended || !b.rt.shards.owns(c.ID) {
		return
	}
	b.rt.preload(created(c), len(c.Inbox) > 0)
}

// created is the record of c as a load would find it.
func created(c store.Creation) *store.Loaded {
	return &store.Loaded{
		Execution: store.Execution{
			Snapshot:     c.Snapshot,
			ID:           c.ID,
			DefinitionID: c.DefinitionID,
			ParentID:     c.ParentID,
			RootID:       c.RootID,
			Version:      1,
			SpawnSeq:     c.SpawnSeq,
			Priority:     c.Priority,
		},
		Inbox:     c.Inbox,
		InboxLen:  len(c.Inbox),
		OutboxLen: 0, // the relay has them already
	}
}

// preload gives the execution of l an activation that needs no load, and has it
// run if wake; one that is active already is woken only.
func (r *Runtime) preload(l *store.Loaded, wake bool) {
	_, _ = r.gate.Offer(l.ID, wake, func() gate.Behavior { // closed: the store has it
		return &activation{rt: r, id: l.ID, preload: l}
	})
}

// Report implements [relay.Births].
func (b births) Report(birth relay.Birth, reason string, cause error) store.InboxEntry {
	text := reason + ": " + cause.Error()
	if reason == relay.ReasonIDTaken {
		text = "id taken" // S52
	}
	sp := asSpawn(birth)
	ev := execution.FinishedEvent(execution.Finished{
		Parent: sp.Parent, Child: sp.Child, Site: sp.Site,
		Status: execution.Failed, Outcome: "failed", Error: store.CutError(text),
	})
	return store.InboxEntry{ID: ev.ID, From: sp.Child, At: b.rt.clock.now(), Event: ev.Encode()}
}

func asSpawn(b relay.Birth) execution.Spawn {
	return execution.Spawn{
		Child:    b.ChildID,
		Chart:    b.DefinitionID,
		Version:  b.DefinitionVersion,
		RootPath: b.RootPath,
		Context:  b.Context,
		Parent:   b.ParentID,
		Site:     execution.SiteRef{Path: b.Site.Path, Seq: b.Site.Seq, Index: b.Site.Index},
		Priority: b.Priority,
	}
}
