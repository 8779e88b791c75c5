package mongostore

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
	"go.mongodb.org/mongo-driver/v2/mongo/options"

	"github.com/durachart/durachart/store"
)

// shardsPerScan bounds the shards of one query for due timers, so that the server
// merges as many sorted scans instead of sorting (section 6).
const shardsPerScan = 64

// DueTimers implements [store.Timers].
func (s *Store) DueTimers(ctx context.Context, q store.PollQuery) ([]store.DueTimer, error) {
	due, err := s.dueTimers(ctx, &q)
	return due, store.OpError("due timers", "", err)
}

func (s *Store) dueTimers(ctx context.Context, q *store.PollQuery) ([]store.DueTimer, error) {
	ctx, end, err := s.begin(ctx)
	if err != nil {
		return nil, err
	}
	defer end()
	limit, err := s.lim.CheckDue(q, s.opts.Shards)
	if err != nil || len(q.Shards) == 0 {
		return nil, err
	}
	page := duePage{until: store.Millis(q.Until), excluded: setOf(q.Exclude)}
	for shards := range slices.Chunk(distinct(q.Shards), shardsPerScan) {
		want := limit + s.hiddenIn(shards, q.Exclude)
		rows, err := s.find(ctx, s.readableOnly(dueAt(shards, q.Until)), dueOptions(), want)
		if err != nil {
			return nil, err
		}
		var last *row
		for _, raw := range rows {
			if r, ok := s.readable(raw); ok {
				last = r
				page.add(r)
			}
		}
		if len(rows) == want {
			page.cutAfter(last)
		}
	}
	return page.timers(limit), nil
}

func distinct(numbers []int) []int { return slices.Compact(slices.Sorted(slices.Values(numbers))) }

// dueAt is the condition on the timers of some shards (D56).
//
// It says the same twice. The first two conditions are what the index answers by a
// merge of sorted scans, one per shard. The clauses per shard are for servers that
// bound such scans by the shard only and would go through all that is armed: a clause
// of equality and range they do bound at both ends. No server is the worse for it.
func dueAt(shards []int, until time.Time) bson.D {
	due := bson.E{Key: fNextFireAt, Value: bson.D{{Key: "$lte", Value: until}}}
	clauses := make(bson.A, len(shards))
	for i, n := range shards {
		clauses[i] = bson.D{{Key: fShard, Value: n}, due}
	}
	return bson.D{
		{Key: fShard, Value: bson.D{{Key: "$in", Value: shards}}},
		due,
		{Key: "$or", Value: clauses},
	}
}

func dueOptions() *options.FindOptionsBuilder {
	return options.Find().
		SetSort(bson.D{{Key: fNextFireAt, Value: 1}}).
		SetProjection(including(fShard, fVersion, fFormat, fTimers, fNextFireAt))
}

// duePage is the executions of several queries, each the earliest of its shards.
type duePage struct {
	until    time.Time
	excluded map[string]bool
	rows     []*row
	// cut is set when there may be more than was given: beyond that date there may be
	// timers that are missing here.
	cut time.Time
}

func (p *duePage) add(r *row) {
	if !p.excluded[r.ID] {
		p.rows = append(p.rows, r)
	}
}

// cutAfter takes note that there may be more after that row.
func (p *duePage) cutAfter(last *row) {
	if last != nil && (p.cut.IsZero() || last.NextFireAt.Before(p.cut)) {
		p.cut = last.NextFireAt
	}
}

// timers returns what is due of the first limit executions, earliest first: by due
// date a true prefix of all there is (D56).
func (p *duePage) timers(limit int) []store.DueTimer {
	slices.SortStableFunc(p.rows, func(a, b *row) int { return a.NextFireAt.Compare(b.NextFireAt) })
	if len(p.rows) > limit {
		p.rows = p.rows[:limit]
		p.cutAfter(p.rows[limit-1])
	}
	var due []store.DueTimer
	for _, r := range p.rows {
		for name, at := range r.Timers {
			if at.After(p.until) || !p.cut.IsZero() && at.After(p.cut) {
				continue
			}
			due = append(due, store.DueTimer{ID: r.ID, Name: name, Due: at, Shard: r.Shard, Version: r.Version})
		}
	}
	slices.SortFunc(due, func(a, b store.DueTimer) int {
		return cmp.Or(a.Due.Compare(b.Due), cmp.Compare(a.ID, b.ID), cmp.Compare(a.Name, b.Name))
	})
	return due
}

