package mongostore

import (
	"context"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo/options"

	"github.com/durachart/durachart/store"
)

// ReadInbox implements [store.Inbox].
func (s *Store) ReadInbox(ctx context.Context, id string, limit int) ([]store.InboxEntry, error) {
	r, err := s.readArray(ctx, id, fInbox, limit)
	return r.Inbox, store.OpError("read inbox", id, err)
}

// readArray reads the first entries of one array of one execution.
func (s *Store) readArray(ctx context.Context, id, array string, limit int) (*row, error) {
	none := new(row)
	ctx, end, err := s.beginOn(ctx, id)
	if err != nil {
		return none, err
	}
	defer end()
	limit, err = store.CheckLimit(limit, s.lim.PollEntries, store.MaxPerWrite)
	if err != nil {
		return none, err
	}
	projection := append(including(fFormat), bson.E{Key: array, Value: bson.D{{Key: "$slice", Value: limit}}})
	raw, err := s.coll.executions.FindOne(ctx, bson.D{{Key: fID, Value: id}}, options.FindOne().SetProjection(projection)).Raw()
	if err != nil {
		return none, readErr(err)
	}
	r, err := decode(raw)
	if err != nil {
		return none, err
	}
	return r, nil
}

// DeferInbox implements [store.Inbox].
func (s *Store) DeferInbox(ctx context.Context, id string, version int64, until time.Time) error {
	return store.OpError("defer inbox", id, s.deferInbox(ctx, id, version, until))
}

func (s *Store) deferInbox(ctx context.Context, id string, version int64, until time.Time) error {
	ctx, end, err := s.beginOn(ctx, id)
	if err != nil {
		return err
	}
	defer end()
	if err := store.CheckTime("until", until); err != nil {
		return err
	}
	// The version lets a concurrent resume win (D34).
	filter := bson.D{{Key: fID, Value: id}, {Key: fVersion, Value: version}}
	change := bson.D{{Key: "$set", Value: bson.D{{Key: fInbox + ".$[]." + fAt, Value: until}}}}
	return s.repeat(ctx, id, func() error {
		_, err := s.coll.executions.UpdateOne(ctx, filter, change)
		return err
	})
}

// DropInbox implements [store.Inbox].
func (s *Store) DropInbox(ctx context.Context, id string, eventIDs []string) error {
	return store.OpError("drop inbox", id, s.dropInbox(ctx, id, eventIDs))
}

func (s *Store) dropInbox(ctx context.Context, id string, eventIDs []string) error {
	ctx, end, err := s.beginOn(ctx, id)
	if err != nil {
		return err
	}
	defer end()
	if err := store.CheckIDs("event ids", eventIDs); err != nil || len(eventIDs) == 0 {
		return err
	}
	return s.repeat(ctx, id, func() error {
		_, err := s.coll.executions.UpdateOne(ctx, bson.D{{Key: fID, Value: id}}, pull(fInbox, fEntryID, eventIDs))
		return err
	})
}

// pull takes out of an array the entries whose key is one of values.
func pull(array, key string, values any) bson.D {
	which := bson.D{{Key: key, Value: bson.D{{Key: "$in", Value: values}}}}
	return bson.D{{Key: "$pull", Value: bson.D{{Key: array, Value: which}}}}
}

// CountTry implements [store.Inbox].
func (s *Store) CountTry(ctx context.Context, id, eventID string, n int) error {
	return store.OpError("count try", id, s.countTry(ctx, id, eventID, n))
}

func (s *Store) countTry(ctx context.Context, id, eventID string, n int) error {
	ctx, end, err := s.beginOn(ctx, id)
	if err != nil {
		return err
	}
	defer end()
	if err := store.CheckID("event id", eventID); err != nil {
		return err
	}
	change := bson.D{{Key: "$max", Value: bson.D{{Key: fInbox + ".$[e]." + fAttempts, Value: int32(n)}}}}
	which := options.UpdateOne().SetArrayFilters([]any{
		bson.D{{Key: "e." + fEntryID, Value: bson.D{{Key: "$eq", Value: eventID}}}},
	})
	return s.repeat(ctx, id, func() error {
		_, err := s.coll.executions.UpdateOne(ctx, bson.D{{Key: fID, Value: id}}, change, which)
		return err
	})
}
