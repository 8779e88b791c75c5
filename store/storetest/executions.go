package storetest

import (
	"fmt"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/durachart/durachart/store"
)

// executionCases are those of store.Executions: create, load, commit (D14 to D24).
var executionCases = []Case{
	{ID: "EX1", Says: "a created execution loads equal, as another value, at version 1, with empty arrays; an unknown id is ErrNotFound", run: createdLoadsEqual,
		options: Options{Attributes: []string{"customer"}, Limits: store.Limits{Retention: time.Hour}}},
	{ID: "EX2", Says: "creating an existing id is ErrExists and changes nothing, SameStart is right in both cases; of 32 racing creators one wins", run: createExisting},
	{ID: "EX3", Says: "each commit raises the version by exactly 1 and changes the commit id", run: commitRaisesVersion},
	{ID: "EX4", Says: "a stale commit is ErrConflict with expected and found, and leaves nothing of any part behind", run: staleCommit},
	{ID: "EX5", Says: "of 32 racing commits from one version one wins, and only its parts are visible", run: racingCommits},
	{ID: "EX6", Says: "commit and create are all or nothing over snapshot, outbox, spawns, timers, ring, trace and inbox", run: allOrNothing,
		options: Options{Limits: store.Limits{OutboxEntries: 1, SpawnEntries: 1}}},
	{ID: "EX7", Says: "a commit to a missing execution is ErrNotFound and creates nothing", run: commitToMissing},
	{ID: "EX8", Says: "a commit whose id is in the ring is ErrConflict with Seen, also at the right version", run: commitOfProcessed},
	{ID: "EX9", Says: "one seen id among 16 refuses the whole commit, and Seen names just that one", run: oneSeenAmong16},
	{ID: "EX10", Says: "a commit pulls every handled id from the inbox, also one that came another way; the others keep their order", run: commitPulls},
	{ID: "EX11", Says: "no handled id, a doubled one, too many: ErrInvalidArgument, nothing sent", run: badHandled},
	{ID: "EX12", Says: "LoadForEvent agrees with Load, IsProcessed and ReadInbox; ids that begin with $ are plain text", run: loadForEventAgrees},
	{ID: "EX13", Says: "Load and LoadForEvent ship no array beyond the inbox entries asked for (M)", driver: true},
	{ID: "EX14", Says: "the ring keeps the last R ids in order and forgets the one before; IsProcessed is per execution", run: ringForgets,
		options: Options{Limits: store.Limits{Ring: 16, Handled: 4}}},
	{ID: "EX15", Says: "after 10,000 events through one execution, size and commit cost are what they were after 300", run: longLife},
	{ID: "EX16", Says: "status, outcome, attributes of each type, parked, ended and expiry appear, change and disappear as committed", run: promotedFields,
		options: Options{Limits: store.Limits{Retention: 48 * time.Hour}, Attributes: []string{"text", "whole", "real", "flag", "date"}}},
	{ID: "EX17", Says: "data with nesting, non-ASCII, 300-digit integers, 1.0, 1e+22 and null comes back byte for byte", run: byteForByte},
	{ID: "EX18", Says: "at each cap accepted, one more is ErrTooLarge and no command is sent", run: atEachCap,
		options: Options{Attributes: []string{"a", "b", "c"}, Limits: capLimits}},
	{ID: "EX19", Says: "a document of a newer format is refused by name; lists and polls go on without it", run: newerFormat, needs: needMakeNewer},
	{ID: "EX20", Says: "changing arguments or results after a call changes nothing stored; times are truncated to milliseconds and then match", run: noAliases},
}

