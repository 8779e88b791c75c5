package mongostore

import (
	"context"
	"errors"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
	"go.mongodb.org/mongo-driver/v2/mongo/options"

	"github.com/durachart/durachart/store"
)

// letterDoc is a dead letter as it is stored.
type letterDoc struct {
	ID           string    `bson:"_id"`
	Put          string    `bson:"put"`
	Kind         string    `bson:"kind"`
	ExecutionID  string    `bson:"execution_id"`
	TargetID     string    `bson:"target_id"`
	DefinitionID string    `bson:"definition_id"`
	EventID      string    `bson:"event_id"`
	Seq          int64     `bson:"seq"`
	Event        string    `bson:"event"`
	Spawn        string    `bson:"spawn"`
	From         string    `bson:"from"`
	Reason       string    `bson:"reason"`
	Error        string    `bson:"error"`
	Attempts     int       `bson:"attempts"`
	At           time.Time `bson:"at"`
}

func letterToDoc(d *store.DeadLetter) *letterDoc {
	return &letterDoc{
		ID: d.ID, Put: store.NewCommitID(), Kind: d.Kind, ExecutionID: d.ExecutionID, TargetID: d.TargetID,
		DefinitionID: d.DefinitionID, EventID: d.EventID, Seq: d.Seq, Event: string(d.Event), Spawn: string(d.Spawn),
		From: d.From, Reason: d.Reason, Error: store.CutError(d.Error), Attempts: d.Attempts, At: d.At,
	}
}

func (d *letterDoc) letter() store.DeadLetter {
	return store.DeadLetter{
		ID: d.ID, Put: d.Put, Kind: d.Kind, ExecutionID: d.ExecutionID, TargetID: d.TargetID,
		DefinitionID: d.DefinitionID, EventID: d.EventID, Seq: d.Seq, Event: bytesOf(d.Event), Spawn: bytesOf(d.Spawn),
		From: d.From, Reason: d.Reason, Error: d.Error, Attempts: d.Attempts, At: d.At.UTC(),
	}
}

func bytesOf(text string) []byte {
	if text == "" {
		return nil
	}
	return []byte(text)
}

// PutDeadLetters implements [store.DeadLetters]. A put that is sent again keeps its
// mark, so it does no harm.
func (s *Store) PutDeadLetters(ctx context.Context, letters []store.DeadLetter) error {
	return store.OpError("put dead letters", "", s.putLetters(ctx, letters))
}

func (s *Store) putLetters(ctx context.Context, letters []store.DeadLetter) error {
	ctx, end, err := s.begin(ctx)
	if err != nil {
		return err
	}
	defer end()
	models := make([]mongo.WriteModel, len(letters))
	for i := range letters {
		letter := letters[i]
		if err := s.lim.CheckLetter(&letter); err != nil {
			return err
		}
		models[i] = mongo.NewReplaceOneModel().
			SetFilter(bson.D{{Key: fID, Value: letter.ID}}).
			SetReplacement(letterToDoc(&letter)).
			SetUpsert(true)
	}
	for len(models) > 0 {
		n := min(len(models), s.lim.Statements)
		if err := s.putSome(ctx, models[:n]); err != nil {
			return err
		}
		models = models[n:]
	}
	return nil
}

// putSome keeps the order: of two letters with one id the last one stands.
func (s *Store) putSome(ctx context.Context, models []mongo.WriteModel) error {
	return s.repeat(ctx, "", func() error {
		_, err := s.coll.deadLetters.BulkWrite(ctx, models, options.BulkWrite().SetOrdered(true))
		r := replyOf(err)
		for _, f := range r.failed {
			if f.duplicate {
				f.definite = false // another first put came between: this one is a replacement now
			}
		}
		return r.first()
	})
}

// GetDeadLetter implements [store.DeadLetters].
func (s *Store) GetDeadLetter(ctx context.Context, id string) (store.DeadLetter, error) {
	letter, err := s.getLetter(ctx, id)
	return letter, store.OpError("get dead letter", id, err)
}

