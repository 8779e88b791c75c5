package storetest

import (
	"fmt"
	"slices"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/durachart/durachart/store"
)

// spawnCases are those of store.Spawns (D50, D51).
var spawnCases = []Case{
	{ID: "SP1", Says: "all fields come back equal, context as text, site and definition named; OU2 to OU4, OU6, OU7, OU9, OU10 hold for spawns", run: spawnsComeBack,
		options: Options{Limits: store.Limits{SpawnEntries: 3, SpawnBytes: 1000, PollEntries: 2}}},
	{ID: "SP2", Says: "RetrySpawn moves its own entry only", run: retrySpawn},
	{ID: "SP3", Says: "creating the child twice from one spawn makes one child and the second is recognised; another spawn or parent is told apart", run: childTwice},
}

func spawnSeqs(entries []store.SpawnEntry) []int64 {
	var all []int64
	for _, x := range entries {
		all = append(all, x.Seq)
	}
	return all
}

func children(entries []store.SpawnEntry) []string {
	var all []string
	for _, x := range entries {
		all = append(all, x.ChildID)
	}
	return all
}

func spawnsComeBack(e *env) {
	e.create("x")
	plain := store.Spawn{ChildID: "x:1", DefinitionID: "d", DefinitionVersion: "v", Event: []byte(`1`)}
	e.step("x", spawning(spawn("x:0"), plain))
	due := base.Add(time.Minute + e.limits.Grace)
	want := []store.SpawnEntry{{Spawn: spawn("x:0"), Seq: store.Seq(2, 0), ParentID: "x", At: due}, {Spawn: plain, Seq: store.Seq(2, 1), ParentID: "x", At: due}}
	assert.Equal(e, want, e.spawns("x"))

	// Due at exactly at (OU2), with the first entries.
	poll := func(until time.Time) []store.Outgoing {
		e.Helper()
		page, err := e.PollSpawns(e.ctx, e.allShards(until))
		require.NoError(e, err)
		return page
	}
	assert.Empty(e, poll(due.Add(-time.Millisecond)))
	page := poll(due)
	require.Len(e, page, 1)
	assert.Equal(e, want, page[0].Spawns)
	assert.Equal(e, []string{"x", "x", "order"}, []string{page[0].ID, page[0].RootID, page[0].DefinitionID})
	assert.Empty(e, page[0].Outbox)
	one, err := e.PendingSpawns(e.ctx, "x", 1)
	require.NoError(e, err)
	assert.Equal(e, want[:1], one)
	_, err = e.PendingSpawns(e.ctx, "unknown", 1)
	require.ErrorIs(e, err, store.ErrNotFound)

	// Full: the whole commit is refused (OU7), and emits of a losing commit never
	// show (OU9).
	refused := commit("x", 2, "h")
	refused.Spawns = []store.Spawn{spawn("x:2"), spawn("x:3")}
	require.ErrorIs(e, e.Commit(e.ctx, refused), store.ErrBackpressure)
	assert.Equal(e, int64(2), e.version("x"))
	stale := refused
	stale.Version = 1
	e.conflict(e.Commit(e.ctx, stale))
	assert.Equal(e, []string{"x:0", "x:1"}, children(e.spawns("x")))

	// Acks remove the named only, as often as they come (OU3, OU6).
	acks := []store.Ack{{ID: "x", Seqs: []int64{want[0].Seq, 999}}, {ID: "unknown", Seqs: []int64{1}}}
	require.NoError(e, e.AckSpawns(e.ctx, acks))
	require.NoError(e, e.AckSpawns(e.ctx, acks))
	require.NoError(e, e.RetrySpawn(e.ctx, store.Retry{ID: "x", Seq: want[0].Seq, Attempts: 1, At: base}))
	assert.Equal(e, want[1:], e.spawns("x"))
	require.NoError(e, e.Commit(e.ctx, refused))
	assert.Equal(e, []string{"x:1", "x:2", "x:3"}, children(e.spawns("x")))
	assert.Equal(e, int64(3), e.version("x"))

	acksAmongSpawns(e)
	if e.Attach != nil {
		next := *e
		next.Store = e.another(e.options)
		assert.Equal(e, e.spawns("x"), next.spawns("x"), "OU10")
	}
}

// acksAmongSpawns is OU4: whatever the order of acks and commits, each spawn is
// acknowledged once or still there.
func acksAmongSpawns(e *env) {
	e.create("busy")
	var want, got []string
	for version := int64(1); version <= 60; version++ {
		child := fmt.Sprint("busy:", version)
		want = append(want, child)
		c := commit("busy", version, child)
		c.Spawns = []store.Spawn{spawn(child)}
		pending := e.spawns("busy")
		var acked []store.SpawnEntry
		if len(pending) == 3 || version%4 == 0 && len(pending) > 0 {
			acked = pending[len(pending)-1:]
		}
		errs := race(2, func(i int) error {
			if i == 0 {
				return e.AckSpawns(e.ctx, []store.Ack{{ID: "busy", Seqs: spawnSeqs(acked)}})
			}
			return untilRoom(func() error { return e.Commit(e.ctx, c) })
		})
		require.Len(e, successes(errs), 2)
		got = append(got, children(acked)...)
	}
	assert.ElementsMatch(e, want, append(got, children(e.spawns("busy"))...))
}

func retrySpawn(e *env) {
	e.create("x")
	e.step("x", spawning(spawn("a"), spawn("b"), spawn("a")))
	want := e.spawns("x")
	later := base.Add(time.Hour)
	require.NoError(e, e.RetrySpawn(e.ctx, store.Retry{ID: "x", Seq: want[1].Seq, Attempts: 2, LastError: "full", At: later}))
	want = slices.Clone(want)
	want[1].Attempts, want[1].LastError, want[1].At = 2, "full", later
	assert.Equal(e, want, e.spawns("x"))
	assert.Equal(e, int64(2), e.version("x"))
	require.NoError(e, e.AckSpawns(e.ctx, []store.Ack{{ID: "x", Seqs: []int64{want[0].Seq, want[2].Seq}}}))
	page, err := e.PollSpawns(e.ctx, e.allShards(later.Add(-time.Millisecond)))
	require.NoError(e, err)
	assert.Empty(e, page)
}

func childTwice(e *env) {
	e.create("parent")
	e.step("parent", spawning(spawn("child")))
	s := e.spawns("parent")[0]
	born := func(parent string, seq int64) error {
		return e.Create(e.ctx, creation("child", childOf(parent, seq), func(c *store.Creation) {
			c.RequestID, c.StartID, c.Status, c.Inbox = fmt.Sprintf("%s:%d", parent, seq), "", store.Pending, entries("$start")
		}))
	}
	require.NoError(e, born("parent", s.Seq))
	for _, again := range []struct {
		parent string
		seq    int64
		same   bool
	}{{"parent", s.Seq, true}, {"parent", s.Seq + 1, false}, {"stranger", s.Seq, false}} {
		err := born(again.parent, again.seq)
		var exists *store.ExistsError
		require.ErrorAs(e, err, &exists)
		assert.Equal(e, again.same, exists.SameStart)
		there := e.load("child")
		assert.Equal(e, again.same, there.ParentID == again.parent && there.SpawnSeq == again.seq, "and by its parent and spawn_seq (D50)")
	}
	assert.Equal(e, []string{"$start"}, e.inbox("child"))
	assert.Equal(e, int64(1), e.version("child"))
}
