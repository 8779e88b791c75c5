package mongostore

import (
	"context"
	"time"

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
	err := s.poll(ctx, &q, &s.inboxPace, fInbox, including(waitingFields...), func(r *row) { page = append(page, r.waiting()) })
	return page, store.OpError("poll inbox", "", err)
}

// PollOutbox implements [store.Outbox].
func (s *Store) PollOutbox(ctx context.Context, q store.PollQuery) ([]store.Outgoing, error) {
	page, err := s.pollOutgoing(ctx, &q, &s.outboxPace, fOutbox)
	return page, store.OpError("poll outbox", "", err)
}

// PollSpawns implements [store.Spawns].
func (s *Store) PollSpawns(ctx context.Context, q store.PollQuery) ([]store.Outgoing, error) {
	page, err := s.pollOutgoing(ctx, &q, &s.spawnsPace, fSpawns)
	return page, store.OpError("poll spawns", "", err)
}

// pollOutgoing polls for executions and their first entries, in one query. Where some
// are excluded, that query would carry their entries as well, only to be dropped: then
// the entries of the others are fetched afterwards.
func (s *Store) pollOutgoing(ctx context.Context, q *store.PollQuery, p *pace, array string) ([]store.Outgoing, error) {
	var page []store.Outgoing
	var ids []string
	projection := s.outgoingProjection(array)
	if len(q.Exclude) > 0 {
		projection = including(fFormat)
	}
	err := s.poll(ctx, q, p, array, projection, func(r *row) {
		page = append(page, r.outgoing())
		ids = append(ids, r.ID)
	})
	if err != nil || len(q.Exclude) == 0 || len(ids) == 0 {
		return page, err
	}
	return s.fetchOutgoing(ctx, ids, array)
}

func (s *Store) fetchOutgoing(ctx context.Context, ids []string, array string) ([]store.Outgoing, error) {
	ctx, end, err := s.begin(ctx)
	if err != nil {
		return nil, err
	}
	defer end()
	filter := bson.D{{Key: fID, Value: bson.D{{Key: "$in", Value: ids}}}}
	rows, err := s.find(ctx, filter, options.Find().SetProjection(s.outgoingProjection(array)), len(ids))
	if err != nil {
		return nil, err
	}
	var page []store.Outgoing
	for _, raw := range rows {
		if r, ok := s.readable(raw); ok {
			page = append(page, r.outgoing())
		}
	}
	return page, nil
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
// Nothing else is asked of the server either. Whether an execution is excluded is
// looked at here, and as many more rows are asked for: the server would have to fetch
// those documents too, and a planner that takes the condition for a bound on _id
// would read them all. Documents of a newer format and damaged ones are skipped in
// the same way (D13).
func (s *Store) poll(ctx context.Context, q *store.PollQuery, p *pace, array string, projection bson.D, take func(*row)) error {
	ctx, end, err := s.begin(ctx)
	if err != nil {
		return err
	}
	defer end()
	left, err := s.lim.CheckPoll(q, s.opts.Shards)
	if err != nil {
		return err
	}
	excluded := setOf(q.Exclude)
	for shards := q.Shards; len(shards) > 0 && left > 0; {
		n := p.next(len(shards))
		want := left + s.hiddenIn(shards[:n], q.Exclude)
		rows, err := s.find(ctx, s.readableOnly(dueIn(shards[:n], array, q.Until)), options.Find().SetProjection(projection), want)
		if err != nil {
			return err
		}
		for _, raw := range rows {
			r, ok := s.readable(raw)
			if ok && left > 0 && !excluded[r.ID] {
				take(r)
				left--
			}
		}
		p.saw(n, len(rows), want)
		shards = shards[n:]
	}
	return nil
}

func dueIn(shards []int, array string, until time.Time) bson.D {
	return bson.D{
		{Key: fShard, Value: bson.D{{Key: "$in", Value: shards}}},
		{Key: array + "." + fAt, Value: bson.D{{Key: "$lte", Value: until}}},
	}
}

// readableOnly asks for documents of our format only, once one of a newer format was
// met: during an upgrade there may be so many that they would fill the pages (D13).
func (s *Store) readableOnly(filter bson.D) bson.D {
	if s.metNewer.Load() {
		return append(filter, readableFormat())
	}
	return filter
}

func readableFormat() bson.E {
	return bson.E{Key: fFormat, Value: bson.D{{Key: "$lte", Value: store.CurrentFormat}}}
}

// hiddenIn is how many rows of these shards may be of no use: the excluded ones, and
// those that are known to be unreadable.
func (s *Store) hiddenIn(shards []int, exclude []string) int {
	hidden := s.unreadable.count()
	if len(shards) == s.opts.Shards {
		return hidden + len(exclude)
	}
	asked := make(map[int]bool, len(shards))
	for _, n := range shards {
		asked[n] = true
	}
	for _, id := range exclude {
		if asked[store.ShardOf(id, s.opts.Shards)] {
			hidden++
		}
	}
	return hidden
}

func setOf(ids []string) map[string]bool {
	set := make(map[string]bool, len(ids))
	for _, id := range ids {
		set[id] = true
	}
	return set
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
	if r.Format > store.CurrentFormat {
		s.metNewer.Store(true)
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
