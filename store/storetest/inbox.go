package storetest

import (
	"fmt"
	"runtime"
	"strings"
	"sync"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/durachart/durachart/store"
)

// inboxCases are those of store.Inbox (D30 to D36).
var inboxCases = []Case{
	{ID: "IN1", Says: "pushed entries come back in order and equal, with their sender", run: pushedComeBack},
	{ID: "IN2", Says: "a duplicate of a waiting or a processed id is success, adds nothing, is listed; 32 racing pushes of one id make one entry", run: duplicatePush},
	{ID: "IN3", Says: "a push changes neither version nor updated_at, and a commit computed before it succeeds", run: pushDisturbsNoCommit},
	{ID: "IN4", Says: "push to an unknown execution is ErrNotFound, to an ended one ErrEnded, but of an id that it has processed a duplicate", run: pushToNobody,
		options: Options{Limits: store.Limits{InboxEntries: 2}}},
	{ID: "IN5", Says: "a full inbox is ErrBackpressure, accepts again after a commit; the weight rule holds at its edges", run: fullInbox,
		options: Options{Limits: store.Limits{InboxEntries: 4, InboxBytes: 100}}},
	{ID: "IN6", Says: "a push that mixes new, waiting and processed ids adds the new ones in order", run: mixedPush,
		options: Options{Limits: store.Limits{InboxEntries: 5}}},
	{ID: "IN7", Says: "PollInbox finds exactly the executions of the given shards with an entry due, not the excluded, not the emptied", run: pollInbox},
	{ID: "IN8", Says: "a deferred inbox is invisible, a later push is visible, ReleaseInbox shows all; at another version nothing is deferred", run: deferInbox},
	{ID: "IN9", Says: "DropInbox removes the named only; CountTry raises, never lowers; both ignore what is absent", run: dropAndCount},
	{ID: "IN10", Says: "8 pushers of 500 ids against a committing owner: each id applied once, each pusher's order kept", run: pushersAndOwner},
}

func pushedComeBack(e *env) {
	e.create("x")
	first := store.Push{ID: "x", Now: base.Add(time.Second), Entries: []store.InboxEntry{
		{ID: "$a", From: "call:worker", Event: []byte(`{"type":"a","data":{"$set":{"a.b":1}}}`)},
		{ID: "b", Event: []byte(`1.0`)},
	}}
	second := store.Push{ID: "x", Now: base, Entries: []store.InboxEntry{{ID: "c", From: "x", Event: []byte(`null`)}}}
	for _, p := range []store.Push{first, second} {
		pushed, err := e.Push(e.ctx, p)
		require.NoError(e, err)
		assert.Equal(e, store.Pushed{Added: len(p.Entries)}, pushed)
	}
	want := append(first.Entries, second.Entries...)
	want[0].At, want[1].At, want[2].At = base.Add(time.Second), base.Add(time.Second), base
	got, err := e.ReadInbox(e.ctx, "x", 10)
	require.NoError(e, err)
	assert.Equal(e, want, got, "in order of arrival; at orders nothing (D33)")
	got, err = e.ReadInbox(e.ctx, "x", 2)
	require.NoError(e, err)
	assert.Equal(e, want[:2], got)
	_, err = e.ReadInbox(e.ctx, "unknown", 10)
	require.ErrorIs(e, err, store.ErrNotFound)
}

func duplicatePush(e *env) {
	e.create("x")
	e.push("x", "waiting", "processed")
	e.step("x", handling("processed"))
	for _, id := range []string{"waiting", "processed"} {
		pushed, err := e.Push(e.ctx, push("x", id))
		require.NoError(e, err)
		assert.Equal(e, store.Pushed{Duplicates: []string{id}}, pushed)
	}
	pushed, err := e.Push(e.ctx, push("x", "processed", "waiting"))
	require.NoError(e, err)
	assert.Zero(e, pushed.Added)
	assert.ElementsMatch(e, []string{"processed", "waiting"}, pushed.Duplicates)
	assert.Equal(e, []string{"waiting"}, e.inbox("x"))

	var mu sync.Mutex
	added := 0
	errs := race(32, func(int) error {
		pushed, err := e.Push(e.ctx, push("x", "raced"))
		mu.Lock()
		defer mu.Unlock()
		added += pushed.Added
		return err
	})
	require.Len(e, successes(errs), 32)
	assert.Equal(e, 1, added)
	assert.Equal(e, []string{"waiting", "raced"}, e.inbox("x"))
}

