package storetest

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/durachart/durachart/store"
)

// outboxCases are those of store.Outbox (D43 to D48).
var outboxCases = []Case{
	{ID: "OU1", Says: "seq grows strictly over commits; kind, target (null too), id, event and reason come back equal", run: emitsComeBack},
	{ID: "OU2", Says: "PendingOutbox is oldest first and limited; PollOutbox does not see an entry before its at, and does at exactly at", run: outboxIsDue,
		options: Options{Limits: store.Limits{PollEntries: 3, Grace: 5 * time.Second}}},
	{ID: "OU3", Says: "ack removes exactly the named; twice, unknown seq, unknown execution are harmless; the version stays", run: ackOutbox},
	{ID: "OU4", Says: "acks and commits in any order lose and double nothing", run: acksAmongCommits},
	{ID: "OU5", Says: "RetryOutbox marks its entry and moves the time of it and of later entries for that target only", run: retryOutbox},
	{ID: "OU6", Says: "RetryOutbox after the ack does nothing and recreates nothing", run: retryAfterAck},
	{ID: "OU7", Says: "a full outbox refuses the whole commit with ErrBackpressure; after an ack the same commit succeeds", run: fullOutbox,
		options: Options{Limits: store.Limits{OutboxEntries: 3, OutboxBytes: 100}}},
	{ID: "OU8", Says: "a step within the step cap always fits an empty outbox", run: stepFitsEmptyOutbox,
		options: Options{Limits: store.Limits{OutboxEntries: 4, OutboxBytes: 100, OutboxStep: 1000}}},
	{ID: "OU9", Says: "emits of a losing commit never show", run: losersEmitNothing},
	{ID: "OU10", Says: "after a commit and a reopened store, all that was pending is pending", run: pendingAfterReopen, needs: needAttach},
}

func emitsComeBack(e *env) {
	e.create("x")
	emits := []store.Emit{
		{TargetID: "$target", ID: "$id", Event: []byte(`{"type":"a","data":{"$a.b":1e+22}}`)},
		{ID: "no target", Event: []byte(`null`)},
		{Kind: store.EmitControl, TargetID: "child", ID: "op", Event: []byte(`{"op":"stop"}`)},
		{Kind: store.EmitDead, ID: "dead", Reason: "deferred_overflow", Event: []byte(`{}`)},
	}
	e.step("x", emitting(emits...))
	e.step("x")
	e.step("x", emitting(emits[0]))
	got := e.outbox("x")
	require.Len(e, got, 5)
	var want []store.OutboxEntry
	due := base.Add(time.Minute + e.limits.Grace)
	for i, m := range append(emits, emits[0]) {
		entry := store.OutboxEntry{Emit: m, Seq: store.Seq(2, i), At: due}
		if i == 4 {
			entry.Seq = store.Seq(4, 0)
		}
		want = append(want, entry)
	}
	assert.Equal(e, want, got, "seq = version x 65,536 + index (D7), at = now + grace (D43)")
	all := seqs(got)
	assert.True(e, slices.IsSorted(all))
	assert.Len(e, slices.Compact(all), 5)
}