func createdLoadsEqual(e *env) {
	c := creation("parent", func(c *store.Creation) {
		c.Timers = map[string]time.Time{"t": base.Add(time.Hour), "u": base.Add(time.Minute)}
		c.Attrs = map[string]store.Attr{"customer": "Jane"}
		c.Priority = 3
		c.Outcome = "so far"
	})
	require.NoError(e, e.Create(e.ctx, c))

	got := e.load("parent")
	want := store.Execution{
		Snapshot: c.Snapshot, ID: "parent", DefinitionID: "order", RootID: "parent", CommitID: got.CommitID, Version: 1, Priority: 3,
		Shard: shardOf("parent"), NextFireAt: base.Add(time.Minute), CreatedAt: base, UpdatedAt: base,
	}
	want.Format, want.Leaves = store.CurrentFormat, nil
	assert.Equal(e, want, got, "the leaves are there to be filtered on, not read (D16)")
	assert.Regexp(e, "^[0-9a-f]{32}$", got.CommitID)
	assert.NotSame(e, &c.Data[0], &got.Data[0])

	l := e.loaded("parent", c.RequestID, c.StartID)
	assert.Equal(e, got, l.Execution)
	assert.ElementsMatch(e, []string{c.RequestID, c.StartID}, l.Seen, "D14: request and start are remembered")
	assert.Zero(e, l.InboxLen+l.OutboxLen+l.SpawnsLen)
	assert.Positive(e, l.Size)
	assert.Empty(e, e.inbox("parent"))
	assert.Empty(e, e.outbox("parent"))
	assert.Empty(e, e.spawns("parent"))
	assert.Empty(e, e.trace("parent"))

	e.create("child", childOf("parent", 77))
	child := e.load("child")
	assert.Equal(e, []any{"parent", "parent", int64(77)}, []any{child.ParentID, child.RootID, child.SpawnSeq})

	// Or the owner runs the first step: PENDING, with the start event in the inbox.
	e.create("pending", func(c *store.Creation) {
		c.Status, c.StartID, c.Inbox = store.Pending, "", entries("start:pending")
	})
	assert.Equal(e, []string{"start:pending"}, e.inbox("pending"))
	assert.Empty(e, e.loaded("pending", "start:pending").Seen)

	_, err := e.Load(e.ctx, "unknown")
	require.ErrorIs(e, err, store.ErrNotFound)
	_, err = e.LoadForEvent(e.ctx, "unknown", nil, 1)
	require.ErrorIs(e, err, store.ErrNotFound)
}

func createExisting(e *env) {
	e.create("x")
	before := e.load("x")
	for request, same := range map[string]bool{"request:x": true, "another": false} {
		err := e.Create(e.ctx, creation("x", func(c *store.Creation) { c.RequestID, c.StartID, c.Data = request, "s2", []byte(`{"n":2}`) }))
		require.ErrorIs(e, err, store.ErrExists)
		var exists *store.ExistsError
		require.ErrorAs(e, err, &exists)
		assert.Equal(e, "x", exists.ID)
		assert.Equal(e, same, exists.SameStart, request)
	}
	assert.Equal(e, before, e.load("x"))

	errs := race(32, func(i int) error {
		return e.Create(e.ctx, creation("raced", func(c *store.Creation) { c.RequestID, c.Data = fmt.Sprint("r", i), fmt.Appendf(nil, `%d`, i) }))
	})
	won := successes(errs)
	require.Len(e, won, 1)
	assert.Equal(e, fmt.Sprint(won[0]), string(e.load("raced").Data))
	for i, err := range errs {
		if i != won[0] {
			var exists *store.ExistsError
			require.ErrorAs(e, err, &exists)
			assert.False(e, exists.SameStart)
		}
	}
}

func loadForEventAgrees(e *env) {
	ids := []string{"$set", "$$ROOT", "plain", "$start", "a.b", "ünï", "%"}
	for _, id := range []string{"$x", "a.b", "x y", "ü"} {
		e.create(id)
		e.push(id, "$literal", "waits.too")
		e.step(id, handling("$set", "a.b", "ünï"))
		x, l := e.load(id), e.loaded(id, ids...)
		assert.Equal(e, x, l.Execution)
		var processed []string
		for _, event := range ids {
			is, err := e.IsProcessed(e.ctx, id, event)
			require.NoError(e, err)
			if is {
				processed = append(processed, event)
			}
		}
		assert.Equal(e, []string{"$set", "a.b", "ünï"}, processed)
		assert.ElementsMatch(e, processed, l.Seen)
		waiting, err := e.ReadInbox(e.ctx, id, 10)
		require.NoError(e, err)
		assert.Equal(e, waiting, l.Inbox)
		assert.Equal(e, 2, l.InboxLen)

		some, err := e.LoadForEvent(e.ctx, id, nil, 1)
		require.NoError(e, err)
		assert.Equal(e, waiting[:1], some.Inbox, "as many as asked for")
		assert.Equal(e, 2, some.InboxLen)
		assert.Empty(e, some.Seen)
		none, err := e.LoadForEvent(e.ctx, id, nil, 0)
		require.NoError(e, err)
		assert.Empty(e, none.Inbox)
	}
	is, err := e.IsProcessed(e.ctx, "unknown", "x")
	require.NoError(e, err)
	assert.False(e, is)
}
