package mongostore

import (
	"context"
	"slices"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"

	"github.com/durachart/durachart/store"
)

// Push implements [store.Inbox]: one update, whatever the number of entries (D30).
func (s *Store) Push(ctx context.Context, p store.Push) (store.Pushed, error) {
	one, end, err := s.beginPush(ctx, &p)
	if err != nil {
		return store.Pushed{}, err
	}
	defer end()
	pushed, err := s.push(ctx, one, &p)
	return pushed, store.OpError("push", p.ID, err)
}

// PushBatch implements [store.BulkCommitter].
func (s *Store) PushBatch(ctx context.Context, ps []store.Push) ([]store.Pushed, []error) {
	pushed, errs := make([]store.Pushed, len(ps)), make([]error, len(ps))
	calls := make([]*call[pushWrite], len(ps))
	for i := range ps {
		one, end, err := s.beginPush(ctx, &ps[i])
		if err != nil {
			errs[i] = err
			continue
		}
		defer end()
		calls[i] = one
	}
	s.pushes.submit(slices.DeleteFunc(slices.Clone(calls), isNil)...)
	for i, one := range calls {
		if one != nil {
			err := s.pushes.wait(ctx, one)
			if err == nil {
				pushed[i], err = s.pushRest(ctx, one, &ps[i])
			}
			errs[i] = store.OpError("push", ps[i].ID, err)
		}
	}
	return pushed, errs
}

func (s *Store) beginPush(ctx context.Context, p *store.Push) (*call[pushWrite], func(), error) {
	if err := s.enter(ctx); err != nil {
		return nil, nil, store.OpError("push", p.ID, err)
	}
	err := s.lim.CheckPush(p)
	if err != nil {
		s.gate.leave()
		return nil, nil, err
	}
	one := s.newPush(p.ID, p.Entries, p.Now)
	if err := s.checkFits(one.write.buf); err != nil {
		s.gate.leave()
		return nil, nil, store.OpError("push", p.ID, err)
	}
	return one, s.gate.leave, nil
}

func (s *Store) push(ctx context.Context, one *call[pushWrite], p *store.Push) (store.Pushed, error) {
	if err := s.pushes.do(ctx, one); err != nil {
		return store.Pushed{}, err
	}
	return s.pushRest(ctx, one, p)
}

// pushRest is the end of a push. Where some of its entries are duplicates nothing was
// added, and the others have to be pushed one by one, in order (D31).
func (s *Store) pushRest(ctx context.Context, one *call[pushWrite], p *store.Push) (store.Pushed, error) {
	duplicates := one.write.duplicates
	if len(duplicates) == 0 || len(duplicates) == len(p.Entries) {
		return store.Pushed{Added: len(p.Entries) - len(duplicates), Duplicates: duplicates}, nil
	}
	var all store.Pushed
	for i := range p.Entries {
		single := s.newPush(p.ID, p.Entries[i:i+1], p.Now)
		if err := s.pushes.do(ctx, single); err != nil {
			return all, err
		}
		all.Added += 1 - len(single.write.duplicates)
		all.Duplicates = append(all.Duplicates, single.write.duplicates...)
	}
	return all, nil
}

// pushWrite is a push as it is sent.
type pushWrite struct {
	statement
	buf *builder // holds the statement

	id   string
	ids  []string // of the entries
	from []string
	at   time.Time
	room int // the position that must not exist (D23)

	cause *failure // of the last try that was ambiguous
	fate  fate     // of the last try

	// duplicates is the answer, set before the call is finished: none, all, or
	// some, in which case nothing was added.
	duplicates []string
}

func (s *Store) newPush(id string, entries []store.InboxEntry, now time.Time) *call[pushWrite] {
	write := s.encodePush(id, entries, now)
	return newCall(write, id, len(write.buf.buf), time.Now().Add(s.lim.OpTimeout))
}

func (s *Store) encodePush(id string, entries []store.InboxEntry, now time.Time) *pushWrite {
	w := newBuilder()
	write := &pushWrite{
		buf: w, id: id, at: store.Millis(now),
		ids:  make([]string, len(entries)),
		from: make([]string, len(entries)),
		room: s.lim.InboxPosition(entries),
	}
	for i := range entries {
		write.ids[i], write.from[i] = entries[i].ID, entries[i].From
	}

	w.beginRoot()
	w.str(fID, id)
	for _, key := range []string{fInbox + "." + fEntryID, fProcessed} {
		w.begin(key)
		w.strs("$nin", write.ids)
		w.end()
	}
	w.absent(fEndedAt)
	w.absentAt(fInbox, write.room)
	w.end()
	split := len(w.buf)

	w.beginRoot()
	w.begin("$push")
	w.begin(fInbox)
	w.beginArray("$each")
	writeInbox(w, entries, now)
	w.end()
	w.end()
	w.end()
	w.begin("$set")
	w.date(fWakeAt, now)
	w.end()
	w.end()

	write.filter, write.update = bson.Raw(w.buf[:split:split]), bson.Raw(w.from(split))
	return write
}

// sendPushes is the combiner's command for pushes.
func (s *Store) sendPushes(ctx context.Context, batch []*call[pushWrite], release func()) {
	statements := make([]statement, len(batch))
	for i, one := range batch {
		statements[i] = one.write.statement
	}
	r := update(ctx, s.coll.executions, statements)
	release()

	var unproven, open []*call[pushWrite]
	for i, one := range batch {
		f := r.of(i)
		switch {
		case f == nil:
			unproven = append(unproven, one)
		case f.definite && one.write.cause == nil:
			s.finishPush(one, f)
		default:
			one.write.cause = f
			open = append(open, one)
		}
	}
	if int(r.matched) == len(unproven) {
		for _, one := range unproven {
			s.finishPush(one, nil)
		}
		unproven = nil
	}
	if len(open)+len(unproven) > 0 {
		s.pushes.settle(func(ctx context.Context) { s.settlePushes(ctx, open, unproven, int(r.matched)) })
	}
}

func (s *Store) finishPush(one *call[pushWrite], err error) {
	one.write.buf.release()
	s.pushes.finish(one, err)
}
