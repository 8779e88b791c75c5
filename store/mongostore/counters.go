package mongostore

import (
	"context"
	"fmt"
	"math"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo/options"

	"github.com/durachart/durachart/store"
)

const fN = "n"

// NextBlock implements [store.Counters]: one upserting find-and-increment (D67).
func (s *Store) NextBlock(ctx context.Context, name string, n int64) (int64, error) {
	first, err := s.nextBlock(ctx, name, n)
	return first, store.OpError("next block", name, err)
}

func (s *Store) nextBlock(ctx context.Context, name string, n int64) (int64, error) {
	ctx, end, err := s.begin(ctx)
	if err != nil {
		return 0, err
	}
	defer end()
	if err := store.CheckBlock(name, n); err != nil {
		return 0, err
	}
	var after struct {
		N int64 `bson:"n"`
	}
	// The condition turns an overflow into an upsert that meets the document itself,
	// a duplicate key. So does the race of two first calls.
	filter := bson.D{{Key: fID, Value: name}, {Key: fN, Value: bson.D{{Key: "$lte", Value: math.MaxInt64 - n}}}}
	change := bson.D{{Key: "$inc", Value: bson.D{{Key: fN, Value: n}}}}
	opts := options.FindOneAndUpdate().SetUpsert(true).SetReturnDocument(options.After)
	// A lost reply leaves a gap, which is allowed, so the write is simply sent again.
	overflow := false
	err = s.repeat(ctx, name, func() error {
		err := s.coll.counters.FindOneAndUpdate(ctx, filter, change, opts).Decode(&after)
		if err == nil {
			return nil
		}
		f := translate(err)
		if !f.duplicate {
			return f
		}
		f.definite = false // to be tried again, unless it was no race
		overflow, err = s.isExhausted(ctx, name, n)
		if err != nil || !overflow {
			return f
		}
		return nil
	})
	if overflow {
		return 0, fmt.Errorf("%w: n: the counter would overflow", store.ErrInvalidArgument)
	}
	if err != nil {
		return 0, err
	}
	return after.N - n + 1, nil
}

// isExhausted tells an overflow from a race that was lost.
func (s *Store) isExhausted(ctx context.Context, name string, n int64) (bool, error) {
	var now struct {
		N int64 `bson:"n"`
	}
	err := s.coll.counters.FindOne(ctx, bson.D{{Key: fID, Value: name}}).Decode(&now)
	if err != nil {
		return false, err
	}
	return now.N > math.MaxInt64-n, nil
}
