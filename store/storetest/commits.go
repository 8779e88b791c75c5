package storetest

import (
	"fmt"
	"slices"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/durachart/durachart/store"
)

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