func outboxIsDue(e *env) {
	e.create("x")
	for i := range 5 {
		e.step("x", at(base.Add(time.Duration(i)*time.Second)), emitting(emit("t", fmt.Sprint("e", i))))
	}
	e.create("silent")
	pending, err := e.PendingOutbox(e.ctx, "x", 2)
	require.NoError(e, err)
	assert.Equal(e, []string{"e0", "e1"}, eventIDs(pending))
	_, err = e.PendingOutbox(e.ctx, "unknown", 2)
	require.ErrorIs(e, err, store.ErrNotFound)

	q := e.allShards(base.Add(5*time.Second - time.Millisecond))
	page, err := e.PollOutbox(e.ctx, q)
	require.NoError(e, err)
	assert.Empty(e, page)
	q.Until = base.Add(5 * time.Second)
	page, err = e.PollOutbox(e.ctx, q)
	require.NoError(e, err)
	require.Len(e, page, 1)
	assert.Equal(e, store.Waiting{ID: "x", Shard: shardOf("x"), Version: 6, Status: store.Running}, page[0].Waiting)
	assert.Equal(e, []string{"x", "order"}, []string{page[0].RootID, page[0].DefinitionID})
	assert.Equal(e, []string{"e0", "e1", "e2"}, eventIDs(page[0].Outbox), "the first entries, due or not")
	assert.Empty(e, page[0].Spawns)

	q.Exclude = []string{"x"}
	page, err = e.PollOutbox(e.ctx, q)
	require.NoError(e, err)
	assert.Empty(e, page)
	q.Exclude, q.Shards = nil, []int{(shardOf("x") + 1) % store.DefaultShards}
	page, err = e.PollOutbox(e.ctx, q)
	require.NoError(e, err)
	assert.Empty(e, page)
}

func ackOutbox(e *env) {
	for _, id := range []string{"x", "twin"} {
		e.create(id)
		e.step(id, emitting(emit("t", "a"), emit("t", "b"), emit("t", "c")))
	}
	b := e.outbox("x")[1].Seq
	acks := []store.Ack{{ID: "x", Seqs: []int64{b, 12345}}, {ID: "unknown", Seqs: []int64{b}}, {ID: "twin"}}
	require.NoError(e, e.AckOutbox(e.ctx, acks))
	require.NoError(e, e.AckOutbox(e.ctx, acks), "twice is harmless")
	require.NoError(e, e.AckOutbox(e.ctx, nil))
	assert.Equal(e, []string{"a", "c"}, eventIDs(e.outbox("x")))
	assert.Equal(e, []string{"a", "b", "c"}, eventIDs(e.outbox("twin")), "the same seq of another execution stays")
	assert.Equal(e, int64(2), e.version("x"))
	require.NoError(e, e.AckOutbox(e.ctx, []store.Ack{{ID: "x", Seqs: seqs(e.outbox("x"))}, {ID: "twin", Seqs: []int64{b}}}))
	assert.Empty(e, e.outbox("x"))
	assert.Equal(e, []string{"a", "c"}, eventIDs(e.outbox("twin")))
	page, err := e.PollOutbox(e.ctx, e.allShards(base.AddDate(1, 0, 0)))
	require.NoError(e, err)
	require.Len(e, page, 1)
	assert.Equal(e, "twin", page[0].ID)
}

func acksAmongCommits(e *env) {
	e.create("x")
	const steps = 100
	acked := make(chan []string, 1)
	committed := make(chan struct{})
	go func() { // a relay: whatever it sees it delivers and acknowledges, in any order
		random := rand.New(rand.NewPCG(1, 2))
		var delivered []string
		for done := false; !done; {
			select {
			case <-committed:
				done = true
			default:
			}
			pending, err := e.PendingOutbox(e.ctx, "x", 10)
			if err != nil {
				break
			}
			random.Shuffle(len(pending), func(i, j int) { pending[i], pending[j] = pending[j], pending[i] })
			for _, p := range pending {
				if random.IntN(3) > 0 {
					delivered = append(delivered, p.ID)
					if e.AckOutbox(e.ctx, []store.Ack{{ID: "x", Seqs: []int64{p.Seq}}}) != nil {
						break
					}
				}
			}
		}
		acked <- delivered
	}()
	var want []string
	for version := int64(1); version <= steps; version++ {
		c := commit("x", version, fmt.Sprint("h", version))
		for i := range 3 {
			id := fmt.Sprint(version, "/", i)
			c.Emits = append(c.Emits, emit("t", id))
			want = append(want, id)
		}
		require.NoError(e, untilRoom(func() error { return e.Commit(e.ctx, c) }), "an ack touches no version")
	}
	close(committed)
	got := append(<-acked, eventIDs(e.outbox("x"))...)
	assert.ElementsMatch(e, want, got, "each entry is acknowledged once or still there")
}

