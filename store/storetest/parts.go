package storetest

import (
	"maps"
	"slices"
	"time"

	"github.com/durachart/durachart/store"
)

// rich is a commit with something in every part.
func rich(id string, version int64, name string) store.Commit {
	c := commit(id, version, "handled "+name)
	c.Data = []byte(`{"by":"` + name + `"}`)
	c.Outcome = name
	c.Leaves = []string{name}
	c.Timers = map[string]time.Time{name: base.Add(time.Hour)}
	c.Emits = []store.Emit{emit("target", "emit "+name)}
	c.Spawns = []store.Spawn{spawn("child " + name)}
	c.Trace = []store.TraceStep{{At: base, Step: []byte(`"` + name + `"`)}}
	return c
}

// parts is everything that an execution shows.
type parts struct {
	loaded store.Loaded
	outbox []store.OutboxEntry
	spawns []store.SpawnEntry
	trace  []store.TraceStep
}

// clone copies the bytes, so that it stays what it was whatever happens to them.
func (p parts) clone() parts {
	p.loaded.Data = slices.Clone(p.loaded.Data)
	p.loaded.Seen, p.loaded.Timers = slices.Clone(p.loaded.Seen), maps.Clone(p.loaded.Timers)
	p.loaded.Inbox, p.outbox, p.spawns, p.trace = slices.Clone(p.loaded.Inbox), slices.Clone(p.outbox), slices.Clone(p.spawns), slices.Clone(p.trace)
	for i := range p.loaded.Inbox {
		p.loaded.Inbox[i].Event = slices.Clone(p.loaded.Inbox[i].Event)
	}
	for i := range p.outbox {
		p.outbox[i].Event = slices.Clone(p.outbox[i].Event)
	}
	for i := range p.spawns {
		p.spawns[i].Context, p.spawns[i].Event = slices.Clone(p.spawns[i].Context), slices.Clone(p.spawns[i].Event)
	}
	for i := range p.trace {
		p.trace[i].Step = slices.Clone(p.trace[i].Step)
	}
	return p
}

func (e *env) parts(id string, ids ...string) parts {
	e.Helper()
	return parts{e.loaded(id, ids...), e.outbox(id), e.spawns(id), e.trace(id)}
}
