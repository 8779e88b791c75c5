package memstore

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/durachart/durachart/store"
	"github.com/durachart/durachart/store/storetest"
)

// mistake is a store that is wrong on purpose (section 20 of the specification).
type mistake struct {
	number int
	what   string
	cases  []string // each must fail
	make   func(h *harness, o storetest.Options) store.Store
}

// mistakes are the memory store with one thing done wrongly. Of section 20 are
// elsewhere: 7 (a lost reply called a conflict), which needs replies that are lost,
// and the first half of 9 (pull before dead-letter insert), which is the relay's.
var mistakes = []mistake{
	{1, "commit filter without version", []string{"EX4", "EX5"}, simple(func(s *Store) store.Store { return withoutVersion{s} })},
	{2, "commit filter without processed", []string{"EX8", "EX9"}, simple(func(s *Store) store.Store { return withoutProcessed{s} })},
	{3, "forgets a dedupe mark", []string{"EX14", "IN2"}, simple(func(s *Store) store.Store { return forgetful{s} })},
	{4, "decides on modified", []string{"SH3"}, simple(func(s *Store) store.Store { return onModified{s} })},
	{5, "ring by set-add, unbounded", []string{"EX14", "EX15"}, unboundedRing},
	{6, "outbox written in a second command", []string{"OU7", "EX6"}, simple(func(s *Store) store.Store { return secondCommand{s} })},
	{8, "ack by seq without id", []string{"OU3"}, simple(func(s *Store) store.Store { return acksAll{s} })},
	{9, "letter removed without its put", []string{"DL1"}, simple(func(s *Store) store.Store { return anyPut{s} })},
	{10, "push without the ended check", []string{"IN4"}, simple(func(s *Store) store.Store { return pushesEnded{s} })},
	{11, "push without the duplicate check", []string{"IN2", "IN6"}, simple(func(s *Store) store.Store { return pushesTwice{s} })},
	{12, "next_fire_at kept when the last timer goes", []string{"TI6", "TI1"}, simple(func(s *Store) store.Store { return staleFire{s} })},
	{13, "DeleteTimer without the instant", []string{"TI7"}, simple(func(s *Store) store.Store { return anyInstant{s} })},
	{14, "timer key that only replaces dots", []string{"TI1", "TI8"}, simple(func(s *Store) store.Store { return dotsOnly{s} })},
	{15, "lease decided by the client's clock", []string{"SH5"}, clientClocks},
	{16, "lease taken without looking at until", []string{"SH2", "SH1"}, simple(func(s *Store) store.Store { return takesHeld{s} })},
	{17, "renewal without the owner", []string{"SH3"}, simple(func(s *Store) store.Store { return takesBack{s} })},
	{18, "read, change, write instead of one update", []string{"EX5"}, simple(func(s *Store) store.Store { return &readThenWrite{Store: s, second: make(chan struct{})} })},
	{19, "hands out its own bytes", []string{"EX20"}, simple(func(s *Store) store.Store { return ownBytes{s} })},
	{19, "keeps the caller's bytes", []string{"EX20"}, simple(func(s *Store) store.Store { return callersBytes{s} })},
	{20, "AppendTrace as upsert", []string{"TR3"}, simple(func(s *Store) store.Store { return upserts{s} })},
	{21, "offset paging", []string{"LI3"}, simple(func(s *Store) store.Store { return offsets{s} })},
	{22, "purge that ignores the outbox", []string{"RE1", "RE2"}, simple(func(s *Store) store.Store { return purgesFull{s} })},
	{23, "one item's error for the whole batch", []string{"BA1", "BA3"}, simple(func(s *Store) store.Store { return oneForAll{s} })},
	{24, "defer without the version", []string{"IN8"}, simple(func(s *Store) store.Store { return anyVersion{s} })},
	{25, "mixed bulk judged by IsDuplicateKeyError", []string{"BA3"}, simple(func(s *Store) store.Store { return duplicateOfAll{s} })},
}

func simple(wrong func(s *Store) store.Store) func(*harness, storetest.Options) store.Store {
	return func(h *harness, _ storetest.Options) store.Store { return wrong(h.store) }
}