func (s *Store) getLetter(ctx context.Context, id string) (store.DeadLetter, error) {
	ctx, end, err := s.begin(ctx)
	if err != nil {
		return store.DeadLetter{}, err
	}
	defer end()
	if err := store.CheckLetterID(id); err != nil {
		return store.DeadLetter{}, err
	}
	var doc letterDoc
	if err := s.coll.deadLetters.FindOne(ctx, bson.D{{Key: fID, Value: id}}).Decode(&doc); err != nil {
		return store.DeadLetter{}, readErr(err)
	}
	return doc.letter(), nil
}

// ListDeadLetters implements [store.DeadLetters].
func (s *Store) ListDeadLetters(ctx context.Context, f store.DeadLetterFilter, p store.Page) (store.DeadLetterPage, error) {
	page, err := s.listLetters(ctx, &f, &p)
	return page, store.OpError("list dead letters", "", err)
}

func (s *Store) listLetters(ctx context.Context, f *store.DeadLetterFilter, p *store.Page) (store.DeadLetterPage, error) {
	ctx, end, err := s.begin(ctx)
	if err != nil {
		return store.DeadLetterPage{}, err
	}
	defer end()
	after, err := s.lim.CheckLetterList(f, p, s.opts.Prefix)
	if err != nil {
		return store.DeadLetterPage{}, err
	}
	opts := options.Find().
		SetSort(bson.D{{Key: fAt, Value: -1}, {Key: fID, Value: -1}}).
		SetLimit(int64(p.Limit) + 1).
		SetBatchSize(int32(p.Limit) + 1)
	cursor, err := s.coll.deadLetters.Find(ctx, letterFilter(f, after), opts)
	if err != nil {
		return store.DeadLetterPage{}, translate(err)
	}
	var docs []letterDoc
	if err := cursor.All(ctx, &docs); err != nil {
		return store.DeadLetterPage{}, translate(err)
	}
	var page store.DeadLetterPage
	for i := range docs[:min(p.Limit, len(docs))] {
		page.Items = append(page.Items, docs[i].letter())
	}
	if len(docs) > p.Limit {
		last := page.Items[p.Limit-1]
		page.Next = store.DeadLetterScope(*f, s.opts.Prefix).Encode(store.CursorKey{At: last.At, ID: last.ID})
	}
	return page, nil
}

func letterFilter(f *store.DeadLetterFilter, after *store.CursorKey) bson.D {
	filter := bson.D{}
	for _, c := range []struct{ field, value string }{
		{fExecutionID, f.ExecutionID}, {fKind, f.Kind}, {fReason, f.Reason},
	} {
		if c.value != "" {
			filter = append(filter, bson.E{Key: c.field, Value: bson.D{{Key: "$eq", Value: c.value}}})
		}
	}
	return both(filter, newestFirst(fAt, after))
}

// RemoveDeadLetter implements [store.DeadLetters].
func (s *Store) RemoveDeadLetter(ctx context.Context, id, put string) (bool, error) {
	removed, err := s.removeLetter(ctx, id, put)
	return removed, store.OpError("remove dead letter", id, err)
}

func (s *Store) removeLetter(ctx context.Context, id, put string) (bool, error) {
	ctx, end, err := s.begin(ctx)
	if err != nil {
		return false, err
	}
	defer end()
	if err := store.CheckLetterID(id); err != nil {
		return false, err
	}
	filter := bson.D{{Key: fID, Value: id}, {Key: fPut, Value: bson.D{{Key: "$eq", Value: put}}}}
	tries, removed := 0, false
	err = s.repeat(ctx, id, func() error {
		tries++
		res, err := s.coll.deadLetters.DeleteOne(ctx, filter)
		if err != nil {
			return err
		}
		// A put is drawn once: what is gone after an unknown try, that try removed,
		// or somebody at the same time.
		removed = res.DeletedCount > 0 || tries > 1
		return nil
	})
	if errors.Is(err, store.ErrUncertain) {
		return false, err
	}
	return removed, err
}
