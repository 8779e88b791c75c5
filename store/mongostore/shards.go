package mongostore

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
	"go.mongodb.org/mongo-driver/v2/mongo/options"

	"github.com/durachart/durachart/store"
)

// Every expiry is decided by the server's clock inside the update (D58). The forms
// $toLong and $toDate are chosen, and not date arithmetic, because that is where
// compatible servers differ (D59).
var (
	now       = bson.D{{Key: "$toLong", Value: "$$NOW"}}
	isFree    = bson.D{{Key: "$lte", Value: bson.A{bson.D{{Key: "$toLong", Value: "$" + fUntil}}, now}}}
	serverNow = bson.D{{Key: "$toDate", Value: now}}
)

func in(ttl time.Duration) bson.D {
	return bson.D{{Key: "$toDate", Value: bson.D{{Key: "$add", Value: bson.A{now, ttl.Milliseconds()}}}}}
}

func ifFree(then, otherwise any) bson.D {
	return bson.D{{Key: "$cond", Value: bson.A{isFree, then, otherwise}}}
}

// literal keeps text of users from being read as an expression (D5).
func literal(text string) bson.D { return bson.D{{Key: "$literal", Value: text}} }

func setStage(fields ...bson.E) mongo.Pipeline {
	return mongo.Pipeline{{{Key: "$set", Value: bson.D(fields)}}}
}

// Announce implements [store.Shards].
func (s *Store) Announce(ctx context.Context, w store.Worker, ttl time.Duration) error {
	return store.OpError("announce", w.Owner, s.announce(ctx, &w, ttl))
}

func (s *Store) announce(ctx context.Context, w *store.Worker, ttl time.Duration) error {
	ctx, end, err := s.begin(ctx)
	if err != nil {
		return err
	}
	defer end()
	if err := store.CheckWorker(w, ttl); err != nil {
		return err
	}
	change := setStage(
		bson.E{Key: fUntil, Value: in(ttl)},
		bson.E{Key: fName, Value: literal(w.Name)},
		bson.E{Key: fStartedAt, Value: w.StartedAt},
	)
	err = s.repeat(ctx, w.Owner, func() error {
		_, err := s.coll.workers.UpdateOne(ctx, bson.D{{Key: fID, Value: w.Owner}}, change, options.UpdateOne().SetUpsert(true))
		if err != nil && mongo.IsDuplicateKeyError(err) { // one statement: it can be no other item's
			f := translate(err)
			f.definite = false // another upsert came first: this one is an update now
			return f
		}
		return err
	})
	if err == nil {
		s.forgetWorkers(ctx)
	}
	return err
}

// forgetWorkers removes what processes left behind that died, so that a survey does not
// read more of it each day. The clock of this process is good enough for something that
// is over for long: were it a day ahead, workers that live would be missed until they
// announce themselves again.
func (s *Store) forgetWorkers(ctx context.Context) {
	over := time.Now().Add(-store.WorkerKept)
	_, _ = s.coll.workers.DeleteMany(ctx, bson.D{{Key: fUntil, Value: bson.D{{Key: "$lt", Value: over}}}}) // else the next one does
}

// AcquireShards implements [store.Shards].
func (s *Store) AcquireShards(ctx context.Context, owner string, shards []int, ttl time.Duration) (store.Leases, error) {
	held, err := s.acquire(ctx, owner, shards, ttl)
	return held, store.OpError("acquire", owner, err)
}

func (s *Store) acquire(ctx context.Context, owner string, shards []int, ttl time.Duration) (store.Leases, error) {
	ctx, end, err := s.begin(ctx)
	if err != nil {
		return store.Leases{}, err
	}
	defer end()
	if err := store.CheckLease(owner, shards, s.opts.Shards, ttl); err != nil {
		return store.Leases{}, err
	}
	coll, sent := s.coll.shards, time.Now()
	if len(shards) > 0 {
		filter := bson.D{{Key: fID, Value: bson.D{{Key: "$in", Value: shards}}}}
		change := setStage(
			bson.E{Key: fOwner, Value: ifFree(literal(owner), "$"+fOwner)},
			bson.E{Key: fFence, Value: ifFree(bson.D{{Key: "$add", Value: bson.A{"$" + fFence, int64(1)}}}, "$"+fFence)},
			bson.E{Key: fUntil, Value: ifFree(in(ttl), "$"+fUntil)},
		)
		if _, err := s.coll.shards.UpdateMany(ctx, filter, change); err != nil {
			// What was taken is told by the read below; what was not may be asked
			// for again with the next pass (D27).
			if f := translate(err); f.definite {
				return store.Leases{}, f
			}
			coll = s.settled(ctx, s.coll.shards, s.coll.decidedShards)
		}
	}
	return s.heldBy(ctx, coll, owner, sent)
}

// RenewShards implements [store.Shards].
func (s *Store) RenewShards(ctx context.Context, owner string, held []int, ttl time.Duration) (store.Leases, error) {
	left, err := s.renew(ctx, owner, held, ttl)
	return left, store.OpError("renew", owner, err)
}

func (s *Store) renew(ctx context.Context, owner string, held []int, ttl time.Duration) (store.Leases, error) {
	ctx, end, err := s.begin(ctx)
	if err != nil {
		return store.Leases{}, err
	}
	defer end()
	if err := store.CheckLease(owner, held, s.opts.Shards, ttl); err != nil {
		return store.Leases{}, err
	}
	var sent time.Time
	err = s.repeat(ctx, owner, func() error {
		sent = time.Now()
		_, err := s.coll.shards.UpdateMany(ctx, ofOwner(owner), setStage(bson.E{Key: fUntil, Value: in(ttl)}))
		return err
	})
	if err != nil {
		return store.Leases{}, err
	}
	left, err := s.heldBy(ctx, s.coll.shards, owner, sent)
	if err != nil {
		return store.Leases{}, err
	}
	var lost []int
	for _, n := range held {
		if !slices.ContainsFunc(left.Held, func(l store.Lease) bool { return l.Shard == n }) {
			lost = append(lost, n)
		}
	}
	if len(lost) > 0 {
		return left, fmt.Errorf("%w: shards %v", store.ErrLeaseLost, lost)
	}
	return left, nil
}