// Section 20: each store that is wrong on purpose fails in the cases written for it.
func TestSuiteCatchesWrongStores(t *testing.T) {
	for _, m := range mistakes {
		t.Run(fmt.Sprint(m.number, " ", m.what), func(t *testing.T) {
			t.Parallel()
			for _, id := range m.cases {
				v := storetest.Judge(t, id, m.open)
				assert.True(t, v.Failed, "%s does not notice: %s", id, v.Log)
			}
		})
	}
}

// open is open with the mistake in the store and in every other handle on its data.
func (m mistake) open(tb testing.TB, o storetest.Options) storetest.Fixture {
	h := harnessOf(tb, o)
	f := h.fixture
	f.Store = m.make(h, o)
	f.Attach = func(tb testing.TB, o storetest.Options) store.Store {
		other := &harness{store: h.attach(tb, o).(*Store)}
		return m.make(other, o)
	}
	return f
}

// meddle changes a record behind the store's back.
func (s *Store) meddle(id string, change func(r *record)) {
	sh := s.data.shardOf(id)
	sh.mu.Lock()
	defer sh.mu.Unlock()
	if r := sh.docs[id]; r != nil {
		change(r)
		sh.refresh(r)
	}
}

// meddleAll changes all records.
func (s *Store) meddleAll(change func(r *record)) {
	for _, sh := range s.data.shards {
		sh.mu.Lock()
		for _, r := range sh.docs {
			change(r)
			sh.refresh(r)
		}
		sh.mu.Unlock()
	}
}

// forget takes ids out of the ring.
func (r *idRing) forget(ids ...string) {
	for i, id := range r.ids {
		if slices.Contains(ids, id) {
			r.ids[i], r.sums[i] = "", 0
		}
	}
}

type withoutVersion struct{ *Store }

func (s withoutVersion) Commit(ctx context.Context, c store.Commit) error {
	for {
		s.meddle(c.ID, func(r *record) { c.Version = r.version })
		if err := s.Store.Commit(ctx, c); !errors.Is(err, store.ErrConflict) {
			return err
		}
	}
}

type withoutProcessed struct{ *Store }

func (s withoutProcessed) Commit(ctx context.Context, c store.Commit) error {
	s.meddle(c.ID, func(r *record) { r.ring.forget(c.Handled...) })
	return s.Store.Commit(ctx, c)
}

type forgetful struct{ *Store }

func (s forgetful) Commit(ctx context.Context, c store.Commit) error {
	err := s.Store.Commit(ctx, c)
	if err == nil {
		s.meddle(c.ID, func(r *record) { r.ring.forget(c.Handled[0]) })
	}
	return err
}

type onModified struct{ *Store }

func (s onModified) RenewShards(ctx context.Context, owner string, held []int, ttl time.Duration) (store.Leases, error) {
	before, err := s.heldBy(owner, time.Now())
	if err != nil {
		return before, err
	}
	after, err := s.Store.RenewShards(ctx, owner, held, ttl)
	if err == nil && len(held) > 0 && slices.Equal(before.Held, after.Held) {
		return after, store.ErrLeaseLost
	}
	return after, err
}

func unboundedRing(h *harness, o storetest.Options) store.Store {
	o.Limits.Ring = 16_384
	return must(h.store.Attach(h.options(o)))
}

func must(s *Store, err error) *Store {
	if err != nil {
		panic(err)
	}
	return s
}

type secondCommand struct{ *Store }

func (s secondCommand) Commit(ctx context.Context, c store.Commit) error {
	given := s.prepare(c.ID, c.Version+1, c.Now, c.Emits, nil, nil)
	room := s.opts.Limits.OutboxPosition(c.Emits)
	c.Emits = nil
	if err := s.Store.Commit(ctx, c); err != nil {
		return err
	}
	var full error
	s.meddle(c.ID, func(r *record) {
		if len(r.outbox) > room {
			full = store.ErrBackpressure
			return
		}
		r.give(given, s.opts.Limits.TraceRing)
	})
	return full
}

type acksAll struct{ *Store }

