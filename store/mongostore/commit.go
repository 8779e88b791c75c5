package mongostore

import (
	"context"
	"fmt"
	"slices"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"

	"github.com/durachart/durachart/store"
)

// Commit implements [store.Executions]: one update of one document, alone or with
// those of other callers in one command.
func (s *Store) Commit(ctx context.Context, c store.Commit) error {
	one, end, err := s.beginCommit(ctx, &c)
	if err != nil {
		return err
	}
	defer end()
	return store.OpError("commit", c.ID, s.commits.do(ctx, one))
}

// CommitBatch implements [store.BulkCommitter].
func (s *Store) CommitBatch(ctx context.Context, cs []store.Commit) []error {
	errs := make([]error, len(cs))
	calls := make([]*call[commitWrite], len(cs))
	for i := range cs {
		one, end, err := s.beginCommit(ctx, &cs[i])
		if err != nil {
			errs[i] = err
			continue
		}
		defer end()
		calls[i] = one
	}
	s.commits.submit(slices.DeleteFunc(slices.Clone(calls), isNil)...)
	for i, one := range calls {
		if one != nil {
			errs[i] = store.OpError("commit", cs[i].ID, s.commits.wait(ctx, one))
		}
	}
	return errs
}

func isNil[T any](p *T) bool { return p == nil }

// beginCommit checks c and encodes it. Nothing of c is kept.
func (s *Store) beginCommit(ctx context.Context, c *store.Commit) (*call[commitWrite], func(), error) {
	if err := s.enter(ctx); err != nil {
		return nil, nil, store.OpError("commit", c.ID, err)
	}
	if err := s.lim.CheckCommit(c, s.opts.Attributes); err != nil {
		s.gate.leave()
		return nil, nil, err
	}
	write := s.encodeCommit(c)
	if err := s.checkFits(write.buf); err != nil {
		s.gate.leave()
		return nil, nil, store.OpError("commit", c.ID, err)
	}
	return newCall(write, c.ID, len(write.buf.buf), time.Now().Add(s.lim.OpTimeout)), s.gate.leave, nil
}

// checkFits refuses here what no document has room for, as the server would: in a
// group the driver would refuse it together with its neighbours.
func (s *Store) checkFits(w *builder) error {
	if len(w.buf) > s.lim.Document {
		return fmt.Errorf("%w: the write alone has %d bytes", store.ErrBackpressure, len(w.buf))
	}
	return nil
}

// commitWrite is a commit as it is sent. Its commit id is drawn once and kept
// through all resends (D20).
type commitWrite struct {
	statement
	buf *builder // holds the statement

	id       string
	version  int64 // computed from
	commitID string
	handled  []string

	// The positions that must not exist (D23); -1 where nothing is added.
	outboxRoom, spawnsRoom int

	// ambiguous: a copy that was sent before may have been applied, or may yet be.
	ambiguous bool
	cause     *failure // why, as of the last try that failed
	// lost: the last copy certainly matched nothing.
	lost bool
}

// encodeCommit writes the update of D17.
func (s *Store) encodeCommit(c *store.Commit) *commitWrite {
	w := newBuilder()
	write := &commitWrite{
		buf: w, id: c.ID, version: c.Version, commitID: store.NewCommitID(),
		handled:    slices.Clone(c.Handled),
		outboxRoom: -1, spawnsRoom: -1,
	}
	if len(c.Emits) > 0 {
		write.outboxRoom = s.lim.OutboxPosition(c.Emits)
	}
	if len(c.Spawns) > 0 {
		write.spawnsRoom = s.lim.SpawnPosition(c.Spawns)
	}

	write.encodeFilter(w)
	split := len(w.buf)

	w.beginRoot()
	s.writeSets(w, c, write.commitID)
	if !c.ReleaseInbox {
		w.begin("$pull")
		w.begin(fInbox)
		w.begin(fEntryID)
		w.strs("$in", c.Handled)
		w.end()
		w.end()
		w.end()
	}
	s.writePushes(w, c)
	w.end()

	// The buffer has stopped moving, so now it can be cut.
	write.filter, write.update = bson.Raw(w.buf[:split:split]), bson.Raw(w.from(split))
	return write
}

func (write *commitWrite) encodeFilter(w *builder) {
	w.beginRoot()
	w.str(fID, write.id)
	w.i64(fVersion, write.version)
	w.begin(fProcessed)
	w.strs("$nin", write.handled)
	w.end()
	if write.outboxRoom >= 0 {
		w.absentAt(fOutbox, write.outboxRoom)
	}
	if write.spawnsRoom >= 0 {
		w.absentAt(fSpawns, write.spawnsRoom)
	}
	w.end()
}

// writeSets writes $set and $unset. A commit that ends a hold makes the inbox
// visible instead of pulling from it: the server refuses both in one update (D34).
func (s *Store) writeSets(w *builder, c *store.Commit, commitID string) {
	w.begin("$set")
	w.i64(fVersion, c.Version+1)
	w.str(fCommitID, commitID)
	writeSnapshot(w, &c.Snapshot, c.Now)
	w.date(fUpdatedAt, c.Now)
	expires := s.writeEnd(w, c.Ended, c.Now)
	if c.Wake {
		w.date(fWakeAt, c.Now)
	}
	if c.ReleaseInbox {
		w.date(fInbox+".$[]."+fAt, c.Now)
	}
	w.end()
	if !hasAllOptional(&c.Snapshot, expires) {
		w.begin("$unset")
		writeAbsent(w, &c.Snapshot, expires)
		w.end()
	}
}

// writePushes writes $push: the ring always, the other arrays where the step gave
// something out.
func (s *Store) writePushes(w *builder, c *store.Commit) {
	version, at := c.Version+1, c.Now.Add(s.lim.Grace)
	w.begin("$push")
	w.begin(fProcessed)
	w.strs("$each", c.Handled)
	w.i32("$slice", -int32(s.lim.Ring))
	w.end()
	if len(c.Emits) > 0 {
		w.begin(fOutbox)
		w.beginArray("$each")
		writeOutbox(w, c.Emits, version, at)
		w.end()
		w.end()
	}
	if len(c.Spawns) > 0 {
		w.begin(fSpawns)
		w.beginArray("$each")
		writeSpawns(w, c.Spawns, c.ID, version, at)
		w.end()
		w.end()
	}
	if len(c.Trace) > 0 {
		w.begin(fTrace)
		w.beginArray("$each")
		s.writeTrace(w, c.Trace, version, c.Now)
		w.end()
		w.i32("$slice", -int32(s.lim.TraceRing))
		w.end()
	}
	w.end()
}
