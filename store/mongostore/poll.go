package mongostore

import (
	"context"
	"slices"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo/options"

	"github.com/durachart/durachart/internal/logkey"
	"github.com/durachart/durachart/store"
)

// waitingFields are what a page says of each execution (D38).
var waitingFields = []string{fShard, fStatus, fVersion, fPriority, fFormat, fParked + "." + fAt, fEndedAt}

// PollInbox implements [store.Inbox].
func (s *Store) PollInbox(ctx context.Context, q store.PollQuery) ([]store.Waiting, error) {
	var page []store.Waiting
	err := s.poll(ctx, q, fInbox, including(waitingFields...), func(r *row) { page = append(page, r.waiting()) })
	return page, store.OpError("poll inbox", "", err)
}

// PollOutbox implements [store.Outbox].
func (s *Store) PollOutbox(ctx context.Context, q store.PollQuery) ([]store.Outgoing, error) {
	page, err := s.pollOutgoing(ctx, q, fOutbox)
	return page, store.OpError("poll outbox", "", err)
}

// PollSpawns implements [store.Spawns].
func (s *Store) PollSpawns(ctx context.Context, q store.PollQuery) ([]store.Outgoing, error) {
	page, err := s.pollOutgoing(ctx, q, fSpawns)
	return page, store.OpError("poll spawns", "", err)
}

func (s *Store) pollOutgoing(ctx context.Context, q store.PollQuery, array string) ([]store.Outgoing, error) {
	var page []store.Outgoing
	err := s.poll(ctx, q, array, s.outgoingProjection(array), func(r *row) { page = append(page, r.outgoing()) })
	return page, err
}

// outgoingProjection adds the first entries of an array. They are in the order of
// their seq, because that is how they are pushed.
func (s *Store) outgoingProjection(array string) bson.D {
	return append(including(append([]string{fRootID, fDefinitionID}, waitingFields...)...),
		bson.E{Key: array, Value: bson.D{{Key: "$slice", Value: s.lim.PollEntries}}})
}

// poll calls take with the executions of q that have an entry due in the array
// (D37). The condition on the array field is one and alone, so that it can bound
// the index; nothing sorts, for that would be done in memory.
//
// Documents of a newer format and damaged ones are skipped, reported once, and not
// asked for again, lest they fill the pages (D13).
func (s *Store) poll(ctx context.Context, q store.PollQuery, array string, projection bson.D, take func(*row)) error {
	ctx, end, err := s.begin(ctx)
	if err != nil {
		return err
	}
	defer end()
	limit, err := s.lim.CheckPoll(&q, s.opts.Shards)
	if err != nil || len(q.Shards) == 0 {
		return err
	}
	for range pollTries {
		rows, err := s.find(ctx, s.pollFilter(&q, array), options.Find().SetProjection(projection), limit)
		if err != nil {
			return err
		}
		taken := 0
		for _, raw := range rows {
			if r, ok := s.readable(raw); ok {
				take(r)
				taken++
			}
		}
		if taken > 0 || len(rows) < limit {
			return nil
		}
	}
	return nil
}

// pollTries bounds the search for something readable behind pages of what is not.
const pollTries = 4

func (s *Store) pollFilter(q *store.PollQuery, array string) bson.D {
	filter := bson.D{
		{Key: fShard, Value: bson.D{{Key: "$in", Value: q.Shards}}},
		{Key: array + "." + fAt, Value: bson.D{{Key: "$lte", Value: q.Until}}},
	}
	return excluding(filter, slices.Concat(q.Exclude, s.unreadable.all()))
}

func excluding(filter bson.D, ids []string) bson.D {
	if len(ids) == 0 {
		return filter
	}
	return append(filter, bson.E{Key: fID, Value: bson.D{{Key: "$nin", Value: ids}}})
}

// find returns at most limit undecoded rows, in one reply.
func (s *Store) find(ctx context.Context, filter bson.D, opts *options.FindOptionsBuilder, limit int) ([]bson.Raw, error) {
	cursor, err := s.coll.executions.Find(ctx, filter, opts.SetLimit(int64(limit)).SetBatchSize(int32(limit)))
	if err != nil {
		return nil, translate(err)
	}
	rows, err := allRaw(ctx, cursor)
	if err != nil {
		return nil, translate(err)
	}
	return rows, nil
}

// readable decodes a row of a list or a poll, or reports, once, why it is skipped.
func (s *Store) readable(raw bson.Raw) (*row, bool) {
	r, err := decode(raw)
	if err == nil {
		return r, true
	}
	if s.unreadable.add(r.ID) {
		s.log.Warn("execution is skipped in polls and lists", logkey.Execution, r.ID, logkey.Error, err)
	}
	return nil, false
}

func (r *row) waiting() store.Waiting {
	return store.Waiting{
		ID:       r.ID,
		Shard:    r.Shard,
		Priority: r.Priority,
		Version:  r.Version,
		Status:   r.Status,
		Held:     r.Status == store.Suspended || r.Parked != nil,
		Ended:    r.Ended,
	}
}

func (r *row) outgoing() store.Outgoing {
	return store.Outgoing{
		Waiting:      r.waiting(),
		RootID:       r.RootID,
		DefinitionID: r.DefinitionID,
		Outbox:       r.Outbox,
		Spawns:       r.Spawns,
	}
}