func (s acksAll) AckOutbox(ctx context.Context, acks []store.Ack) error {
	for _, ack := range acks {
		s.meddleAll(func(r *record) {
			r.outbox = slices.DeleteFunc(r.outbox, func(e store.OutboxEntry) bool { return slices.Contains(ack.Seqs, e.Seq) })
		})
	}
	return s.Store.AckOutbox(ctx, acks)
}

type anyPut struct{ *Store }

func (s anyPut) RemoveDeadLetter(ctx context.Context, id, _ string) (bool, error) {
	d, err := s.GetDeadLetter(ctx, id)
	if errors.Is(err, store.ErrNotFound) {
		return false, nil
	}
	return s.Store.RemoveDeadLetter(ctx, id, d.Put)
}

type pushesEnded struct{ *Store }

func (s pushesEnded) Push(ctx context.Context, p store.Push) (store.Pushed, error) {
	var ended instant
	s.meddle(p.ID, func(r *record) { ended, r.endedAt = r.endedAt, never })
	pushed, err := s.Store.Push(ctx, p)
	s.meddle(p.ID, func(r *record) { r.endedAt = ended })
	return pushed, err
}

type pushesTwice struct{ *Store }

func (s pushesTwice) Push(ctx context.Context, p store.Push) (store.Pushed, error) {
	if _, err := s.Load(ctx, p.ID); err != nil {
		return store.Pushed{}, err
	}
	s.meddle(p.ID, func(r *record) { r.push(ownEntries(p.Entries, p.Now)) })
	return store.Pushed{Added: len(p.Entries)}, nil
}

type staleFire struct{ *Store }

func (s staleFire) Commit(ctx context.Context, c store.Commit) error {
	before := never
	s.meddle(c.ID, func(r *record) { before = r.due[dueTimer] })
	err := s.Store.Commit(ctx, c)
	if err == nil && len(c.Timers) == 0 {
		sh := s.data.shardOf(c.ID)
		sh.mu.Lock()
		defer sh.mu.Unlock()
		sh.due[dueTimer].put(sh.docs[c.ID], before)
	}
	return err
}

type anyInstant struct{ *Store }

func (s anyInstant) DeleteTimer(ctx context.Context, id, name string, due time.Time) (bool, error) {
	if x, err := s.Load(ctx, id); err == nil && !x.Timers[name].IsZero() {
		due = x.Timers[name]
	}
	return s.Store.DeleteTimer(ctx, id, name, due)
}

type dotsOnly struct{ *Store }

func (s dotsOnly) lossy(timers map[string]time.Time) map[string]time.Time {
	read := map[string]time.Time{}
	for name, due := range timers {
		key := strings.ReplaceAll(name, ".", "%2E")
		read[strings.ReplaceAll(key, "%2E", ".")] = due
	}
	return read
}

func (s dotsOnly) Create(ctx context.Context, c store.Creation) error {
	c.Timers = s.lossy(c.Timers)
	return s.Store.Create(ctx, c)
}

func (s dotsOnly) Commit(ctx context.Context, c store.Commit) error {
	c.Timers = s.lossy(c.Timers)
	return s.Store.Commit(ctx, c)
}

// takes takes leases that are free by whatever free means.
func (s *Store) takes(owner string, shards []int, until time.Time, free func(l *store.Lease) bool) (store.Leases, error) {
	take := func() {
		s.data.leases.mu.Lock()
		defer s.data.leases.mu.Unlock()
		for _, n := range shards {
			if l := &s.data.leases.leases[n]; free(l) {
				l.Owner, l.Fence, l.Until = owner, l.Fence+1, store.Millis(until)
			}
		}
	}
	take()
	return s.heldBy(owner, time.Now())
}

type clientClock struct {
	*Store
	skew time.Duration
}

func clientClocks(h *harness, o storetest.Options) store.Store {
	return clientClock{h.store, o.ClockSkew}
}

func (s clientClock) AcquireShards(_ context.Context, owner string, shards []int, ttl time.Duration) (store.Leases, error) {
	mine := s.data.clock().Add(s.skew)
	return s.takes(owner, shards, mine.Add(ttl), func(l *store.Lease) bool { return free(l, mine) })
}

type takesHeld struct{ *Store }

func (s takesHeld) AcquireShards(_ context.Context, owner string, shards []int, ttl time.Duration) (store.Leases, error) {
	return s.takes(owner, shards, s.data.clock().Add(ttl), func(*store.Lease) bool { return true })
}