func retryOutbox(e *env) {
	e.create("x")
	e.create("twin")
	for _, id := range []string{"x", "twin"} {
		e.step(id, emitting(emit("a", "a1"), emit("b", "b1"), emit("a", "a2"), store.Emit{ID: "n1", Event: []byte(`1`)}, emit("a", "a3"), store.Emit{ID: "n2", Event: []byte(`1`)}))
	}
	before := e.outbox("x")
	twin := e.outbox("twin")
	later := base.Add(time.Hour)
	require.NoError(e, e.RetryOutbox(e.ctx, store.Retry{
		ID: "x", TargetID: "a", Seq: before[2].Seq, Attempts: 4, LastError: strings.Repeat("é", 600), At: later,
	}))
	want := slices.Clone(before)
	want[2].Attempts, want[2].LastError, want[2].At = 4, strings.Repeat("é", 500), later
	want[4].At = later
	assert.Equal(e, want, e.outbox("x"))
	assert.Equal(e, twin, e.outbox("twin"))
	assert.Equal(e, int64(2), e.version("x"))

	// The value, not an increment; and the null target is a target too.
	require.NoError(e, e.RetryOutbox(e.ctx, store.Retry{ID: "x", TargetID: "a", Seq: before[2].Seq, Attempts: 4, LastError: "refused", At: later}))
	require.NoError(e, e.RetryOutbox(e.ctx, store.Retry{ID: "x", Seq: before[3].Seq, Attempts: 1, LastError: "no sink", At: later}))
	want[2].LastError = "refused"
	want[3].Attempts, want[3].LastError, want[3].At = 1, "no sink", later
	want[5].At = later
	assert.Equal(e, want, e.outbox("x"))

	// The poll still sees what is due for others.
	page, err := e.PollOutbox(e.ctx, e.allShards(before[0].At))
	require.NoError(e, err)
	assert.Len(e, page, 2)
	require.NoError(e, e.AckOutbox(e.ctx, []store.Ack{{ID: "x", Seqs: []int64{before[0].Seq, before[1].Seq}}, {ID: "twin", Seqs: seqs(twin)}}))
	page, err = e.PollOutbox(e.ctx, e.allShards(later.Add(-time.Millisecond)))
	require.NoError(e, err)
	assert.Empty(e, page, "all that is left backs off")
}

func retryAfterAck(e *env) {
	e.create("x")
	e.step("x", emitting(emit("a", "a1"), emit("a", "a2")))
	before := e.outbox("x")
	require.NoError(e, e.AckOutbox(e.ctx, []store.Ack{{ID: "x", Seqs: []int64{before[0].Seq}}}))
	retry := store.Retry{ID: "x", TargetID: "a", Seq: before[0].Seq, Attempts: 1, LastError: "late", At: base.Add(time.Hour)}
	require.NoError(e, e.RetryOutbox(e.ctx, retry))
	assert.Equal(e, before[1:], e.outbox("x"), "not even the later entries move")
	retry.ID = "unknown"
	require.NoError(e, e.RetryOutbox(e.ctx, retry))
	_, err := e.Load(e.ctx, "unknown")
	require.ErrorIs(e, err, store.ErrNotFound)
}