// DeleteTimer implements [store.Timers]: a commit of its own (D57).
func (s *Store) DeleteTimer(ctx context.Context, id, name string, due time.Time) (bool, error) {
	deleted, err := s.deleteTimer(ctx, id, name, due)
	return deleted, store.OpError("delete timer", id, err)
}

func (s *Store) deleteTimer(ctx context.Context, id, name string, due time.Time) (bool, error) {
	ctx, end, err := s.beginOn(ctx, id)
	if err != nil {
		return false, err
	}
	defer end()
	if err := store.CheckTimerName(name); err != nil {
		return false, err
	}
	if err := store.CheckTime("due", due); err != nil {
		return false, err
	}
	key := store.EncodeTimer(name) // no dot and no dollar, so it is one field name (D6)
	commitID := store.NewCommitID()
	filter := bson.D{{Key: fID, Value: id}, {Key: fTimers + "." + key, Value: store.Millis(due)}}
	change := withoutTimer(key, commitID)
	for sent := 1; ; sent++ {
		res, err := s.coll.executions.UpdateOne(ctx, filter, change)
		if err == nil && (res.MatchedCount > 0 || sent == 1) {
			return res.MatchedCount > 0, nil
		}
		var cause error = store.ErrUnavailable
		if err != nil {
			f := translate(err)
			if f.definite && sent == 1 {
				return false, f
			}
			cause = f
		}
		// A copy may have been applied. Its commit id tells, as long as no other
		// commit came after it.
		fate, err := s.timerFate(ctx, id, key, due, commitID)
		switch {
		case err != nil:
			return false, &store.UncertainError{ID: id, Cause: err}
		case fate == applied:
			return true, nil
		case fate == perhaps:
			return false, &store.UncertainError{ID: id, Cause: cause}
		}
		if err := pause(ctx, jitter(resendBackoff)); err != nil {
			return false, &store.UncertainError{ID: id, Cause: cause}
		}
	}
}

// withoutTimer is the pipeline that takes one timer away and computes the rest. Keys
// are text of users, hence $literal (D5).
func withoutTimer(key, commitID string) mongo.Pipeline {
	return mongo.Pipeline{
		{{Key: "$set", Value: bson.D{
			{Key: fTimers, Value: bson.D{{Key: "$arrayToObject", Value: bson.D{{Key: "$filter", Value: bson.D{
				{Key: "input", Value: bson.D{{Key: "$objectToArray", Value: "$" + fTimers}}},
				{Key: "as", Value: "t"},
				{Key: "cond", Value: bson.D{{Key: "$ne", Value: bson.A{"$$t.k", bson.D{{Key: "$literal", Value: key}}}}}},
			}}}}}},
			{Key: fVersion, Value: bson.D{{Key: "$add", Value: bson.A{"$" + fVersion, int64(1)}}}},
			{Key: fCommitID, Value: bson.D{{Key: "$literal", Value: commitID}}},
			{Key: fUpdatedAt, Value: "$$NOW"},
		}}},
		{{Key: "$set", Value: bson.D{
			{Key: fNextFireAt, Value: bson.D{{Key: "$ifNull", Value: bson.A{
				bson.D{{Key: "$min", Value: bson.D{{Key: "$map", Value: bson.D{
					{Key: "input", Value: bson.D{{Key: "$objectToArray", Value: "$" + fTimers}}},
					{Key: "as", Value: "t"},
					{Key: "in", Value: "$$t.v"},
				}}}}},
				"$$REMOVE",
			}}}},
		}}},
	}
}

// timerFate reads back what became of a deletion. It was applied when the commit id
// is ours, and it was not while the timer is still there. Else the timer is gone or
// another one, by whom is not known.
func (s *Store) timerFate(ctx context.Context, id, key string, due time.Time, commitID string) (fate, error) {
	var found struct {
		CommitID string               `bson:"commit_id"`
		Timers   map[string]time.Time `bson:"timers"`
	}
	coll, filter := s.settledExecutions(ctx), bson.D{{Key: fID, Value: id}}
	projection := options.FindOne().SetProjection(including(fCommitID, fTimers))
	err := s.persist(ctx, func() error { return coll.FindOne(ctx, filter, projection).Decode(&found) })
	switch {
	case errors.Is(err, store.ErrNotFound):
		return perhaps, nil
	case err != nil:
		return perhaps, err
	case found.CommitID == commitID:
		return applied, nil
	case found.Timers[key].Equal(store.Millis(due)):
		return notApplied, nil
	}
	return perhaps, nil
}
