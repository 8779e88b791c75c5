package mongostore

import (
	"context"
	"errors"
	"slices"
	"sync"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
	"go.mongodb.org/mongo-driver/v2/mongo/options"
	"go.mongodb.org/mongo-driver/v2/x/bsonx/bsoncore"

	"github.com/durachart/durachart/internal/logkey"
	"github.com/durachart/durachart/store"
)

// snapshotFields are what a load gives: everything but the arrays (D16).
var snapshotFields = []string{
	fDefinitionID, fDefinitionVersion, fFormat, fVersion, fCommitID, fData, fStatus, fOutcome,
	fParentID, fRootID, fEnteredAt, fSpawnSeq, fPriority, fShard, fTimers, fNextFireAt, fAttrs,
	fParked, fCreatedAt, fUpdatedAt, fEndedAt, fExpiresAt,
}

func including(fields ...string) bson.D {
	projection := make(bson.D, len(fields))
	for i, f := range fields {
		projection[i] = bson.E{Key: f, Value: 1}
	}
	return projection
}

var loadProjection = sync.OnceValue(func() bson.D { return including(snapshotFields...) })

// Load implements [store.Executions].
func (s *Store) Load(ctx context.Context, id string) (store.Execution, error) {
	e, err := s.load(ctx, id)
	return e, store.OpError("load", id, err)
}

func (s *Store) load(ctx context.Context, id string) (store.Execution, error) {
	ctx, end, err := s.beginOn(ctx, id)
	if err != nil {
		return store.Execution{}, err
	}
	defer end()
	raw, err := s.coll.executions.FindOne(ctx, bson.D{{Key: fID, Value: id}}, options.FindOne().SetProjection(loadProjection())).Raw()
	if err != nil {
		return store.Execution{}, readErr(err)
	}
	r, err := decode(raw)
	if err != nil {
		return store.Execution{}, err
	}
	return r.Execution, nil
}

// readErr is the error of a read of one document.
func readErr(err error) error {
	if errors.Is(err, mongo.ErrNoDocuments) {
		return store.ErrNotFound
	}
	return translate(err)
}

// LoadForEvent implements [store.Executions]: one aggregation, whose membership
// test runs on the server.
func (s *Store) LoadForEvent(ctx context.Context, id string, eventIDs []string, inbox int) (store.Loaded, error) {
	l, err := s.loadForEvent(ctx, id, eventIDs, inbox)
	return l, store.OpError("load", id, err)
}

func (s *Store) loadForEvent(ctx context.Context, id string, eventIDs []string, inbox int) (store.Loaded, error) {
	ctx, end, err := s.beginOn(ctx, id)
	if err != nil {
		return store.Loaded{}, err
	}
	defer end()
	if err := store.CheckIDs("event ids", eventIDs); err != nil {
		return store.Loaded{}, err
	}
	if _, err := store.CheckLimit(inbox, 0, inbox); err != nil {
		return store.Loaded{}, err
	}
	found, errs := s.aggregate(ctx, []string{id}, eventIDs, inbox)
	if errs[0] != nil {
		return store.Loaded{}, errs[0]
	}
	found[0].Seen = inOrderOf(eventIDs, found[0].Seen)
	return found[0], nil
}

// inOrderOf returns what is in both, in the order of ids, each once.
func inOrderOf(ids, some []string) []string {
	if len(some) == 0 {
		return nil
	}
	var ordered []string
	for _, id := range ids {
		if slices.Contains(some, id) && !slices.Contains(ordered, id) {
			ordered = append(ordered, id)
		}
	}
	return ordered
}

// LoadBatch implements [store.BulkCommitter].
func (s *Store) LoadBatch(ctx context.Context, ids []string, inbox int) ([]store.Loaded, []error) {
	ctx, end, err := s.begin(ctx)
	if err == nil {
		defer end()
		_, err = store.CheckLimit(inbox, 0, inbox)
	}
	loaded, errs := make([]store.Loaded, len(ids)), make([]error, len(ids))
	if err != nil {
		for i, id := range ids {
			errs[i] = store.OpError("load", id, err)
		}
		return loaded, errs
	}
	var asked []string
	var places []int
	for i, id := range ids {
		if err := store.CheckID("id", id); err != nil {
			errs[i] = store.OpError("load", id, err)
			continue
		}
		asked, places = append(asked, id), append(places, i)
	}
	found, failed := s.aggregate(ctx, asked, nil, inbox)
	for k, i := range places {
		loaded[i], errs[i] = found[k], store.OpError("load", ids[i], failed[k])
	}
	return loaded, errs
}