func pushDisturbsNoCommit(e *env) {
	e.create("x")
	before := e.load("x")
	p := push("x", "a")
	p.Now = base.Add(time.Hour)
	_, err := e.Push(e.ctx, p)
	require.NoError(e, err)
	assert.Equal(e, before, e.load("x"))
	require.NoError(e, e.Commit(e.ctx, commit("x", before.Version, "b")))
	assert.Equal(e, []string{"a"}, e.inbox("x"))
}

func pushToNobody(e *env) {
	_, err := e.Push(e.ctx, push("unknown", "a"))
	require.ErrorIs(e, err, store.ErrNotFound)

	e.create("x")
	e.push("x", "left", "last")
	e.step("x", handling("last"), ending)
	pushed, err := e.Push(e.ctx, push("x", "late"))
	require.ErrorIs(e, err, store.ErrEnded)
	assert.Zero(e, pushed)
	for _, id := range []string{"last", "left"} {
		pushed, err = e.Push(e.ctx, push("x", id))
		require.NoError(e, err, "%s: it may be the event that ended it", id)
		assert.Equal(e, []string{id}, pushed.Duplicates)
	}
	assert.Equal(e, []string{"left"}, e.inbox("x"))

	// D31, the order of judgement: a duplicate before ended before full.
	e.step("x")
	e.push("x", "fills")
	_, err = e.Push(e.ctx, push("x", "late"))
	require.ErrorIs(e, err, store.ErrBackpressure)
	pushed, err = e.Push(e.ctx, push("x", "fills"))
	require.NoError(e, err, "a duplicate needs no room")
	assert.Equal(e, []string{"fills"}, pushed.Duplicates)
	e.step("x", handling("end again"), ending)
	_, err = e.Push(e.ctx, push("x", "late"))
	require.ErrorIs(e, err, store.ErrEnded, "ended before full")
	pushed, err = e.Push(e.ctx, push("x", "last", "late"))
	require.ErrorIs(e, err, store.ErrEnded, "one by one, since one of them is a duplicate")
	assert.Equal(e, store.Pushed{Duplicates: []string{"last"}}, pushed)
}

func fullInbox(e *env) {
	e.create("x")
	e.push("x", "1", "2", "3")
	_, err := e.Push(e.ctx, push("x", "4", "5"))
	require.ErrorIs(e, err, store.ErrBackpressure, "two do not fit, so none is taken")
	e.push("x", "4")
	_, err = e.Push(e.ctx, push("x", "5"))
	require.ErrorIs(e, err, store.ErrBackpressure)
	e.step("x", handling("2"))
	e.push("x", "5")
	assert.Equal(e, []string{"1", "3", "4", "5"}, e.inbox("x"))

	// D23: an entry of s bytes is accepted while fewer than Bytes/s wait. 100/50 = 2.
	weighing := func(id string, bytes ...int) store.Push {
		p := store.Push{ID: id, Now: base}
		for i, n := range bytes {
			p.Entries = append(p.Entries, store.InboxEntry{ID: fmt.Sprintf("%d bytes, %d, %d", n, i, len(p.Entries)), Event: jsonOf(n)})
		}
		return p
	}
	fits := func(waiting int, bytes ...int) bool {
		e.Helper()
		id := fmt.Sprint("w", waiting, bytes)
		e.create(id)
		for i := range waiting {
			e.push(id, fmt.Sprint("w", i))
		}
		_, err := e.Push(e.ctx, weighing(id, bytes...))
		if err != nil {
			require.ErrorIs(e, err, store.ErrBackpressure)
			require.Len(e, e.inbox(id), waiting)
		}
		return err == nil
	}
	assert.True(e, fits(1, 50), "fewer than 2 wait")
	assert.False(e, fits(2, 50))
	assert.True(e, fits(1, 34), "100/34 = 2")
	assert.False(e, fits(2, 34))
	assert.True(e, fits(2, 33), "100/33 = 3")
	assert.False(e, fits(1, 33, 2, 2), "the largest of three decides: 3 places")
	assert.True(e, fits(0, 33, 2, 2))
	assert.True(e, fits(0, 101), "an empty inbox takes any")
	assert.False(e, fits(1, 101))
	assert.True(e, fits(0, 2, 2, 2, 2, 2, 2, 2), "also more than it holds")
	assert.True(e, fits(3, 2))
	assert.False(e, fits(3, 2, 2))
}

