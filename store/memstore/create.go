package memstore

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/durachart/durachart/store"
)

// Create implements [store.Executions].
func (s *Store) Create(ctx context.Context, c store.Creation) error {
	if err := s.begin(ctx); err != nil {
		return store.OpError("create", c.ID, err)
	}
	if err := s.opts.Limits.CheckCreation(&c, s.opts.Attributes); err != nil {
		return err
	}
	inserted, err := s.insert(&c)
	if err != nil || inserted {
		return store.OpError("create", c.ID, err)
	}
	// Another command, as on a server: the record may be another one by now.
	exists := &store.ExistsError{ID: c.ID}
	exists.SameStart, err = s.isProcessed("find", c.ID, c.RequestID)
	if err != nil {
		return store.OpError("create", c.ID, err)
	}
	return exists
}

// insert is the command: false if there is a record of that id.
func (s *Store) insert(c *store.Creation) (bool, error) {
	r := s.newRecord(c)
	sh, err := s.lock("insert", c.ID)
	if err != nil {
		return false, err
	}
	if sh.docs[c.ID] != nil {
		sh.mu.Unlock()
		return false, nil
	}
	if err := s.checkSize(r.size()); err != nil {
		sh.mu.Unlock()
		return false, err
	}
	sh.docs[c.ID] = r
	sh.refresh(r)
	s.data.families.add(r)
	sh.mu.Unlock()
	s.data.hints.send(c.ID)
	return true, nil
}

func (s *Store) newRecord(c *store.Creation) *record {
	r := &record{
		id:           c.ID,
		definitionID: c.DefinitionID,
		parentID:     c.ParentID,
		rootID:       c.RootID,
		spawnSeq:     c.SpawnSeq,
		priority:     int8(c.Priority),
		shard:        int32(store.ShardOf(c.ID, len(s.data.shards))),
		version:      1,
		commitID:     newCommitID(),
		createdAt:    instantOf(c.Now),
		wakeAt:       never,
	}
	if r.rootID == "" {
		r.rootID = r.id
	}
	for kind := range r.due {
		r.due[kind] = never
	}
	r.apply(&c.Snapshot, c.Now, s.opts.Limits.Retention)
	r.snapshotSize = snapshotSize(&c.Snapshot)
	r.ring.add(c.RequestID, s.opts.Limits.Ring)
	if c.StartID != "" && c.StartID != c.RequestID {
		r.ring.add(c.StartID, s.opts.Limits.Ring)
	}
	r.push(ownEntries(c.Inbox, c.Now))
	r.give(s.prepare(c.ID, 1, c.Now, c.Emits, c.Spawns, c.Trace), s.opts.Limits.TraceRing)
	return r
}

// checkSize is the server's refusal of a record that would be too large (D24).
func (s *Store) checkSize(size int) error {
	if size > s.opts.Limits.Document {
		return fmt.Errorf("%w: the record would have %d bytes", store.ErrBackpressure, size)
	}
	return nil
}

// CreateBatch implements [store.BulkCommitter].
func (s *Store) CreateBatch(ctx context.Context, cs []store.Creation) []error {
	errs := make([]error, len(cs))
	for i := range cs {
		errs[i] = s.Create(ctx, cs[i])
	}
	return errs
}

// given is what a write adds to the arrays, copied and stamped before the lock is
// taken.
type given struct {
	outbox []store.OutboxEntry
	spawns []store.SpawnEntry
	trace  []store.TraceStep
	size   int
}

// prepare copies what the step to version gives out (D7, D43, D64).
func (s *Store) prepare(id string, version int64, now time.Time, emits []store.Emit, spawns []store.Spawn, trace []store.TraceStep) given {
	var g given
	if len(emits)+len(spawns)+len(trace) == 0 {
		return g
	}
	now = store.Millis(now)
	at := now.Add(s.opts.Limits.Grace)
	if len(emits) > 0 {
		g.outbox = make([]store.OutboxEntry, len(emits))
	}
	for i := range emits {
		e := store.OutboxEntry{Emit: emits[i], Seq: store.Seq(version, i), At: at}
		e.Event = slices.Clone(e.Event)
		g.outbox[i] = e
		g.size += outboxSize(&e)
	}
	if len(spawns) > 0 {
		g.spawns = make([]store.SpawnEntry, len(spawns))
	}
	for i := range spawns {
		e := store.SpawnEntry{Spawn: spawns[i], Seq: store.Seq(version, i), ParentID: id, At: at}
		e.Context, e.Event = slices.Clone(e.Context), slices.Clone(e.Event)
		g.spawns[i] = e
		g.size += spawnsSize(&e)
	}
	if len(trace) > 0 {
		g.trace = make([]store.TraceStep, len(trace))
	}
	for i := range trace {
		step := slices.Clone(s.opts.Limits.CutStep(trace[i].Step))
		g.trace[i] = store.TraceStep{Index: store.Seq(version, i), At: instantOr(trace[i].At, now).time(), Step: step}
		g.size += stepSize(step)
	}
	return g
}

// give appends what was prepared. The trace is a ring: the oldest steps go.
func (r *record) give(g given, traceRing int) {
	r.outbox = append(r.outbox, g.outbox...)
	r.spawns = append(r.spawns, g.spawns...)
	r.entriesSize += g.size
	if len(g.trace) > 0 {
		r.addTrace(g.trace, traceRing)
	}
}

func (r *record) addTrace(steps []store.TraceStep, most int) {
	r.trace = append(r.trace, steps...)
	if over := len(r.trace) - most; over > 0 {
		for i := range r.trace[:over] {
			r.entriesSize -= stepSize(r.trace[i].Step)
		}
		r.trace = slices.Delete(r.trace, 0, over)
	}
}