func ofOwner(owner string) bson.D {
	return bson.D{{Key: fOwner, Value: bson.D{{Key: "$eq", Value: owner}}}}
}

// ReleaseShards implements [store.Shards].
func (s *Store) ReleaseShards(ctx context.Context, owner string, shards []int) error {
	return store.OpError("release", owner, s.releaseShards(ctx, owner, shards))
}

func (s *Store) releaseShards(ctx context.Context, owner string, shards []int) error {
	ctx, end, err := s.begin(ctx)
	if err != nil {
		return err
	}
	defer end()
	if err := store.CheckLease(owner, shards, s.opts.Shards, store.MinLeaseTTL); err != nil {
		return err
	}
	filter := ofOwner(owner)
	if shards != nil {
		filter = append(filter, bson.E{Key: fID, Value: bson.D{{Key: "$in", Value: shards}}})
	}
	change := setStage(bson.E{Key: fOwner, Value: ""}, bson.E{Key: fUntil, Value: serverNow})
	err = s.repeat(ctx, owner, func() error {
		_, err := s.coll.shards.UpdateMany(ctx, filter, change)
		return err
	})
	if err != nil || shards != nil {
		return err
	}
	return s.repeat(ctx, owner, func() error {
		_, err := s.coll.workers.DeleteOne(ctx, bson.D{{Key: fID, Value: owner}})
		return err
	})
}

type leaseDoc struct {
	Shard int       `bson:"_id"`
	Owner string    `bson:"owner"`
	Fence int64     `bson:"fence"`
	Until time.Time `bson:"until"`
	Now   time.Time `bson:"now"`
}

func (l *leaseDoc) lease() store.Lease {
	return store.Lease{Shard: l.Shard, Owner: l.Owner, Fence: l.Fence, Until: l.Until.UTC(), Live: l.Until.After(l.Now)}
}

// heldBy is the read that follows a lease command: what names owner is ours. It
// carries the server's clock.
func (s *Store) heldBy(ctx context.Context, coll *mongo.Collection, owner string, sent time.Time) (store.Leases, error) {
	docs, now, err := s.readLeases(ctx, coll, ofOwner(owner))
	if err != nil {
		return store.Leases{}, err
	}
	result := store.Leases{SentAt: sent, ServerNow: now}
	for i := range docs {
		result.Held = append(result.Held, docs[i].lease())
	}
	return result, nil
}

// readLeases reads shard documents, each with the server's clock. Where none
// matches the clock comes from the server's greeting.
func (s *Store) readLeases(ctx context.Context, coll *mongo.Collection, filter bson.D) ([]leaseDoc, time.Time, error) {
	pipeline := mongo.Pipeline{
		{{Key: "$match", Value: filter}},
		{{Key: "$sort", Value: bson.D{{Key: fID, Value: 1}}}},
		{{Key: "$addFields", Value: bson.D{{Key: "now", Value: "$$NOW"}}}},
	}
	var docs []leaseDoc
	opts := options.Aggregate().SetBatchSize(int32(s.opts.Shards) + 1)
	err := s.persist(ctx, func() error {
		cursor, err := coll.Aggregate(ctx, pipeline, opts)
		if err != nil {
			return err
		}
		return cursor.All(ctx, &docs)
	})
	if err != nil {
		return nil, time.Time{}, err
	}
	if len(docs) > 0 {
		return docs, docs[0].Now.UTC(), nil
	}
	hello, err := s.hello(ctx)
	if err != nil {
		return nil, time.Time{}, err
	}
	return nil, hello.LocalTime.UTC(), nil
}

// Survey implements [store.Shards].
func (s *Store) Survey(ctx context.Context) (store.Survey, error) {
	survey, err := s.survey(ctx)
	return survey, store.OpError("survey", "", err)
}

func (s *Store) survey(ctx context.Context) (store.Survey, error) {
	ctx, end, err := s.begin(ctx)
	if err != nil {
		return store.Survey{}, err
	}
	defer end()
	leases, now, err := s.readLeases(ctx, s.coll.shards, bson.D{})
	if err != nil {
		return store.Survey{}, err
	}
	survey := store.Survey{ServerNow: now}
	for i := range leases {
		survey.Leases = append(survey.Leases, leases[i].lease())
	}
	var workers []struct {
		Owner     string    `bson:"_id"`
		Name      string    `bson:"name"`
		StartedAt time.Time `bson:"started_at"`
		Until     time.Time `bson:"until"`
	}
	err = s.persist(ctx, func() error {
		cursor, err := s.coll.workers.Find(ctx, bson.D{})
		if err != nil {
			return err
		}
		return cursor.All(ctx, &workers)
	})
	if err != nil {
		return store.Survey{}, err
	}
	for _, w := range workers {
		survey.Workers = append(survey.Workers, store.Worker{
			Owner: w.Owner, Name: w.Name, StartedAt: w.StartedAt.UTC(), Live: w.Until.After(now),
		})
	}
	slices.SortFunc(survey.Workers, func(a, b store.Worker) int { return cmp.Compare(a.Owner, b.Owner) })
	return survey, nil
}