// aggregate reads executions in one round trip, each with its own error, in the
// order of ids.
func (s *Store) aggregate(ctx context.Context, ids, eventIDs []string, inbox int) ([]store.Loaded, []error) {
	loaded, errs := make([]store.Loaded, len(ids)), make([]error, len(ids))
	if len(ids) == 0 {
		return loaded, errs
	}
	w := newBuilder()
	defer w.release()
	rows, err := readRaw(ctx, s.coll.executions, loadPipeline(w, ids, eventIDs, inbox), len(ids))
	if err != nil {
		for i := range errs {
			errs[i] = translate(err)
		}
		return loaded, errs
	}
	found := make(map[string]bson.Raw, len(rows))
	for _, raw := range rows {
		if id, ok := raw.Lookup(fID).StringValueOK(); ok {
			found[id] = raw
		}
	}
	for i, id := range ids {
		raw, ok := found[id]
		if !ok {
			errs[i] = store.ErrNotFound
			continue
		}
		r, err := decode(raw)
		if errs[i] = err; err == nil {
			loaded[i] = r.Loaded
			s.watchSize(&r.Loaded)
		}
	}
	return loaded, errs
}

// loadPipeline is the aggregation of D16. Ids are text of users, hence $literal
// (D5).
func loadPipeline(w *builder, ids, eventIDs []string, inbox int) bsoncore.Array {
	w.beginRoot()
	w.beginItem(0)
	w.begin("$match")
	if len(ids) == 1 {
		w.str(fID, ids[0])
	} else {
		w.begin(fID)
		w.strs("$in", ids)
		w.end()
	}
	w.end()
	w.end()

	w.beginItem(1)
	w.begin("$project")
	for _, f := range snapshotFields {
		w.i32(f, 1)
	}
	if len(eventIDs) > 0 {
		w.begin(fSeen)
		w.beginArray("$setIntersection")
		w.beginItem(0)
		writeArrayOrEmpty(w, fProcessed)
		w.end()
		w.beginItem(1)
		w.strs("$literal", eventIDs)
		w.end()
		w.end()
		w.end()
	}
	if inbox > 0 {
		w.begin(fInbox)
		w.beginArray("$slice")
		w.item(0, "$"+fInbox)
		w.itemI32(1, int32(min(inbox, store.MaxPerWrite)))
		w.end()
		w.end()
	}
	writeLength(w, fInboxLen, fInbox)
	writeLength(w, fOutboxLen, fOutbox)
	writeLength(w, fSpawnsLen, fSpawns)
	w.begin(fSize)
	w.str("$bsonSize", "$$ROOT")
	w.end()
	w.end()
	w.end()
	w.end()
	return bsoncore.Array(w.from(0))
}

func writeArrayOrEmpty(w *builder, array string) {
	w.beginArray("$ifNull")
	w.item(0, "$"+array)
	w.itemEmptyArray(1)
	w.end()
}

func writeLength(w *builder, key, array string) {
	w.begin(key)
	w.begin("$size")
	writeArrayOrEmpty(w, array)
	w.end()
	w.end()
}

// readRaw runs an aggregation of at most n rows and returns them undecoded. They
// come in one reply: one more than there can be shows the server that it is the end.
func readRaw(ctx context.Context, coll *mongo.Collection, pipeline any, n int) ([]bson.Raw, error) {
	cursor, err := coll.Aggregate(ctx, pipeline, options.Aggregate().SetBatchSize(int32(n)+1))
	if err != nil {
		return nil, err
	}
	return allRaw(ctx, cursor)
}

// allRaw reads a cursor to its end. The rows are copies: the cursor's own are valid
// until its next batch only.
func allRaw(ctx context.Context, cursor *mongo.Cursor) ([]bson.Raw, error) {
	defer func() { _ = cursor.Close(context.WithoutCancel(ctx)) }() // what it says was said by Err
	var rows []bson.Raw
	for cursor.Next(ctx) {
		rows = append(rows, slices.Clone(cursor.Current))
	}
	return rows, cursor.Err()
}

// watchSize reports, once, a document over the soft limit: its arrays or its
// snapshot have grown where they should not.
func (s *Store) watchSize(l *store.Loaded) {
	if l.Size > s.lim.DocumentSoft && s.oversize.add(l.ID) {
		s.log.Warn("execution document is over the soft limit",
			logkey.Execution, l.ID, "bytes", l.Size, "limit", s.lim.DocumentSoft)
	}
}

// IsProcessed implements [store.Executions].
func (s *Store) IsProcessed(ctx context.Context, id, eventID string) (bool, error) {
	found, err := s.isProcessed(ctx, id, eventID)
	return found, store.OpError("is processed", id, err)
}

func (s *Store) isProcessed(ctx context.Context, id, eventID string) (bool, error) {
	ctx, end, err := s.beginOn(ctx, id)
	if err != nil {
		return false, err
	}
	defer end()
	if err := store.CheckID("event id", eventID); err != nil {
		return false, err
	}
	filter := bson.D{{Key: fID, Value: id}, {Key: fProcessed, Value: bson.D{{Key: "$eq", Value: eventID}}}}
	err = s.coll.executions.FindOne(ctx, filter, options.FindOne().SetProjection(including(fID))).Err()
	if errors.Is(err, mongo.ErrNoDocuments) {
		return false, nil
	}
	if err != nil {
		return false, translate(err)
	}
	return true, nil
}