func mixedPush(e *env) {
	e.create("x")
	e.push("x", "waiting")
	e.step("x", handling("processed"))
	pushed, err := e.Push(e.ctx, push("x", "new1", "waiting", "new2", "processed", "new3"))
	require.NoError(e, err)
	assert.Equal(e, store.Pushed{Added: 3, Duplicates: []string{"waiting", "processed"}}, pushed)
	assert.Equal(e, []string{"waiting", "new1", "new2", "new3"}, e.inbox("x"))

	// D31: an error says how many of the first were taken.
	pushed, err = e.Push(e.ctx, push("x", "new1", "new4", "new5", "new6"))
	require.ErrorIs(e, err, store.ErrBackpressure)
	assert.Equal(e, store.Pushed{Added: 1, Duplicates: []string{"new1"}}, pushed)
	assert.Equal(e, []string{"waiting", "new1", "new2", "new3", "new4"}, e.inbox("x"))
}

// found returns the ids of a page, which has no order.
func found(page []store.Waiting) []string {
	var ids []string
	for _, w := range page {
		ids = append(ids, w.ID)
	}
	return ids
}

func pollInbox(e *env) {
	var all []string
	for i := range 12 {
		id := fmt.Sprint("x", i)
		e.create(id, func(c *store.Creation) { c.Priority = i % 5 })
		e.push(id, "a", "b")
		all = append(all, id)
	}
	e.create("emptied")
	e.push("emptied", "a")
	e.step("emptied", handling("a"))
	e.create("never")
	poll := func(q store.PollQuery) []store.Waiting {
		e.Helper()
		page, err := e.PollInbox(e.ctx, q)
		require.NoError(e, err)
		return page
	}
	q := e.allShards(base)
	assert.ElementsMatch(e, all, found(poll(q)), "due exactly now is due")
	early := q
	early.Until = base.Add(-time.Millisecond)
	assert.Empty(e, poll(early))

	some := q
	some.Shards = []int{shardOf("x3"), shardOf("x7")}
	var there []string
	for _, id := range all {
		if shardOf(id) == shardOf("x3") || shardOf(id) == shardOf("x7") {
			there = append(there, id)
		}
	}
	assert.ElementsMatch(e, there, found(poll(some)))
	some.Shards = nil
	assert.Empty(e, poll(some))

	q.Exclude = all[:10]
	assert.ElementsMatch(e, all[10:], found(poll(q)))
	q.Exclude, q.Limit = nil, 5
	page := poll(q)
	assert.Len(e, page, 5)
	assert.Subset(e, all, found(page))

	// What a page carries (D38).
	e.step("x1", suspended)
	e.step("x2", func(c *store.Commit) { c.Parked = &store.Parked{Reason: "poison", At: base} })
	e.step("x3", ending)
	q.Limit = 0
	for _, w := range poll(q) {
		want := store.Waiting{ID: w.ID, Shard: shardOf(w.ID), Version: 1, Status: store.Running}
		fmt.Sscanf(w.ID, "x%d", &want.Priority)
		want.Priority %= 5
		switch w.ID {
		case "x1":
			want.Version, want.Status, want.Held = 2, store.Suspended, true
		case "x2":
			want.Version, want.Held = 2, true
		case "x3":
			want.Version, want.Status, want.Ended = 2, store.Done, true
		}
		assert.Equal(e, want, w)
	}
	for _, bad := range []store.PollQuery{
		{Shards: []int{-1}, Until: base}, {Shards: []int{1 << 20}, Until: base}, {Shards: []int{1}}, {Shards: []int{1}, Until: base, Limit: -1},
		{Shards: []int{1}, Until: base, Exclude: make([]string, 1001)},
	} {
		_, err := e.PollInbox(e.ctx, bad)
		require.ErrorIs(e, err, store.ErrInvalidArgument)
	}
}

