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

// fate is what is known of one copy of a write before its document is read.
type fate int

const (
	perhaps    fate = iota // it may have been applied
	notApplied             // it certainly was not
	applied                // it certainly was
)

// waitingInbox is what reading back found of the inbox of one execution.
type waitingInbox struct {
	ID      string         `bson:"_id"`
	EndedAt time.Time      `bson:"ended_at"`
	Seen    []string       `bson:"seen"`
	Inbox   []waitingEntry `bson:"inbox"`
}

type waitingEntry struct {
	ID   string    `bson:"id"`
	From string    `bson:"from"`
	At   time.Time `bson:"at"`
}

// settlePushes reads back what became of pushes, answers those that are decided,
// and sends the others again (D27, D31). Of the unproven ones it is known that
// matched of them were applied, but not which.
func (s *Store) settlePushes(ctx context.Context, ambiguous, unproven []*call[pushWrite], matched int) {
	for _, one := range ambiguous {
		one.write.fate = perhaps
	}
	for _, one := range unproven {
		one.write.fate = perhaps
		if matched == 0 && one.write.cause == nil {
			one.write.fate = notApplied
		}
	}
	open := slices.Concat(ambiguous, unproven)
	found, err := s.readInboxes(ctx, open)
	if err != nil {
		for _, one := range open {
			s.finishPush(one, one.write.unresolved(err))
		}
		return
	}
	tellFates(unproven, matched, found)

	var again []*call[pushWrite]
	troubled := false
	for _, one := range open {
		err, resend := one.write.judge(found[one.key])
		switch {
		case !resend:
			s.finishPush(one, err)
		case one.over(time.Now()):
			s.finishPush(one, one.write.unresolved(fmt.Errorf("%w: it was not accepted in time", store.ErrUnavailable)))
		default:
			again = append(again, one)
			troubled = troubled || one.write.cause != nil
		}
	}
	s.pushes.resend(again, troubled)
}

// tellFates tells from what is there which of the pushes are the matched ones that
// were applied: if as many are there as matched, just those. If more are there,
// some met a duplicate; if fewer, some were taken out again meanwhile.
func tellFates(unproven []*call[pushWrite], matched int, found map[string]*waitingInbox) {
	var there, absent []*pushWrite
	for _, one := range unproven {
		if len(one.write.presentIn(found[one.key])) == len(one.write.ids) {
			there = append(there, one.write)
		} else {
			absent = append(absent, one.write)
		}
	}
	set := func(writes []*pushWrite, to fate) {
		for _, write := range writes {
			if write.cause == nil {
				write.fate = to
			}
		}
	}
	if matched > 0 && len(there) <= matched {
		set(there, applied)
	}
	if len(there) >= matched {
		set(absent, notApplied)
	}
}

// readInboxes reads ids and dates of what waits, and nothing of its content. It
// reads what cannot be rolled back: a push to an unknown or an ended execution ends
// the work of the caller (D28).
func (s *Store) readInboxes(ctx context.Context, open []*call[pushWrite]) (map[string]*waitingInbox, error) {
	var ids, entries []string
	for _, one := range open {
		ids = append(ids, one.key)
		entries = append(entries, one.write.ids...)
	}
	coll := s.settledExecutions(ctx)
	pipeline := mongo.Pipeline{
		{{Key: "$match", Value: bson.D{{Key: fID, Value: bson.D{{Key: "$in", Value: ids}}}}}},
		{{Key: "$project", Value: bson.D{
			{Key: fEndedAt, Value: 1},
			{Key: fSeen, Value: seenOf(entries)},
			{Key: fInbox + "." + fEntryID, Value: 1},
			{Key: fInbox + "." + fFrom, Value: 1},
			{Key: fInbox + "." + fAt, Value: 1},
		}}},
	}
	var rows []waitingInbox
	err := s.persist(ctx, func() error { return readAll(ctx, coll, pipeline, &rows) })
	if err != nil {
		return nil, err
	}
	found := make(map[string]*waitingInbox, len(rows))
	for i := range rows {
		found[rows[i].ID] = &rows[i]
	}
	return found, nil
}

// judge decides in the order of D31, and sets duplicates where that is nil: the
// answer, or that the push has to be sent again.
func (write *pushWrite) judge(found *waitingInbox) (err error, resend bool) {
	if write.fate == applied {
		return nil, false
	}
	if found == nil {
		return store.ErrNotFound, false
	}
	present := write.presentIn(found)
	switch {
	case len(present) == len(write.ids) && write.fate == perhaps && write.isOurs(found):
		return nil, false
	case len(present) > 0:
		write.duplicates = present
		return nil, false
	case !found.EndedAt.IsZero() && write.fate == perhaps:
		// It may have been accepted, and taken out again as a leftover (D35).
		return &store.UncertainError{ID: write.id, Cause: write.reason()}, false
	case !found.EndedAt.IsZero():
		return store.ErrEnded, false
	case len(found.Inbox) > write.room && write.fate == notApplied:
		return store.ErrBackpressure, false
	}
	return nil, true
}

// presentIn returns those of the ids that wait or are processed.
func (write *pushWrite) presentIn(found *waitingInbox) []string {
	if found == nil {
		return nil
	}
	var present []string
	for _, id := range write.ids {
		waits := slices.ContainsFunc(found.Inbox, func(e waitingEntry) bool { return e.ID == id })
		if waits || slices.Contains(found.Seen, id) {
			present = append(present, id)
		}
	}
	return present
}

// isOurs reports whether nothing speaks against it that the entries that wait are
// those of this push: their date and sender. Processed ones tell nothing.
func (write *pushWrite) isOurs(found *waitingInbox) bool {
	for i, id := range write.ids {
		for _, e := range found.Inbox {
			if e.ID == id && (e.From != write.from[i] || !e.At.Equal(write.at)) {
				return false
			}
		}
	}
	return true
}

// unresolved is the answer when nothing could be settled in time.
func (write *pushWrite) unresolved(err error) error {
	if write.fate == notApplied {
		return err
	}
	return &store.UncertainError{ID: write.id, Cause: err}
}

func (write *pushWrite) reason() error {
	if write.cause != nil {
		return write.cause
	}
	return fmt.Errorf("%w: it is not known which writes of a group were applied", store.ErrUnavailable)
}
