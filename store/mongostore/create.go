package mongostore

import (
	"context"
	"errors"
	"slices"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
	"go.mongodb.org/mongo-driver/v2/mongo/options"

	"github.com/durachart/durachart/store"
)

// Create implements [store.Executions].
func (s *Store) Create(ctx context.Context, c store.Creation) error {
	one, end, err := s.beginCreate(ctx, &c)
	if err != nil {
		return err
	}
	defer end()
	return store.OpError("create", c.ID, s.creates.do(ctx, one))
}

// CreateBatch implements [store.BulkCommitter].
func (s *Store) CreateBatch(ctx context.Context, cs []store.Creation) []error {
	errs := make([]error, len(cs))
	calls := make([]*call[createWrite], len(cs))
	for i := range cs {
		one, end, err := s.beginCreate(ctx, &cs[i])
		if err != nil {
			errs[i] = err
			continue
		}
		defer end()
		calls[i] = one
	}
	s.creates.submit(slices.DeleteFunc(slices.Clone(calls), isNil)...)
	for i, one := range calls {
		if one != nil {
			errs[i] = store.OpError("create", cs[i].ID, s.creates.wait(ctx, one))
		}
	}
	return errs
}

func (s *Store) beginCreate(ctx context.Context, c *store.Creation) (*call[createWrite], func(), error) {
	if err := s.enter(ctx); err != nil {
		return nil, nil, store.OpError("create", c.ID, err)
	}
	if err := s.lim.CheckCreation(c, s.opts.Attributes); err != nil {
		s.gate.leave()
		return nil, nil, err
	}
	write := s.encodeCreation(c)
	if err := s.checkFits(write.buf); err != nil {
		s.gate.leave()
		return nil, nil, store.OpError("create", c.ID, err)
	}
	return newCall(write, c.ID, len(write.buf.buf), time.Now().Add(s.lim.OpTimeout)), s.gate.leave, nil
}

// createWrite is a creation as it is sent.
type createWrite struct {
	buf       *builder // holds the document
	document  bson.Raw
	id        string
	requestID string
	commitID  string
	cause     *failure // of the last try that was ambiguous
}

// encodeCreation writes the complete document (D4, D14).
func (s *Store) encodeCreation(c *store.Creation) *createWrite {
	const version = 1
	w := newBuilder()
	write := &createWrite{buf: w, id: c.ID, requestID: c.RequestID, commitID: store.NewCommitID()}
	root := c.RootID
	if root == "" {
		root = c.ID
	}
	at := c.Now.Add(s.lim.Grace)

	w.beginRoot()
	w.str(fID, c.ID)
	w.str(fDefinitionID, c.DefinitionID)
	w.i64(fVersion, version)
	w.str(fCommitID, write.commitID)
	writeSnapshot(w, &c.Snapshot, c.Now)
	w.strOrNull(fParentID, c.ParentID)
	w.str(fRootID, root)
	if c.SpawnSeq != 0 {
		w.i64(fSpawnSeq, c.SpawnSeq)
	}
	w.i32(fPriority, int32(c.Priority))
	w.i32(fShard, int32(store.ShardOf(c.ID, s.opts.Shards)))
	w.date(fCreatedAt, c.Now)
	w.date(fUpdatedAt, c.Now)
	s.writeEnd(w, c.Ended, c.Now)

	w.beginArray(fInbox)
	writeInbox(w, c.Inbox, c.Now)
	w.end()
	w.beginArray(fOutbox)
	writeOutbox(w, c.Emits, version, at)
	w.end()
	w.beginArray(fSpawns)
	writeSpawns(w, c.Spawns, c.ID, version, at)
	w.end()
	w.beginArray(fProcessed)
	w.item(0, c.RequestID)
	if c.StartID != "" && c.StartID != c.RequestID {
		w.item(1, c.StartID)
	}
	w.end()
	w.beginArray(fTrace)
	s.writeTrace(w, c.Trace, version, c.Now)
	w.end()
	w.end()

	write.document = bson.Raw(w.from(0))
	return write
}

