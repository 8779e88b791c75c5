package mongostore

import (
	"context"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo/options"

	"github.com/durachart/durachart/store"
)

// PendingOutbox implements [store.Outbox].
func (s *Store) PendingOutbox(ctx context.Context, id string, limit int) ([]store.OutboxEntry, error) {
	r, err := s.readArray(ctx, id, fOutbox, limit)
	return r.Outbox, store.OpError("pending outbox", id, err)
}

// AckOutbox implements [store.Outbox].
func (s *Store) AckOutbox(ctx context.Context, acks []store.Ack) error {
	return store.OpError("ack outbox", "", s.ack(ctx, acks, fOutbox))
}

// PendingSpawns implements [store.Spawns].
func (s *Store) PendingSpawns(ctx context.Context, id string, limit int) ([]store.SpawnEntry, error) {
	r, err := s.readArray(ctx, id, fSpawns, limit)
	return r.Spawns, store.OpError("pending spawns", id, err)
}

// AckSpawns implements [store.Spawns].
func (s *Store) AckSpawns(ctx context.Context, acks []store.Ack) error {
	return store.OpError("ack spawns", "", s.ack(ctx, acks, fSpawns))
}

// ack pulls entries by _id and seq, many executions per command (D46). It states a
// fact, so it asks for no version and may be sent twice.
func (s *Store) ack(ctx context.Context, acks []store.Ack, array string) error {
	ctx, end, err := s.begin(ctx)
	if err != nil {
		return err
	}
	defer end()
	if err := store.CheckAcks(acks); err != nil {
		return err
	}
	for len(acks) > 0 {
		n := min(len(acks), s.lim.Statements)
		if err := s.ackSome(ctx, acks[:n], array); err != nil {
			return err
		}
		acks = acks[n:]
	}
	return nil
}

func (s *Store) ackSome(ctx context.Context, acks []store.Ack, array string) error {
	w := newBuilder()
	defer w.release()
	var cuts []int
	for i := range acks {
		if len(acks[i].Seqs) > 0 {
			cuts = append(cuts, writeAck(w, &acks[i], array)...)
		}
	}
	if len(cuts) == 0 {
		return nil
	}
	cuts = append(cuts, len(w.buf))
	statements := make([]statement, 0, len(cuts)/2)
	for i := 0; i+2 < len(cuts); i += 2 {
		statements = append(statements, statement{
			filter: bson.Raw(w.buf[cuts[i]:cuts[i+1]:cuts[i+1]]),
			update: bson.Raw(w.buf[cuts[i+1]:cuts[i+2]:cuts[i+2]]),
		})
	}
	return s.repeat(ctx, acks[0].ID, func() error {
		r := update(ctx, s.coll.executions, statements)
		return r.first()
	})
}

// writeAck writes filter and update of one execution and returns where they start.
func writeAck(w *builder, ack *store.Ack, array string) []int {
	filter := w.beginRoot()
	w.str(fID, ack.ID)
	w.end()
	change := w.beginRoot()
	w.begin("$pull")
	w.begin(array)
	w.begin(fSeq)
	w.beginArray("$in")
	for i, seq := range ack.Seqs {
		w.itemI64(i, seq)
	}
	w.end()
	w.end()
	w.end()
	w.end()
	w.end()
	return []int{filter, change}
}

// RetryOutbox implements [store.Outbox].
func (s *Store) RetryOutbox(ctx context.Context, r store.Retry) error {
	later := bson.D{
		{Key: "later." + fTargetID, Value: nullIfEmpty(r.TargetID)},
		{Key: "later." + fSeq, Value: bson.D{{Key: "$gt", Value: r.Seq}}},
	}
	return store.OpError("retry outbox", r.ID, s.retry(ctx, &r, fOutbox, later))
}

// RetrySpawn implements [store.Spawns].
func (s *Store) RetrySpawn(ctx context.Context, r store.Retry) error {
	return store.OpError("retry spawn", r.ID, s.retry(ctx, &r, fSpawns, nil))
}

func nullIfEmpty(text string) any {
	if text == "" {
		return nil
	}
	return bson.D{{Key: "$eq", Value: text}}
}

// retry marks an entry and moves its date, and the date of the later ones that the
// condition names (D47). The entry is part of the filter: once it is acked nothing
// moves. It states values, so it may be sent twice.
func (s *Store) retry(ctx context.Context, r *store.Retry, array string, later bson.D) error {
	ctx, end, err := s.begin(ctx)
	if err != nil {
		return err
	}
	defer end()
	if err := store.CheckRetry(r); err != nil {
		return err
	}
	entry := array + ".$[entry]."
	set := bson.D{
		{Key: entry + fAttempts, Value: int32(r.Attempts)},
		{Key: entry + fLastError, Value: store.CutError(r.LastError)},
		{Key: entry + fAt, Value: r.At},
	}
	filters := []any{bson.D{{Key: "entry." + fSeq, Value: r.Seq}}}
	if later != nil {
		set = append(set, bson.E{Key: array + ".$[later]." + fAt, Value: r.At})
		filters = append(filters, later)
	}
	filter := bson.D{{Key: fID, Value: r.ID}, {Key: array + "." + fSeq, Value: r.Seq}}
	change := bson.D{{Key: "$set", Value: set}}
	return s.repeat(ctx, r.ID, func() error {
		_, err := s.coll.executions.UpdateOne(ctx, filter, change, options.UpdateOne().SetArrayFilters(filters))
		return err
	})
}