type takesBack struct{ *Store }

func (s takesBack) RenewShards(_ context.Context, owner string, held []int, ttl time.Duration) (store.Leases, error) {
	return s.takes(owner, held, s.data.clock().Add(ttl), func(l *store.Lease) bool { l.Fence--; return true })
}

type readThenWrite struct {
	*Store
	second chan struct{} // the first who has read waits until a second one has
	read   instant
}

func (s *readThenWrite) Commit(ctx context.Context, c store.Commit) error {
	fits, first := false, false
	s.meddle(c.ID, func(r *record) {
		fits = r.version == c.Version
		s.read++
		first = s.read == 1
		if s.read == 2 {
			close(s.second)
		}
	})
	if first {
		<-s.second
	}
	if !fits {
		return &store.ConflictError{ID: c.ID, Expected: c.Version, Found: c.Version + 1}
	}
	return withoutVersion{s.Store}.Commit(ctx, c)
}

type ownBytes struct{ *Store }

func (s ownBytes) LoadForEvent(ctx context.Context, id string, eventIDs []string, inbox int) (store.Loaded, error) {
	l, err := s.Store.LoadForEvent(ctx, id, eventIDs, inbox)
	s.meddle(id, func(r *record) { l.Data = r.data })
	return l, err
}

type callersBytes struct{ *Store }

func (s callersBytes) Commit(ctx context.Context, c store.Commit) error {
	err := s.Store.Commit(ctx, c)
	s.meddle(c.ID, func(r *record) { r.data = c.Data })
	return err
}

type upserts struct{ *Store }

func (s upserts) AppendTrace(ctx context.Context, id string, step store.TraceStep) error {
	err := s.Store.AppendTrace(ctx, id, step)
	if errors.Is(err, store.ErrNotFound) {
		return s.Create(ctx, store.Creation{
			Snapshot: store.Snapshot{DefinitionVersion: "?", Status: store.Pending, Data: []byte(`null`)}, ID: id, DefinitionID: "?",
			RequestID: "?", Trace: []store.TraceStep{step}, Now: step.At,
		})
	}
	return err
}

type offsets struct{ *Store }

func (s offsets) List(ctx context.Context, f store.Filter, p store.Page) (store.ListPage, error) {
	offset, _ := strconv.Atoi(p.Cursor)
	all, err := s.Store.List(ctx, f, store.Page{Limit: 1000, Order: p.Order})
	if err != nil {
		return store.ListPage{}, err
	}
	from := min(offset, len(all.Items))
	to := min(from+p.Limit, len(all.Items))
	page := store.ListPage{Items: all.Items[from:to]}
	if to < len(all.Items) {
		page.Next = strconv.Itoa(to)
	}
	return page, nil
}

type purgesFull struct{ *Store }

func (s purgesFull) Purge(ctx context.Context, now time.Time, limit int) (store.Purged, error) {
	s.meddleAll(func(r *record) { r.outbox = nil })
	return s.Store.Purge(ctx, now, limit)
}

type oneForAll struct{ *Store }

func (s oneForAll) CommitBatch(ctx context.Context, cs []store.Commit) []error {
	errs := s.Store.CommitBatch(ctx, cs)
	if i := slices.IndexFunc(errs, func(err error) bool { return err != nil }); i >= 0 {
		for k := range errs {
			errs[k] = errs[i]
		}
	}
	return errs
}

type anyVersion struct{ *Store }

func (s anyVersion) DeferInbox(ctx context.Context, id string, version int64, until time.Time) error {
	s.meddle(id, func(r *record) { version = r.version })
	return s.Store.DeferInbox(ctx, id, version, until)
}

type duplicateOfAll struct{ *Store }

func (s duplicateOfAll) CreateBatch(ctx context.Context, cs []store.Creation) []error {
	errs := s.Store.CreateBatch(ctx, cs)
	if errors.Is(errors.Join(errs...), store.ErrExists) {
		for i, err := range errs {
			if err != nil {
				errs[i] = &store.ExistsError{ID: cs[i].ID}
			}
		}
	}
	return errs
}