// sendCreates is the combiner's command for creations: one unordered insert, whose
// errors are taken item by item (D14).
func (s *Store) sendCreates(ctx context.Context, batch []*call[createWrite], release func()) {
	r := s.insert(ctx, batch)
	release()
	var open []*call[createWrite]
	for i, one := range batch {
		f := r.of(i)
		switch {
		case f == nil:
			s.finishCreate(one, nil)
		case f.duplicate:
			open = append(open, one)
		case f.definite && one.write.cause == nil:
			s.finishCreate(one, f)
		default:
			one.write.cause = f
			open = append(open, one)
		}
	}
	if len(open) > 0 {
		s.creates.settle(func(ctx context.Context) { s.settleCreates(ctx, open) })
	}
}

func (s *Store) finishCreate(one *call[createWrite], err error) {
	one.write.buf.release()
	s.creates.finish(one, err)
}

func (s *Store) insert(ctx context.Context, batch []*call[createWrite]) reply {
	if len(batch) == 1 {
		_, err := s.coll.executions.InsertOne(ctx, batch[0].write.document)
		return replyOf(err)
	}
	documents := make([]any, len(batch))
	for i, one := range batch {
		documents[i] = one.write.document
	}
	_, err := s.coll.executions.InsertMany(ctx, documents, options.InsertMany().SetOrdered(false))
	return replyOf(err)
}

// madeBy is what tells whose execution it is that an insert met.
type madeBy struct {
	ID       string   `bson:"_id"`
	CommitID string   `bson:"commit_id"`
	Seen     []string `bson:"seen"`
}

// settleCreates reads back whose the executions are that exist, answers, and sends
// again what is not there.
func (s *Store) settleCreates(ctx context.Context, open []*call[createWrite]) {
	found, err := s.readMakers(ctx, open)
	if err != nil {
		for _, one := range open {
			s.finishCreate(one, one.write.unresolved(err))
		}
		return
	}
	var again []*call[createWrite]
	troubled := false
	for _, one := range open {
		there := found[one.key]
		switch {
		case there == nil && one.over(time.Now()):
			s.finishCreate(one, one.write.unresolved(errors.New("it is not there yet")))
		case there == nil:
			again = append(again, one)
			troubled = troubled || one.write.cause != nil
		case there.CommitID == one.write.commitID:
			s.finishCreate(one, nil)
		default:
			same := slices.Contains(there.Seen, one.write.requestID)
			s.finishCreate(one, &store.ExistsError{ID: one.key, SameStart: same})
		}
	}
	s.creates.resend(again, troubled)
}

func (s *Store) readMakers(ctx context.Context, open []*call[createWrite]) (map[string]*madeBy, error) {
	coll := s.coll.executions
	var ids, requests []string
	for _, one := range open {
		ids = append(ids, one.key)
		requests = append(requests, one.write.requestID)
		if one.write.cause != nil {
			coll = s.settledExecutions(ctx)
		}
	}
	pipeline := mongo.Pipeline{
		{{Key: "$match", Value: bson.D{{Key: fID, Value: bson.D{{Key: "$in", Value: ids}}}}}},
		{{Key: "$project", Value: bson.D{{Key: fCommitID, Value: 1}, {Key: fSeen, Value: seenOf(requests)}}}},
	}
	var rows []madeBy
	if err := s.persist(ctx, func() error { return readAll(ctx, coll, pipeline, &rows) }); err != nil {
		return nil, err
	}
	found := make(map[string]*madeBy, len(rows))
	for i := range rows {
		found[rows[i].ID] = &rows[i]
	}
	return found, nil
}

// unresolved is the answer when reading back failed as well. After a duplicate key
// it did certainly not happen; what exists is not known.
func (write *createWrite) unresolved(err error) error {
	if write.cause == nil {
		return err
	}
	return &store.UncertainError{ID: write.id, Cause: err}
}
