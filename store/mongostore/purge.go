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

// purgeAgain is by how much the date of a root moves that cannot go yet.
const purgeAgain = time.Hour

// Purge implements [store.Executions].
func (s *Store) Purge(ctx context.Context, now time.Time, limit int) (store.Purged, error) {
	p := purge{store: s, now: store.Millis(now)}
	err := p.run(ctx, limit)
	return p.done, store.OpError("purge", "", err)
}

// purge is one pass (D73). Everything that it decides on is read as it cannot be
// rolled back, and every delete repeats the conditions: several may run at once.
type purge struct {
	store *Store
	now   time.Time
	coll  *mongo.Collection
	done  store.Purged
}

func (p *purge) run(ctx context.Context, limit int) error {
	ctx, end, err := p.store.begin(ctx)
	if err != nil {
		return err
	}
	defer end()
	if err := store.CheckTime("now", p.now); err != nil {
		return err
	}
	limit, err = store.CheckLimit(limit, p.store.lim.PurgePass, p.store.lim.PurgePass)
	if err != nil {
		return err
	}
	p.coll = p.store.settledExecutions(ctx)
	expired, err := p.expired(ctx, limit)
	if err != nil {
		return err
	}
	for _, r := range expired {
		if err := p.one(ctx, r); err != nil {
			return err
		}
	}
	return nil
}

// isExpired is the condition of index 11. Newer formats are left to newer versions.
func (p *purge) isExpired() bson.D {
	return append(bson.D{{Key: fExpiresAt, Value: bson.D{{Key: "$lte", Value: p.now}}}}, emptyArrays()...)
}

// expired returns the oldest expired, drained executions.
func (p *purge) expired(ctx context.Context, limit int) ([]*row, error) {
	opts := options.Find().
		SetSort(bson.D{{Key: fExpiresAt, Value: 1}}).
		SetProjection(including(fRootID, fFormat)).
		SetLimit(int64(limit)).
		SetBatchSize(int32(limit))
	cursor, err := p.coll.Find(ctx, append(p.isExpired(), readableFormat()), opts)
	if err != nil {
		return nil, translate(err)
	}
	raws, err := allRaw(ctx, cursor)
	if err != nil {
		return nil, translate(err)
	}
	var rows []*row
	for _, raw := range raws {
		if r, ok := p.store.readable(raw); ok {
			rows = append(rows, r)
		}
	}
	return rows, nil
}

// one decides about one expired execution. A child goes with its root.
func (p *purge) one(ctx context.Context, r *row) error {
	if r.ID == r.RootID {
		return p.family(ctx, r.ID)
	}
	var root struct {
		ExpiresAt time.Time `bson:"expires_at"`
		Inbox     bson.A    `bson:"inbox"`
		Outbox    bson.A    `bson:"outbox"`
		Spawns    bson.A    `bson:"spawns"`
	}
	firsts := including(fExpiresAt)
	for _, array := range []string{fInbox, fOutbox, fSpawns} {
		firsts = append(firsts, bson.E{Key: array, Value: bson.D{{Key: "$slice", Value: 1}}})
	}
	err := p.coll.FindOne(ctx, bson.D{{Key: fID, Value: r.RootID}}, options.FindOne().SetProjection(firsts)).Decode(&root)
	if err != nil {
		if err = readErr(err); errors.Is(err, store.ErrNotFound) {
			return p.remove(ctx, []string{r.ID}, p.isExpired())
		}
		return err
	}
	switch {
	case root.ExpiresAt.IsZero():
		return p.postpone(ctx, r.ID, p.now.Add(max(p.store.lim.Retention, purgeAgain)))
	case root.ExpiresAt.After(p.now):
		return p.postpone(ctx, r.ID, root.ExpiresAt)
	case len(root.Inbox)+len(root.Outbox)+len(root.Spawns) > 0:
		return p.postpone(ctx, r.ID, p.now.Add(purgeAgain))
	}
	return p.family(ctx, r.RootID)
}

// family deletes the ended, drained descendants of a root, whatever their own dates,
// and then the root if none is left.
func (p *purge) family(ctx context.Context, root string) error {
	descendants := bson.D{
		{Key: fRootID, Value: bson.D{{Key: "$eq", Value: root}}},
		{Key: fID, Value: bson.D{{Key: "$ne", Value: root}}},
	}
	if err := p.removeAll(ctx, descendants); err != nil {
		return err
	}
	err := p.coll.FindOne(ctx, descendants, options.FindOne().SetProjection(including(fID))).Err()
	if err == nil {
		return p.postpone(ctx, root, p.now.Add(purgeAgain))
	}
	if err = readErr(err); !errors.Is(err, store.ErrNotFound) {
		return err
	}
	return p.remove(ctx, []string{root}, p.isExpired())
}

// removeAll deletes those of the descendants that are ended and drained.
func (p *purge) removeAll(ctx context.Context, descendants bson.D) error {
	may := append(append(exists(fEndedAt), readableFormat()), emptyArrays()...)
	cursor, err := p.coll.Find(ctx, append(slices.Clone(descendants), may...), options.Find().SetProjection(including(fID)))
	if err != nil {
		return translate(err)
	}
	var docs []struct {
		ID string `bson:"_id"`
	}
	if err := cursor.All(ctx, &docs); err != nil {
		return translate(err)
	}
	for some := range slices.Chunk(docs, p.store.lim.Statements) {
		ids := make([]string, len(some))
		for i := range some {
			ids[i] = some[i].ID
		}
		if err := p.remove(ctx, ids, may); err != nil {
			return err
		}
	}
	return nil
}

// remove deletes executions, each by its id and only if the conditions still hold.
func (p *purge) remove(ctx context.Context, ids []string, may bson.D) error {
	models := make([]mongo.WriteModel, len(ids))
	for i, id := range ids {
		models[i] = mongo.NewDeleteOneModel().SetFilter(append(bson.D{{Key: fID, Value: id}}, may...))
	}
	return p.store.repeat(ctx, ids[0], func() error {
		res, err := p.store.coll.executions.BulkWrite(ctx, models, options.BulkWrite().SetOrdered(false))
		if res != nil {
			p.done.Deleted += int(res.DeletedCount)
		}
		r := replyOf(err)
		return r.first()
	})
}

// postpone moves the date of an execution that is expired and is kept.
func (p *purge) postpone(ctx context.Context, id string, date time.Time) error {
	p.done.Kept++
	filter := bson.D{{Key: fID, Value: id}, {Key: fExpiresAt, Value: bson.D{{Key: "$lte", Value: p.now}}}}
	change := bson.D{{Key: "$set", Value: bson.D{{Key: fExpiresAt, Value: date}}}}
	return p.store.repeat(ctx, id, func() error {
		_, err := p.store.coll.executions.UpdateOne(ctx, filter, change)
		return err
	})
}
