package storetest

import (
	"fmt"
	"maps"
	"slices"
	"strings"
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

func commitRaisesVersion(e *env) {
	e.create("x")
	seen := map[string]bool{e.load("x").CommitID: true}
	for version := int64(1); version <= 5; version++ {
		e.step("x")
		got := e.load("x")
		assert.Equal(e, version+1, got.Version)
		assert.False(e, seen[got.CommitID], "another commit id each time")
		seen[got.CommitID] = true
	}
}

// rich is a commit with something in every part.
func rich(id string, version int64, name string) store.Commit {
	c := commit(id, version, "handled "+name)
	c.Data = []byte(`{"by":"` + name + `"}`)
	c.Outcome = name
	c.Leaves = []string{name}
	c.Timers = map[string]time.Time{name: base.Add(time.Hour)}
	c.Emits = []store.Emit{emit("target", "emit "+name)}
	c.Spawns = []store.Spawn{spawn("child " + name)}
	c.Trace = []store.TraceStep{{At: base, Step: []byte(`"` + name + `"`)}}
	return c
}

// parts is everything that an execution shows.
type parts struct {
	loaded store.Loaded
	outbox []store.OutboxEntry
	spawns []store.SpawnEntry
	trace  []store.TraceStep
}

// clone copies the bytes, so that it stays what it was whatever happens to them.
func (p parts) clone() parts {
	p.loaded.Data = slices.Clone(p.loaded.Data)
	p.loaded.Seen, p.loaded.Timers = slices.Clone(p.loaded.Seen), maps.Clone(p.loaded.Timers)
	p.loaded.Inbox, p.outbox, p.spawns, p.trace = slices.Clone(p.loaded.Inbox), slices.Clone(p.outbox), slices.Clone(p.spawns), slices.Clone(p.trace)
	for i := range p.loaded.Inbox {
		p.loaded.Inbox[i].Event = slices.Clone(p.loaded.Inbox[i].Event)
	}
	for i := range p.outbox {
		p.outbox[i].Event = slices.Clone(p.outbox[i].Event)
	}
	for i := range p.spawns {
		p.spawns[i].Context, p.spawns[i].Event = slices.Clone(p.spawns[i].Context), slices.Clone(p.spawns[i].Event)
	}
	for i := range p.trace {
		p.trace[i].Step = slices.Clone(p.trace[i].Step)
	}
	return p
}

func (e *env) parts(id string, ids ...string) parts {
	e.Helper()
	return parts{e.loaded(id, ids...), e.outbox(id), e.spawns(id), e.trace(id)}
}

// listedBy returns the executions that are in a leaf.
func (e *env) listedBy(leaf string) []string {
	e.Helper()
	page, err := e.List(e.ctx, store.Filter{Leaf: leaf}, store.Page{Limit: 100})
	require.NoError(e, err)
	var ids []string
	for _, x := range page.Items {
		ids = append(ids, x.ID)
	}
	return ids
}

func staleCommit(e *env) {
	e.create("x")
	e.push("x", "waits", "handled stale")
	e.step("x", handling("first"))
	before := e.parts("x", "first", "handled stale")

	c := e.conflict(e.Commit(e.ctx, rich("x", 1, "stale")))
	assert.Equal(e, store.ConflictError{ID: "x", Expected: 1, Found: 2}, *c)
	c = e.conflict(e.Commit(e.ctx, rich("x", 3, "future")))
	assert.Equal(e, store.ConflictError{ID: "x", Expected: 3, Found: 2}, *c)

	assert.Equal(e, before, e.parts("x", "first", "handled stale"))
	assert.Empty(e, e.listedBy("stale"))
}

func racingCommits(e *env) {
	e.create("x")
	errs := race(32, func(i int) error { return e.Commit(e.ctx, rich("x", 1, fmt.Sprint("racer", i))) })
	won := successes(errs)
	require.Len(e, won, 1)
	for i, err := range errs {
		if i != won[0] {
			assert.Equal(e, int64(2), e.conflict(err).Found)
		}
	}
	name := fmt.Sprint("racer", won[0])
	var handled []string
	for i := range 32 {
		handled = append(handled, fmt.Sprint("handled racer", i))
	}
	p := e.parts("x", handled...)
	assert.Equal(e, int64(2), p.loaded.Version)
	assert.Equal(e, name, p.loaded.Outcome)
	assert.Equal(e, []string{"handled " + name}, p.loaded.Seen)
	assert.Equal(e, map[string]time.Time{name: base.Add(time.Hour)}, p.loaded.Timers)
	assert.Equal(e, []string{"emit " + name}, eventIDs(p.outbox))
	require.Len(e, p.spawns, 1)
	assert.Equal(e, "child "+name, p.spawns[0].ChildID)
	require.Len(e, p.trace, 1)
	assert.Equal(e, `"`+name+`"`, string(p.trace[0].Step))
	assert.Equal(e, []string{"x"}, e.listedBy(name))
}

func allOrNothing(e *env) {
	// All: one commit, and every part of it is there.
	e.create("x")
	e.push("x", "handled all", "stays")
	require.NoError(e, e.Commit(e.ctx, rich("x", 1, "all")))
	p := e.parts("x", "handled all")
	assert.Equal(e, `{"by":"all"}`, string(p.loaded.Data))
	assert.Equal(e, []string{"handled all"}, p.loaded.Seen)
	assert.Equal(e, []string{"stays"}, e.inbox("x"))
	assert.Len(e, p.outbox, 1)
	assert.Len(e, p.spawns, 1)
	assert.Len(e, p.trace, 1)
	assert.Contains(e, p.loaded.Timers, "all")
	assert.Equal(e, []string{"x"}, e.listedBy("all"))

	// Nothing: only the outbox is full, then only the spawns are, and no part shows.
	require.NoError(e, e.AckSpawns(e.ctx, []store.Ack{{ID: "x", Seqs: spawnSeqs(p.spawns)}}))
	refused := func() {
		e.Helper()
		before := e.parts("x", "handled none")
		require.ErrorIs(e, e.Commit(e.ctx, rich("x", before.loaded.Version, "none")), store.ErrBackpressure)
		assert.Equal(e, before, e.parts("x", "handled none"))
	}
	refused()
	e.drain("x")
	e.step("x", spawning(spawn("fills")))
	refused()

	// Create likewise, with entries in every array.
	whole := creation("y", func(c *store.Creation) {
		r := rich("y", 1, "born")
		c.Snapshot, c.Emits, c.Spawns, c.Trace, c.Inbox = r.Snapshot, r.Emits, r.Spawns, r.Trace, entries("first")
	})
	require.NoError(e, e.Create(e.ctx, whole))
	p = e.parts("y", whole.RequestID, whole.StartID)
	assert.ElementsMatch(e, []string{whole.RequestID, whole.StartID}, p.loaded.Seen)
	assert.Equal(e, []string{"first"}, e.inbox("y"))
	assert.Equal(e, []int64{store.Seq(1, 0)}, seqs(p.outbox))
	assert.Equal(e, store.Seq(1, 0), p.spawns[0].Seq)
	assert.Equal(e, store.Seq(1, 0), p.trace[0].Index)
	assert.Contains(e, p.loaded.Timers, "born")

	whole.ID, whole.Data = "z", []byte(`{`)
	require.ErrorIs(e, e.Create(e.ctx, whole), store.ErrInvalidArgument)
	_, err := e.Load(e.ctx, "z")
	require.ErrorIs(e, err, store.ErrNotFound)

	readersSeeWholeCommits(e)
}

// readersSeeWholeCommits reads while commits go on: what is read of one instant
// fits together.
func readersSeeWholeCommits(e *env) {
	e.create("busy")
	done := make(chan error, 1)
	go func() {
		for version := int64(1); version <= 200; version++ {
			c := commit("busy", version, fmt.Sprint("busy", version))
			c.Data = fmt.Appendf(nil, `%d`, version+1)
			if version%2 == 1 {
				c.Timers = map[string]time.Time{"odd": base}
			}
			if err := e.Commit(e.ctx, c); err != nil {
				done <- err
				return
			}
		}
		done <- nil
	}()
	for {
		l := e.loaded("busy", "busy1", "busy200")
		if l.Version > 1 {
			require.Equal(e, fmt.Sprint(l.Version), string(l.Data))
			require.Equal(e, l.Version%2 == 0, len(l.Timers) == 1)
			require.Contains(e, l.Seen, "busy1")
			require.Equal(e, l.Version == 201, slices.Contains(l.Seen, "busy200"))
		}
		select {
		case err := <-done:
			require.NoError(e, err)
			return
		default:
		}
	}
}

func commitToMissing(e *env) {
	require.ErrorIs(e, e.Commit(e.ctx, rich("nobody", 1, "ghost")), store.ErrNotFound)
	_, err := e.Load(e.ctx, "nobody")
	require.ErrorIs(e, err, store.ErrNotFound)
	assert.Empty(e, e.listedBy("ghost"))
	e.create("nobody")
}

func commitOfProcessed(e *env) {
	e.create("x")
	e.step("x", handling("once"))
	before := e.parts("x")

	c := e.conflict(e.Commit(e.ctx, commit("x", 2, "once")))
	assert.Equal(e, store.ConflictError{ID: "x", Expected: 2, Found: 2, Seen: []string{"once"}}, *c)
	c = e.conflict(e.Commit(e.ctx, commit("x", 1, "once")))
	assert.Equal(e, store.ConflictError{ID: "x", Expected: 1, Found: 2, Seen: []string{"once"}}, *c)
	assert.Equal(e, before, e.parts("x"))
}

func oneSeenAmong16(e *env) {
	e.create("x")
	e.step("x", handling("id7"))
	var ids []string
	for i := range 16 {
		ids = append(ids, fmt.Sprint("id", i))
	}
	c := e.conflict(e.Commit(e.ctx, commit("x", 2, ids...)))
	assert.Equal(e, []string{"id7"}, c.Seen)
	assert.Equal(e, []string{"id7"}, e.loaded("x", ids...).Seen, "nothing of the others is remembered")
	require.NoError(e, e.Commit(e.ctx, commit("x", 2, slices.DeleteFunc(ids, func(id string) bool { return id == "id7" })...)))
}

func commitPulls(e *env) {
	e.create("x")
	e.push("x", "a", "b", "c", "d", "e")
	// c came by a local call while its twin waits in the inbox (D18).
	e.step("x", handling("d", "c", "not in the inbox"))
	assert.Equal(e, []string{"a", "b", "e"}, e.inbox("x"))
	e.step("x", handling("a"))
	assert.Equal(e, []string{"b", "e"}, e.inbox("x"))
}

func badHandled(e *env) {
	e.create("x")
	sent := e.sent()
	var many []string
	for i := range 17 {
		many = append(many, fmt.Sprint("id", i))
	}
	for _, handled := range [][]string{nil, {}, {"a", "b", "a"}, many, {""}} {
		require.ErrorIs(e, e.Commit(e.ctx, commit("x", 1, handled...)), store.ErrInvalidArgument)
	}
	assert.Equal(e, sent, e.sent(), "no command")
	assert.Equal(e, int64(1), e.version("x"))
	require.NoError(e, e.Commit(e.ctx, commit("x", 1, many[:16]...)))
}

// sent counts the commands so far, where the harness can.
func (e *env) sent() int {
	if e.Commands == nil {
		return 0
	}
	return e.Commands()
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

func ringForgets(e *env) {
	e.create("x", func(c *store.Creation) { c.RequestID, c.StartID = "r", "s" })
	e.create("y")
	ids := []string{"r", "s"}
	for i := range 10 {
		pair := []string{fmt.Sprint("first", i), fmt.Sprint("second", i)}
		e.step("x", handling(pair...))
		ids = append(ids, pair...)
		kept := ids[max(0, len(ids)-16):]
		assert.ElementsMatch(e, kept, e.loaded("x", ids...).Seen, "the last 16 of %d", len(ids))
		forgotten := ids[:len(ids)-len(kept)]
		for _, id := range forgotten {
			is, err := e.IsProcessed(e.ctx, "x", id)
			require.NoError(e, err)
			assert.False(e, is, id)
		}
	}
	is, err := e.IsProcessed(e.ctx, "y", "second9")
	require.NoError(e, err)
	assert.False(e, is, "another execution's ids are not ours")
	require.NoError(e, e.Commit(e.ctx, commit("x", e.version("x"), "r")), "a forgotten id is as new")
}

func longLife(e *env) {
	e.create("x")
	handle := func(from, to int) {
		for ; from < to; from += 16 {
			var ids []string
			for i := range 16 {
				ids = append(ids, fmt.Sprintf("event-%08d", from+i))
			}
			e.push("x", ids[:4]...)
			c := commit("x", e.loaded("x").Version, ids...)
			c.Trace = []store.TraceStep{{At: base, Step: []byte(`"step"`)}}
			require.NoError(e, e.Commit(e.ctx, c))
		}
	}
	cost := func() int {
		sent := e.sent()
		handle(1_000_000, 1_000_160)
		return e.sent() - sent
	}
	handle(0, 3200)
	commands := cost()
	early := e.loaded("x")
	handle(3200, 10_000)
	late := e.loaded("x")
	assert.InDelta(e, early.Size, late.Size, 64, "the document does not grow")
	// The same ids again after they were forgotten: nothing but the number of events
	// before them differs.
	assert.Equal(e, commands, cost(), "nor does what a commit costs")
	assert.Len(e, e.trace("x"), 200)
}

func promotedFields(e *env) {
	e.create("x")
	attrs := map[string]store.Attr{"text": "Jäne", "whole": int64(1) << 60, "real": 2.5, "flag": true, "date": base}
	now := base.Add(time.Hour)
	e.step("x", at(now), func(c *store.Commit) {
		c.Status, c.Outcome, c.Attrs = store.Failed, "half way", attrs
		c.DefinitionVersion = "v2"
		c.EnteredAt = now
		c.Parked = &store.Parked{EventID: "bad", Reason: "step_failed", Error: "boom", Attempts: 3, At: now}
	})
	x := e.load("x")
	assert.Equal(e, store.Failed, x.Status)
	assert.Equal(e, "half way", x.Outcome)
	assert.Equal(e, "v2", x.DefinitionVersion)
	assert.Equal(e, attrs, x.Attrs)
	assert.Equal(e, &store.Parked{EventID: "bad", Reason: "step_failed", Error: "boom", Attempts: 3, At: now}, x.Parked)
	assert.Equal(e, now, x.EnteredAt)
	assert.Equal(e, now, x.UpdatedAt)
	assert.Equal(e, base, x.CreatedAt)
	assert.False(e, x.Ended)
	assert.Zero(e, x.EndedAt)
	assert.Zero(e, x.ExpiresAt)

	// Changed: ended, with a date of expiry (D72).
	now = now.Add(time.Hour)
	e.step("x", at(now), ending, func(c *store.Commit) { c.Attrs = map[string]store.Attr{"text": "other"} })
	x = e.load("x")
	assert.Equal(e, store.Done, x.Status)
	assert.Equal(e, "ok", x.Outcome)
	assert.Equal(e, map[string]store.Attr{"text": "other"}, x.Attrs)
	assert.Nil(e, x.Parked)
	assert.True(e, x.Ended)
	assert.Equal(e, now, x.EndedAt)
	assert.Equal(e, now.Add(48*time.Hour), x.ExpiresAt)

	// Gone: a reset takes them away again.
	e.step("x")
	x = e.load("x")
	assert.Equal(e, store.Running, x.Status)
	assert.Empty(e, x.Outcome)
	assert.Empty(e, x.Attrs)
	assert.False(e, x.Ended)
	assert.Zero(e, x.EndedAt)
	assert.Zero(e, x.ExpiresAt)

	for _, status := range []store.Status{store.Pending, store.Cancelling, store.Suspended} {
		e.step("x", func(c *store.Commit) { c.Status = status })
		assert.Equal(e, status, e.load("x").Status)
	}
	e.step("x", func(c *store.Commit) { c.Status, c.Ended = store.Cancelled, true })
	assert.True(e, e.load("x").Ended)
	require.ErrorIs(e, e.Commit(e.ctx, func() store.Commit {
		c := commit("x", e.version("x"), "undeclared")
		c.Attrs = map[string]store.Attr{"undeclared": "x"}
		return c
	}()), store.ErrInvalidArgument)
}

func byteForByte(e *env) {
	digits := strings.Repeat("1234567890", 30)
	data := []byte(`{ "n" : [1.0, 1e+22, -0, ` + digits + `, null, true], "$set":{"a.b":{"":"\u00e9é\ud834\udd1e💚"}}, "z":1,"a":2,
		"deep":` + strings.Repeat("[", 200) + strings.Repeat("]", 200) + "\n}")
	e.create("x", func(c *store.Creation) { c.Data = data; c.Inbox = []store.InboxEntry{{ID: "e", Event: data}} })
	assert.Equal(e, string(data), string(e.load("x").Data))
	assert.Equal(e, string(data), string(e.loaded("x").Inbox[0].Event))
	e.step("x", func(c *store.Commit) {
		c.Data = data
		c.Emits = []store.Emit{{ID: "o", Event: data}}
		c.Spawns = []store.Spawn{spawn("c")}
		c.Spawns[0].Context, c.Spawns[0].Event = data, data
		c.Trace = []store.TraceStep{{At: base, Step: data}}
	})
	p := e.parts("x")
	for _, text := range [][]byte{p.loaded.Data, p.outbox[0].Event, p.spawns[0].Context, p.spawns[0].Event, p.trace[0].Step} {
		assert.Equal(e, string(data), string(text))
	}
	for _, text := range []string{`null`, `1.0`, `""`, `[]`, digits} {
		e.step("x", func(c *store.Commit) { c.Data = []byte(text) })
		assert.Equal(e, text, string(e.load("x").Data))
	}
}

// capLimits are caps that are easily reached.
var capLimits = store.Limits{
	Data: 100, Event: 50, SpawnContext: 40, Attrs: 2, AttrBytes: 300, PushBytes: 120, OutboxStep: 120, SpawnStep: 150, Timers: 3,
}

// jsonOf is a JSON text of n bytes.
func jsonOf(n int) []byte { return []byte(strings.Repeat("1", n)) }

func timersOf(n int) map[string]time.Time {
	timers := map[string]time.Time{}
	for i := range n {
		timers[fmt.Sprint("t", i)] = base
	}
	return timers
}

func atEachCap(e *env) {
	e.create("x")
	emits := func(sizes ...int) (all []store.Emit) {
		for i, n := range sizes {
			all = append(all, store.Emit{ID: fmt.Sprint(i), Event: jsonOf(n)})
		}
		return all
	}
	spawns := func(context int, events ...int) (all []store.Spawn) {
		for i, n := range events {
			s := spawn(fmt.Sprint(i))
			s.Context, s.Event = jsonOf(context), jsonOf(n)
			all = append(all, s)
		}
		return all
	}
	attrs := func(n int) map[string]store.Attr {
		return map[string]store.Attr{"a": strings.Repeat("x", 256), "b": strings.Repeat("x", n)}
	}
	for name, set := range map[string]func(c *store.Commit, over int){
		"data":            func(c *store.Commit, over int) { c.Data = jsonOf(100 + over) },
		"event":           func(c *store.Commit, over int) { c.Emits = emits(50 + over) },
		"emits of a step": func(c *store.Commit, over int) { c.Emits = emits(50, 50, 20+over) },
		"spawn context":   func(c *store.Commit, over int) { c.Spawns = spawns(40+over, 10) },
		"spawns of a step": func(c *store.Commit, over int) {
			c.Spawns = spawns(40, 35, 35+over)
		},
		"timers":          func(c *store.Commit, over int) { c.Timers = timersOf(3 + over) },
		"attribute bytes": func(c *store.Commit, over int) { c.Attrs = attrs(42 + over) },
		"attribute text":  func(c *store.Commit, over int) { c.Attrs = map[string]store.Attr{"a": strings.Repeat("x", 256+over)} },
		"attributes": func(c *store.Commit, over int) {
			c.Attrs = map[string]store.Attr{"a": true, "b": true}
			if over > 0 {
				c.Attrs["c"] = true
			}
		},
	} {
		c := commit("x", e.version("x"), "over "+name)
		set(&c, 1)
		sent := e.sent()
		require.ErrorIs(e, e.Commit(e.ctx, c), store.ErrTooLarge, name)
		assert.Equal(e, sent, e.sent(), "%s: no command", name)
		c.Handled = []string{"at " + name}
		set(&c, 0)
		require.NoError(e, e.Commit(e.ctx, c), name)
		e.drain("x")
	}

	over := push("x", "a", "b", "c")
	over.Entries[0].Event, over.Entries[1].Event, over.Entries[2].Event = jsonOf(50), jsonOf(50), jsonOf(21)
	sent := e.sent()
	_, err := e.Push(e.ctx, over)
	require.ErrorIs(e, err, store.ErrTooLarge)
	require.ErrorIs(e, e.Create(e.ctx, creation("y", func(c *store.Creation) { c.Data = jsonOf(101) })), store.ErrTooLarge)
	assert.Equal(e, sent, e.sent(), "no command")
	over.Entries[2].Event = jsonOf(20)
	_, err = e.Push(e.ctx, over)
	require.NoError(e, err)
	require.NoError(e, e.Create(e.ctx, creation("y", func(c *store.Creation) { c.Data = jsonOf(100) })))

	// D10: ids of 255 bytes are the longest.
	long := "x" + strings.Repeat("é", 127)
	named := func(id string) store.Creation {
		return creation("x", func(c *store.Creation) { c.ID, c.RequestID, c.StartID, c.DefinitionID = id, id, "", id })
	}
	require.NoError(e, e.Create(e.ctx, named(long)))
	require.NoError(e, e.Commit(e.ctx, commit(long, 1, "h"+long[1:])))
	e.load(long)
	require.ErrorIs(e, e.Create(e.ctx, named(long+"x")), store.ErrInvalidArgument)
	require.ErrorIs(e, e.Commit(e.ctx, commit("x", e.version("x"), "a\x00b")), store.ErrInvalidArgument)
	require.ErrorIs(e, e.Commit(e.ctx, commit("x", e.version("x"), "a\xffb")), store.ErrInvalidArgument)
}

// drain acknowledges everything that waits.
func (e *env) drain(id string) {
	e.Helper()
	require.NoError(e, e.AckOutbox(e.ctx, []store.Ack{{ID: id, Seqs: seqs(e.outbox(id))}}))
	var spawned []int64
	for _, s := range e.spawns(id) {
		spawned = append(spawned, s.Seq)
	}
	require.NoError(e, e.AckSpawns(e.ctx, []store.Ack{{ID: id, Seqs: spawned}}))
}

func newerFormat(e *env) {
	for _, id := range []string{"old", "new"} {
		e.create(id, func(c *store.Creation) {
			r := rich(id, 1, "same")
			c.Snapshot, c.Emits, c.Spawns, c.Inbox = r.Snapshot, r.Emits, r.Spawns, entries("waits")
		})
	}
	e.MakeNewer(e.TB, "new")

	_, err := e.Load(e.ctx, "new")
	require.ErrorIs(e, err, store.ErrUnsupported)
	assert.ErrorContains(e, err, "new", "by name")
	_, err = e.LoadForEvent(e.ctx, "new", nil, 1)
	require.ErrorIs(e, err, store.ErrUnsupported)
	e.load("old")

	assert.Equal(e, []string{"old"}, e.listedBy("same"))
	q := e.allShards(base.AddDate(1, 0, 0))
	inbox, err := e.PollInbox(e.ctx, q)
	require.NoError(e, err)
	outbox, err := e.PollOutbox(e.ctx, q)
	require.NoError(e, err)
	spawns, err := e.PollSpawns(e.ctx, q)
	require.NoError(e, err)
	timers, err := e.DueTimers(e.ctx, q)
	require.NoError(e, err)
	require.Equal(e, []int{1, 1, 1, 1}, []int{len(inbox), len(outbox), len(spawns), len(timers)})
	assert.Equal(e, []string{"old", "old", "old", "old"}, []string{inbox[0].ID, outbox[0].ID, spawns[0].ID, timers[0].ID})
}

func noAliases(e *env) {
	spoil := func(texts ...[]byte) {
		for _, text := range texts {
			for i := range text {
				text[i] = '!'
			}
		}
	}
	precise := base.Add(999_999 * time.Nanosecond)
	c := creation("x", func(c *store.Creation) {
		r := rich("x", 1, "made")
		c.Snapshot, c.Emits, c.Spawns, c.Trace, c.Inbox = r.Snapshot, r.Emits, r.Spawns, r.Trace, entries("in")
		c.Now, c.EnteredAt, c.Timers = precise, precise, map[string]time.Time{"t": precise}
		c.Parked = nil
	})
	require.NoError(e, e.Create(e.ctx, c))
	first := e.parts("x", "request:x", "start:x").clone()
	assert.Equal(e, base, first.loaded.CreatedAt, "D11: cut to milliseconds")
	assert.Equal(e, base, first.loaded.EnteredAt)
	assert.Equal(e, base, first.loaded.NextFireAt)
	assert.Equal(e, map[string]time.Time{"t": base}, first.loaded.Timers)

	// The arguments change after the call.
	spoil(c.Data, c.Emits[0].Event, c.Spawns[0].Context, c.Spawns[0].Event, c.Trace[0].Step, c.Inbox[0].Event)
	c.Timers["u"], c.Inbox[0].ID, c.Emits[0].ID = base, "other", "other"
	c.Leaves[0] = "other"
	assert.Equal(e, first, e.parts("x", "request:x", "start:x"))
	assert.Equal(e, []string{"x"}, e.listedBy("made"))

	// The results change after the call.
	mine := e.parts("x", "request:x", "start:x")
	spoil(mine.loaded.Data, mine.loaded.Inbox[0].Event, mine.outbox[0].Event, mine.spawns[0].Context, mine.spawns[0].Event, mine.trace[0].Step)
	mine.loaded.Timers["u"] = base
	mine.loaded.Seen[0], mine.loaded.Inbox[0].ID, mine.outbox[0].ID = "!", "!", "!"
	assert.Equal(e, first, e.parts("x", "request:x", "start:x"))

	// The same for commit and push.
	next := rich("x", 1, "next")
	next.Parked = nil
	require.NoError(e, e.Commit(e.ctx, next))
	more := push("x", "more")
	_, err := e.Push(e.ctx, more)
	require.NoError(e, err)
	second := e.parts("x", "handled next").clone()
	spoil(next.Data, next.Emits[0].Event, next.Spawns[0].Context, next.Trace[0].Step, more.Entries[0].Event)
	next.Handled[0], more.Entries[0].ID, next.Leaves[0] = "!", "!", "!"
	next.Timers["u"] = base
	assert.Equal(e, second, e.parts("x", "handled next"))
	assert.Equal(e, []string{"x"}, e.listedBy("next"))
	polled, err := e.PollOutbox(e.ctx, e.allShards(base.AddDate(1, 0, 0)))
	require.NoError(e, err)
	spoil(polled[0].Outbox[0].Event)
	assert.Equal(e, second, e.parts("x", "handled next"))

	// D11: what was cut matches its precise twin.
	deleted, err := e.DeleteTimer(e.ctx, "x", "next", base.Add(time.Hour+time.Nanosecond))
	require.NoError(e, err)
	assert.True(e, deleted)
}