func fullOutbox(e *env) {
	e.create("x")
	e.step("x", emitting(emit("t", "1"), emit("t", "2")))
	refused := commit("x", 2, "h")
	refused.Emits = []store.Emit{emit("t", "3"), emit("t", "4")}
	refused.Data = []byte(`"refused"`)
	require.ErrorIs(e, e.Commit(e.ctx, refused), store.ErrBackpressure)
	assert.Equal(e, []string{"1", "2"}, eventIDs(e.outbox("x")))
	assert.Equal(e, int64(2), e.version("x"), "nothing of it was written")
	assert.Equal(e, `{"n":1}`, string(e.load("x").Data))
	assert.Empty(e, e.loaded("x", "h").Seen)

	// D21: what can never succeed is a conflict, though the outbox is full as well.
	stale := refused
	stale.Version = 1
	e.conflict(e.Commit(e.ctx, stale))

	require.NoError(e, e.AckOutbox(e.ctx, []store.Ack{{ID: "x", Seqs: seqs(e.outbox("x"))[:1]}}))
	require.NoError(e, e.Commit(e.ctx, refused), "the same commit")
	assert.Equal(e, []string{"2", "3", "4"}, eventIDs(e.outbox("x")))
	e.step("x") // a step that gives out nothing needs no room

	// D23: heavy entries need more of it. 100/50 = 2.
	require.NoError(e, e.AckOutbox(e.ctx, []store.Ack{{ID: "x", Seqs: seqs(e.outbox("x"))[:2]}}))
	heavy := func(n int) store.Commit {
		c := commit("x", e.version("x"), fmt.Sprint("heavy", n, e.version("x")))
		c.Emits = []store.Emit{{ID: "heavy", Event: jsonOf(n)}}
		return c
	}
	require.ErrorIs(e, e.Commit(e.ctx, heavy(51)), store.ErrBackpressure)
	require.NoError(e, e.Commit(e.ctx, heavy(50)))
	require.ErrorIs(e, e.Commit(e.ctx, heavy(50)), store.ErrBackpressure)
	require.NoError(e, e.Commit(e.ctx, heavy(33)))
}

func stepFitsEmptyOutbox(e *env) {
	e.create("x")
	for name, sizes := range map[string][]int{"one huge": {1000}, "many": {10, 10, 10, 10, 10, 10, 10}, "all": {500, 250, 250}} {
		var emits []store.Emit
		for i, n := range sizes {
			emits = append(emits, store.Emit{ID: fmt.Sprint(i), Event: jsonOf(n)})
		}
		e.step("x", emitting(emits...))
		assert.Len(e, e.outbox("x"), len(sizes), name)
		e.drain("x")
	}
}

func losersEmitNothing(e *env) {
	e.create("x")
	e.step("x", handling("seen"))
	race(8, func(i int) error {
		c := commit("x", int64(1+i%3), fmt.Sprint("h", i), "seen")
		c.Emits = []store.Emit{emit("t", "never")}
		return e.Commit(e.ctx, c)
	})
	assert.Empty(e, e.outbox("x"))
	page, err := e.PollOutbox(e.ctx, e.allShards(base.AddDate(1, 0, 0)))
	require.NoError(e, err)
	assert.Empty(e, page)
	e.step("x", emitting(emit("t", "real")))
	assert.Equal(e, []string{"real"}, eventIDs(e.outbox("x")))
}

func pendingAfterReopen(e *env) {
	e.create("x")
	e.push("x", "in")
	require.NoError(e, e.Commit(e.ctx, rich("x", 1, "durable")))
	before := e.parts("x", "handled durable")
	q := e.allShards(base.AddDate(1, 0, 0))
	reopened := e.another(e.options)
	require.NoError(e, e.Close(e.ctx))

	next := *e
	next.Store = reopened
	assert.Equal(e, before, next.parts("x", "handled durable"))
	inbox, err := reopened.PollInbox(e.ctx, q)
	require.NoError(e, err)
	outbox, err := reopened.PollOutbox(e.ctx, q)
	require.NoError(e, err)
	spawns, err := reopened.PollSpawns(e.ctx, q)
	require.NoError(e, err)
	timers, err := reopened.DueTimers(e.ctx, q)
	require.NoError(e, err)
	assert.Equal(e, []int{1, 1, 1, 1}, []int{len(inbox), len(outbox), len(spawns), len(timers)})
}
