package mongostore

import (
	"context"
	"fmt"
	"slices"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"

	"github.com/durachart/durachart/store"
)

// sendCommits is the combiner's command for commits. Where all statements matched
// all have won; else reading back tells winners from losers (D21).
func (s *Store) sendCommits(ctx context.Context, batch []*call[commitWrite], release func()) {
	statements := make([]statement, len(batch))
	for i, one := range batch {
		statements[i] = one.write.statement
	}
	r := update(ctx, s.coll.executions, statements)
	release()

	var unproven, open []*call[commitWrite]
	for i, one := range batch {
		f := r.of(i)
		switch {
		case f == nil:
			unproven = append(unproven, one)
		case f.definite && !one.write.ambiguous:
			s.finishCommit(one, f)
		default:
			one.write.ambiguous, one.write.cause = true, f
			open = append(open, one)
		}
	}
	if int(r.matched) == len(unproven) {
		for _, one := range unproven {
			s.finishCommit(one, nil)
		}
		unproven = nil
	}
	for _, one := range unproven {
		one.write.lost = r.matched == 0
	}
	if open = append(open, unproven...); len(open) > 0 {
		s.commits.settle(func(ctx context.Context) { s.settleCommits(ctx, open) })
	}
}

func (s *Store) finishCommit(one *call[commitWrite], err error) {
	one.write.buf.release()
	s.commits.finish(one, err)
}

// settleCommits reads back what became of commits, answers those whose fate is
// known, and sends the others again.
func (s *Store) settleCommits(ctx context.Context, open []*call[commitWrite]) {
	found, err := s.readBack(ctx, open)
	if err != nil {
		for _, one := range open {
			s.finishCommit(one, one.write.unresolved(err))
		}
		return
	}
	var again []*call[commitWrite]
	troubled := false
	for _, one := range open {
		err, resend := one.write.judge(found[one.key])
		if !resend {
			s.finishCommit(one, err)
			continue
		}
		if one.over(time.Now()) {
			s.finishCommit(one, &store.UncertainError{ID: one.key, Found: one.write.version, Cause: one.write.reason()})
			continue
		}
		again = append(again, one)
		troubled = troubled || one.write.ambiguous
	}
	s.commits.resend(again, troubled)
}

// readBack is what reading back found of one execution.
type readBack struct {
	ID        string   `bson:"_id"`
	Version   int64    `bson:"version"`
	CommitID  string   `bson:"commit_id"`
	Seen      []string `bson:"seen"`
	OutboxLen int      `bson:"outbox_len"`
	SpawnsLen int      `bson:"spawns_len"`
}

// readBack reads, in one aggregation over the batch, what D21 decides on. Where a
// reply was ambiguous it reads what cannot be rolled back.
func (s *Store) readBack(ctx context.Context, open []*call[commitWrite]) (map[string]*readBack, error) {
	coll := s.coll.executions
	var ids, handled []string
	for _, one := range open {
		ids = append(ids, one.key)
		handled = append(handled, one.write.handled...)
		if one.write.ambiguous {
			coll = s.settledExecutions(ctx)
		}
	}
	pipeline := mongo.Pipeline{
		{{Key: "$match", Value: bson.D{{Key: fID, Value: bson.D{{Key: "$in", Value: ids}}}}}},
		{{Key: "$project", Value: bson.D{
			{Key: fVersion, Value: 1},
			{Key: fCommitID, Value: 1},
			{Key: fSeen, Value: seenOf(handled)},
			{Key: fOutboxLen, Value: lengthOf(fOutbox)},
			{Key: fSpawnsLen, Value: lengthOf(fSpawns)},
		}}},
	}
	var rows []readBack
	if err := s.persist(ctx, func() error { return readAll(ctx, coll, pipeline, &rows) }); err != nil {
		return nil, err
	}
	found := make(map[string]*readBack, len(rows))
	for i := range rows {
		found[rows[i].ID] = &rows[i]
	}
	return found, nil
}

// seenOf is the expression for those of ids that are processed. Ids are text of
// users, hence $literal (D5).
func seenOf(ids []string) bson.D {
	return bson.D{{Key: "$setIntersection", Value: bson.A{
		bson.D{{Key: "$ifNull", Value: bson.A{"$" + fProcessed, bson.A{}}}},
		bson.D{{Key: "$literal", Value: ids}},
	}}}
}

// lengthOf is the expression for the length of an array, 0 where it is absent.
func lengthOf(array string) bson.D {
	return bson.D{{Key: "$size", Value: bson.D{{Key: "$ifNull", Value: bson.A{"$" + array, bson.A{}}}}}}
}

func readAll(ctx context.Context, coll *mongo.Collection, pipeline mongo.Pipeline, rows any) error {
	cursor, err := coll.Aggregate(ctx, pipeline)
	if err != nil {
		return err
	}
	return cursor.All(ctx, rows)
}

// judge is the table of D21: the answer, or that the commit has to be sent again.
func (write *commitWrite) judge(found *readBack) (err error, resend bool) {
	if found == nil {
		return store.ErrNotFound, false
	}
	if found.CommitID == write.commitID {
		return nil, false
	}
	seen := write.seenOf(found.Seen)
	conflict := &store.ConflictError{ID: write.id, Expected: write.version, Found: found.Version, Seen: seen}
	if found.Version == write.version {
		switch {
		case len(seen) > 0:
			return conflict, false
		case write.full(found) && !write.ambiguous:
			return store.ErrBackpressure, false
		}
		return nil, true
	}
	if write.ambiguous && len(seen) == len(write.handled) {
		// The events are applied; whether by this commit, below another one, or by
		// somebody else, cannot be told any more.
		return &store.UncertainError{ID: write.id, Found: found.Version, Seen: seen, Cause: write.reason()}, false
	}
	return conflict, false
}

func (write *commitWrite) full(found *readBack) bool {
	return write.outboxRoom >= 0 && found.OutboxLen > write.outboxRoom ||
		write.spawnsRoom >= 0 && found.SpawnsLen > write.spawnsRoom
}

// seenOf keeps, in the order of the commit, what is its own of the ids that were
// seen in a batch.
func (write *commitWrite) seenOf(seen []string) []string {
	var own []string
	for _, id := range write.handled {
		if slices.Contains(seen, id) {
			own = append(own, id)
		}
	}
	return own
}

// unresolved is the answer when reading back failed as well: a commit that matched
// nothing and was sent once did certainly not happen.
func (write *commitWrite) unresolved(err error) error {
	if write.lost && !write.ambiguous {
		return err
	}
	return &store.UncertainError{ID: write.id, Cause: err}
}

// reason is why the fate of the commit is not known.
func (write *commitWrite) reason() error {
	if write.cause != nil {
		return write.cause
	}
	return fmt.Errorf("%w: a copy that was sent may have been applied", store.ErrUnavailable)
}
