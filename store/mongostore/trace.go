package mongostore

import (
	"context"
	"errors"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
	"go.mongodb.org/mongo-driver/v2/mongo/options"

	"github.com/durachart/durachart/store"
)

// AppendTrace implements [store.Traces]. It is the one write that is not sent again:
// sent twice it would be there twice (D27).
func (s *Store) AppendTrace(ctx context.Context, id string, step store.TraceStep) error {
	return store.OpError("append trace", id, s.appendTrace(ctx, id, &step))
}

func (s *Store) appendTrace(ctx context.Context, id string, step *store.TraceStep) error {
	ctx, end, err := s.begin(ctx)
	if err != nil {
		return err
	}
	defer end()
	if err := s.lim.CheckAppend(id, step); err != nil {
		return err
	}
	res, err := s.coll.executions.UpdateOne(ctx, bson.D{{Key: fID, Value: id}}, s.appending(step))
	if err != nil {
		f := translate(err)
		if f.definite {
			return f
		}
		return &store.UncertainError{ID: id, Cause: f}
	}
	if res.MatchedCount == 0 {
		return store.ErrNotFound
	}
	return nil
}

// appending is the pipeline that stamps a step with the next index: one more than
// the last, or version × 65,536 + 1 on an empty ring (D64). The text of the step is
// of users, hence $literal.
func (s *Store) appending(step *store.TraceStep) mongo.Pipeline {
	ring := bson.D{{Key: "$ifNull", Value: bson.A{"$" + fTrace, bson.A{}}}}
	next := bson.D{{Key: "$cond", Value: bson.A{
		bson.D{{Key: "$eq", Value: bson.A{bson.D{{Key: "$size", Value: "$$ring"}}, 0}}},
		bson.D{{Key: "$add", Value: bson.A{
			bson.D{{Key: "$multiply", Value: bson.A{bson.D{{Key: "$toLong", Value: "$" + fVersion}}, store.Seq(1, 0)}}},
			int64(1),
		}}},
		bson.D{{Key: "$let", Value: bson.D{
			{Key: "vars", Value: bson.D{{Key: "last", Value: bson.D{{Key: "$arrayElemAt", Value: bson.A{"$$ring", -1}}}}}},
			{Key: "in", Value: bson.D{{Key: "$add", Value: bson.A{"$$last." + fIndex, int64(1)}}}},
		}}},
	}}}
	added := bson.A{bson.D{
		{Key: fIndex, Value: next},
		{Key: fAt, Value: step.At},
		{Key: fStep, Value: bson.D{{Key: "$literal", Value: string(s.lim.CutStep(step.Step))}}},
	}}
	kept := bson.D{{Key: "$slice", Value: bson.A{
		bson.D{{Key: "$concatArrays", Value: bson.A{"$$ring", added}}},
		-s.lim.TraceRing,
	}}}
	return mongo.Pipeline{{{Key: "$set", Value: bson.D{{Key: fTrace, Value: bson.D{{Key: "$let", Value: bson.D{
		{Key: "vars", Value: bson.D{{Key: "ring", Value: ring}}},
		{Key: "in", Value: kept},
	}}}}}}}}
}

// ReadTrace implements [store.Traces].
func (s *Store) ReadTrace(ctx context.Context, id string) ([]store.TraceStep, error) {
	steps, err := s.readTrace(ctx, id)
	return steps, store.OpError("read trace", id, err)
}

func (s *Store) readTrace(ctx context.Context, id string) ([]store.TraceStep, error) {
	ctx, end, err := s.beginOn(ctx, id)
	if err != nil {
		return nil, err
	}
	defer end()
	raw, err := s.coll.executions.FindOne(ctx, bson.D{{Key: fID, Value: id}}, options.FindOne().SetProjection(including(fFormat, fTrace))).Raw()
	if err != nil {
		if err = readErr(err); errors.Is(err, store.ErrNotFound) {
			return nil, nil
		}
		return nil, err
	}
	r, err := decode(raw)
	if err != nil {
		return nil, err
	}
	return r.Trace, nil
}
