package mongostore

import (
	"context"
	"fmt"

	"go.mongodb.org/mongo-driver/v2/bson"
	"golang.org/x/sync/errgroup"

	"github.com/durachart/durachart/store"
)

// SelfCheck lets 16 updates compete for one version of a scratch document. More
// than one winner is store.ErrUnsupported: that server must not be used (D81).
func (s *Store) SelfCheck(ctx context.Context) error {
	return store.OpError("self check", "", s.selfCheck(ctx))
}

func (s *Store) selfCheck(ctx context.Context) error {
	ctx, end, err := s.begin(ctx)
	if err != nil {
		return err
	}
	defer end()
	id := "selfcheck:" + store.NewCommitID()
	scratch := s.coll.meta
	if _, err := scratch.InsertOne(ctx, bson.D{{Key: fID, Value: id}, {Key: fVersion, Value: int64(1)}}); err != nil {
		return translate(err)
	}
	defer func() {
		_, _ = scratch.DeleteOne(context.WithoutCancel(ctx), bson.D{{Key: fID, Value: id}}) // it is in nobody's way
	}()
	const rivals = 16
	won := make([]int64, rivals)
	var group errgroup.Group
	for i := range rivals {
		group.Go(func() error {
			res, err := scratch.UpdateOne(ctx,
				bson.D{{Key: fID, Value: id}, {Key: fVersion, Value: int64(1)}},
				bson.D{{Key: "$set", Value: bson.D{{Key: fVersion, Value: int64(2)}, {Key: fCommitID, Value: store.NewCommitID()}}}})
			if err != nil {
				return translate(err)
			}
			won[i] = res.MatchedCount
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		return err
	}
	winners := int64(0)
	for _, n := range won {
		winners += n
	}
	if winners != 1 {
		return fmt.Errorf("%w: %d of %d compare-and-set updates from one version won", store.ErrUnsupported, winners, rivals)
	}
	return nil
}
