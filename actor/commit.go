package actor

import (
	"time"

	"github.com/durachart/durachart/execution"
	"github.com/durachart/durachart/relay"
	"github.com/durachart/durachart/store"
)

// commit writes the draft. While the store does not answer it waits and sends
// the same commit again; every other error is the caller's to judge.
func (a *activation) commit(d *draft) error {
	c := store.Commit{
		Snapshot:     a.record(d),
		ID:           a.id,
		Version:      a.version,
		Handled:      d.handled,
		Emits:        d.emits,
		Spawns:       d.spawns,
		Trace:        d.trace,
		ReleaseInbox: d.release,
		Wake:         d.wake,
		Now:          d.now,
	}
	for {
		err := a.send(c)
		if !passing(err) {
			return err
		}
		if err := a.rt.waitForStore(); err != nil {
			return err
		}
	}
}

// send sends a commit once. While races are lost it takes the time: rests between
// races are measured by it.
func (a *activation) send(c store.Commit) error {
	if a.trouble == nil || a.trouble.conflicts == 0 {
		return a.rt.cfg.Store.Commit(a.rt.ctx, c)
	}
	began := time.Now()
	err := a.rt.cfg.Store.Commit(a.rt.ctx, c)
	a.rt.pace.took(time.Since(began))
	return err
}

// record is the snapshot of the draft as the store keeps it, with the fields that
// are promoted from it (D3).
func (a *activation) record(d *draft) store.Snapshot {
	s := d.snap
	s.Version = a.version + 1 // ours: a step made it and nobody else has it
	d.data = s.Append(d.data[:0])
	out := store.Snapshot{
		DefinitionVersion: s.DefinitionVersion,
		Outcome:           s.Outcome,
		Leaves:            store.CutLeaves(s.Configuration),
		EnteredAt:         d.entered,
		Data:              d.data,
		Status:            store.Status(s.Status),
		Ended:             s.Ended(),
		Attrs:             a.fixed.attrs,
		Parked:            d.parked,
	}
	if d.parked == nil { // parked is like suspended: nothing is armed (D70)
		out.Timers = armed(s)
	}
	d.timers = out.Timers
	return out
}

// adopt makes the draft the copy, after its commit, and tells everybody who wants
// to know.
func (a *activation) adopt(d *draft) {
	a.snap, a.entered, a.parked = d.snap, d.entered, d.parked
	a.version++
	a.trouble = a.trouble.eased(d.handled)
	a.rt.stats.commits.Add(1)
	a.rt.stats.steps.Add(int64(len(d.handled)))
	a.tell(d)
}

// tell hands what the commit wrote to the relay and the timers, and wakes those
// who wait for the execution.
func (a *activation) tell(d *draft) {
	if len(d.emits) > 0 || len(d.spawns) > 0 || a.behind {
		a.rt.relay().Committed(relay.Handover{
			ID:           a.id,
			RootID:       a.fixed.rootID,
			DefinitionID: a.fixed.definitionID,
			Priority:     a.fixed.priority,
			Version:      a.version,
			Emits:        d.emits,
			Spawns:       d.spawns,
			Now:          d.now,
			Behind:       a.behind,
		})
		a.behind = false
	}
	a.rt.timer().Armed(a.id, a.version, d.timers)
	a.rt.watchers.changed(a.id)
}

// output is what the final of a DONE execution carries.
func (a *activation) output(s *execution.Snapshot) []byte {
	if s.Status != execution.Done {
		return nil
	}
	return execution.Output(a.chart, s)
}