func deferInbox(e *env) {
	e.create("x")
	e.push("x", "a", "b")
	e.step("x", suspended)
	visible := func() bool {
		e.Helper()
		page, err := e.PollInbox(e.ctx, e.allShards(base.Add(24*time.Hour)))
		require.NoError(e, err)
		return len(page) == 1
	}
	require.NoError(e, e.DeferInbox(e.ctx, "x", 1, store.FarFuture))
	require.NoError(e, e.DeferInbox(e.ctx, "x", 3, store.FarFuture))
	assert.True(e, visible(), "at another version nothing is deferred: a resume may have come between")
	require.NoError(e, e.DeferInbox(e.ctx, "x", 2, store.FarFuture))
	require.NoError(e, e.DeferInbox(e.ctx, "x", 2, store.FarFuture), "twice is harmless")
	assert.False(e, visible())
	assert.Equal(e, []string{"a", "b"}, e.inbox("x"), "hidden from the poll only")
	assert.Equal(e, int64(2), e.version("x"))

	e.push("x", "c")
	assert.True(e, visible(), "a later push is seen")
	require.NoError(e, e.DeferInbox(e.ctx, "x", 2, store.FarFuture))
	assert.False(e, visible())

	now := base.Add(time.Hour)
	e.step("x", at(now), func(c *store.Commit) { c.ReleaseInbox = true })
	assert.True(e, visible())
	waiting, err := e.ReadInbox(e.ctx, "x", 10)
	require.NoError(e, err)
	require.Len(e, waiting, 3)
	for _, w := range waiting {
		assert.Equal(e, now, w.At)
	}
	assert.Equal(e, []string{"a", "b", "c"}, e.inbox("x"), "and nothing is pulled (D34)")
	require.NoError(e, e.DeferInbox(e.ctx, "unknown", 1, store.FarFuture))
}

func dropAndCount(e *env) {
	e.create("x")
	e.push("x", "a", "b", "c")
	require.NoError(e, e.DropInbox(e.ctx, "x", []string{"b", "absent"}))
	require.NoError(e, e.DropInbox(e.ctx, "x", []string{"b"}))
	require.NoError(e, e.DropInbox(e.ctx, "x", nil))
	require.NoError(e, e.DropInbox(e.ctx, "unknown", []string{"a"}))
	assert.Equal(e, []string{"a", "c"}, e.inbox("x"))

	tries := func() []int {
		e.Helper()
		waiting, err := e.ReadInbox(e.ctx, "x", 10)
		require.NoError(e, err)
		var all []int
		for _, w := range waiting {
			all = append(all, w.Attempts)
		}
		return all
	}
	assert.Equal(e, []int{0, 0}, tries())
	require.NoError(e, e.CountTry(e.ctx, "x", "c", 2))
	require.NoError(e, e.CountTry(e.ctx, "x", "c", 1))
	assert.Equal(e, []int{0, 2}, tries(), "raised, never lowered")
	require.NoError(e, e.CountTry(e.ctx, "x", "c", 3))
	require.NoError(e, e.CountTry(e.ctx, "x", "absent", 3))
	require.NoError(e, e.CountTry(e.ctx, "unknown", "c", 3))
	assert.Equal(e, []int{0, 3}, tries())
	assert.Equal(e, int64(1), e.version("x"))
	e.push("x", "b")
	assert.Equal(e, []string{"a", "c", "b"}, e.inbox("x"), "a dropped id is not processed")
}

func pushersAndOwner(e *env) {
	const pushers, each = 8, 500
	e.create("x")
	var running sync.WaitGroup
	failed := make(chan error, pushers)
	for p := range pushers {
		running.Go(func() {
			for i := range each {
				next := push("x", fmt.Sprintf("%d/%03d", p, i))
				if err := untilRoom(func() error { _, err := e.Push(e.ctx, next); return err }); err != nil {
					failed <- err
					return
				}
			}
		})
	}
	var applied []string
	own := func() error {
		for len(applied) < pushers*each {
			l, err := e.LoadForEvent(e.ctx, "x", nil, 16)
			if err != nil {
				return err
			}
			if len(l.Inbox) == 0 {
				select {
				case err := <-failed:
					return err
				default:
					runtime.Gosched()
					continue
				}
			}
			var ids []string
			for _, w := range l.Inbox {
				ids = append(ids, w.ID)
			}
			if err := e.Commit(e.ctx, commit("x", l.Version, ids...)); err != nil {
				return err
			}
			applied = append(applied, ids...)
		}
		return nil
	}
	require.NoError(e, own(), "a push never makes a commit conflict")
	running.Wait()
	require.Empty(e, failed)

	next := map[string]int{}
	for _, id := range applied {
		pusher, number, _ := strings.Cut(id, "/")
		require.Equal(e, fmt.Sprintf("%03d", next[pusher]), number, "pusher %s: each once, in order", pusher)
		next[pusher]++
	}
	assert.Empty(e, e.inbox("x"))
}
