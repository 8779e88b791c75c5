package storetest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/durachart/durachart/store"
)

// batchCases are those of store.BulkCommitter and of commits that travel together
// (D22).
var batchCases = []Case{
	{ID: "BA1", Says: "CommitBatch and CreateBatch of winners, losers, missing and duplicates give each item its own right answer", run: batchOfAllSorts, needs: needBulk},
	{ID: "BA2", Says: "two commits of one execution in one batch: one wins, one conflicts", run: twiceInOneBatch, needs: needBulk},
	{ID: "BA3", Says: "an item that fails (over a cap, refused by the server) does not touch its neighbours", run: badNeighbours, needs: needBulk,
		options: Options{Limits: store.Limits{Data: 100, OutboxEntries: 1, InboxEntries: 1}}},
	{ID: "BA4", Says: "1,000 concurrent commits of different executions all succeed, in far fewer commands; a lone one waits for no company (M)", run: thousandAtOnce},
	{ID: "BA5", Says: "ctx ended in the queue: ctx.Err() and certainly not applied; ended after sending: ErrUncertain", run: ctxEndsInQueue},
}

func (e *env) bulk() store.BulkCommitter { return e.Store.(store.BulkCommitter) }

func batchOfAllSorts(e *env) {
	e.create("old")
	errs := e.bulk().CreateBatch(e.ctx, []store.Creation{
		creation("a"), creation("old", func(c *store.Creation) { c.RequestID = "another" }), creation("b"), creation("old"), creation("a"),
	})
	require.Len(e, errs, 5)
	require.NoError(e, errs[0])
	require.NoError(e, errs[2])
	for i, same := range map[int]bool{1: false, 3: true, 4: true} {
		var exists *store.ExistsError
		require.ErrorAs(e, errs[i], &exists, "item %d", i)
		assert.Equal(e, same, exists.SameStart, "item %d", i)
		assert.Equal(e, []string{1: "old", 3: "old", 4: "a"}[i], exists.ID)
	}

	e.step("b")
	e.step("old", handling("done"))
	errs = e.bulk().CommitBatch(e.ctx, []store.Commit{
		commit("a", 1, "1"), commit("b", 1, "1"), commit("missing", 1, "1"), commit("old", 2, "fresh", "done"), commit("b", 2, "2"),
	})
	require.Len(e, errs, 5)
	require.NoError(e, errs[0])
	assert.Equal(e, store.ConflictError{ID: "b", Expected: 1, Found: 2}, withoutFound(e.conflict(errs[1])))
	require.ErrorIs(e, errs[2], store.ErrNotFound)
	assert.Equal(e, store.ConflictError{ID: "old", Expected: 2, Found: 2, Seen: []string{"done"}}, *e.conflict(errs[3]))
	require.NoError(e, errs[4])
	assert.Equal(e, []int64{2, 3, 2}, []int64{e.version("a"), e.version("b"), e.version("old")})

	e.step("old", ending)
	pushed, errs := e.bulk().PushBatch(e.ctx, []store.Push{
		push("a", "x", "y"), push("missing", "x"), push("old", "x"), push("old", "done"), push("b", "x", "2", "z"), push("a", "z"),
	})
	require.Len(e, errs, 6)
	require.NoError(e, errs[0])
	require.ErrorIs(e, errs[1], store.ErrNotFound)
	require.ErrorIs(e, errs[2], store.ErrEnded)
	require.NoError(e, errs[3])
	require.NoError(e, errs[4])
	require.NoError(e, errs[5])
	assert.Equal(e, []store.Pushed{{Added: 2}, {}, {}, {Duplicates: []string{"done"}}, {Added: 2, Duplicates: []string{"2"}}, {Added: 1}}, pushed)
	assert.Equal(e, []string{"x", "y", "z"}, e.inbox("a"), "pushes of one execution keep their order")
	assert.Equal(e, []string{"x", "z"}, e.inbox("b"))

	loaded, errs := e.bulk().LoadBatch(e.ctx, []string{"b", "missing", "a", "b"}, 1)
	require.Len(e, errs, 4)
	require.ErrorIs(e, errs[1], store.ErrNotFound)
	for i, id := range map[int]string{0: "b", 2: "a", 3: "b"} {
		require.NoError(e, errs[i])
		want, err := e.LoadForEvent(e.ctx, id, nil, 1)
		require.NoError(e, err)
		assert.Equal(e, want, loaded[i])
	}

	assert.Empty(e, e.bulk().CommitBatch(e.ctx, nil))
	assert.Empty(e, e.bulk().CreateBatch(e.ctx, nil))
}

// withoutFound lets Found be 2 or 3 where a neighbour commits the same execution:
// the read-back is a command of its own, and the neighbour may come first.
func withoutFound(c *store.ConflictError) store.ConflictError {
	if c.Found == 3 {
		c.Found = 2
	}
	return *c
}

func twiceInOneBatch(e *env) {
	e.create("x")
	e.create("other")
	errs := e.bulk().CommitBatch(e.ctx, []store.Commit{rich("x", 1, "one"), commit("other", 1, "1"), rich("x", 1, "two")})
	require.NoError(e, errs[1])
	won := successes([]error{errs[0], errs[2]})
	require.Len(e, won, 1)
	assert.Equal(e, int64(2), e.conflict(errors.Join(errs[0], errs[2])).Found)
	assert.Equal(e, []string{"emit " + []string{"one", "two"}[won[0]]}, eventIDs(e.outbox("x")))

	// One after the other, both of them fit.
	errs = e.bulk().CommitBatch(e.ctx, []store.Commit{commit("other", 2, "2"), commit("other", 3, "3")})
	require.NoError(e, errs[0])
	if errs[1] != nil {
		e.conflict(errs[1]) // or the second was sent beside the first
	}
}

func badNeighbours(e *env) {
	ids := []string{"a", "full", "b", "large", "c"}
	for _, id := range ids {
		e.create(id)
	}
	e.step("full", emitting(emit("t", "1")))
	batch := []store.Commit{commit("a", 1, "1"), commit("full", 2, "2"), commit("b", 1, "1"), commit("large", 1, "1"), commit("c", 1, "1"), commit("", 1, "1")}
	batch[1].Emits = []store.Emit{emit("t", "2")}
	batch[3].Data = jsonOf(101)
	errs := e.bulk().CommitBatch(e.ctx, batch)
	require.ErrorIs(e, errs[1], store.ErrBackpressure)
	require.ErrorIs(e, errs[3], store.ErrTooLarge)
	require.ErrorIs(e, errs[5], store.ErrInvalidArgument)
	for i, id := range map[int]string{0: "a", 2: "b", 4: "c"} {
		require.NoError(e, errs[i], id)
		assert.Equal(e, int64(2), e.version(id))
	}

	errs = e.bulk().CreateBatch(e.ctx, []store.Creation{creation("d"), creation("large2", func(c *store.Creation) { c.Data = jsonOf(101) }), creation("a"), creation("f")})
	require.NoError(e, errs[0])
	require.ErrorIs(e, errs[1], store.ErrTooLarge)
	require.ErrorIs(e, errs[2], store.ErrExists)
	require.NoError(e, errs[3])
	e.load("d")
	e.load("f")

	e.push("full", "1")
	pushed, errs := e.bulk().PushBatch(e.ctx, []store.Push{push("a", "1x"), push("full", "2"), push("b", ""), push("c", "1x")})
	require.NoError(e, errs[0])
	require.ErrorIs(e, errs[1], store.ErrBackpressure)
	require.ErrorIs(e, errs[2], store.ErrInvalidArgument)
	require.NoError(e, errs[3])
	assert.Equal(e, []int{1, 0, 0, 1}, []int{pushed[0].Added, pushed[1].Added, pushed[2].Added, pushed[3].Added})
}

func thousandAtOnce(e *env) {
	const n = 1000
	id := func(i int) string { return fmt.Sprint("x", i) }
	for i := range n {
		e.create(id(i))
	}
	sent := e.sent()
	errs := race(n, func(i int) error { return e.Commit(e.ctx, rich(id(i), 1, id(i))) })
	require.Len(e, successes(errs), n)
	if e.Batches && e.Commands != nil {
		assert.Less(e, e.sent()-sent, n/2, "they travel together")
	}
	for i := range n {
		assert.Equal(e, []string{"handled " + id(i)}, e.loaded(id(i), "handled "+id(i)).Seen)
	}

	// A lone one is one command, sent at once.
	sent = e.sent()
	require.NoError(e, e.Commit(e.ctx, commit("x0", 2, "lone")))
	if e.Commands != nil {
		assert.Equal(e, sent+1, e.sent())
	}
}

func ctxEndsInQueue(e *env) {
	const n = 200
	id := func(i int) string { return fmt.Sprint("x", i) }
	for i := range n {
		e.create(id(i))
	}
	over, cancel := context.WithCancel(e.ctx)
	cancel()
	sent := e.sent()
	require.ErrorIs(e, e.Commit(over, commit("x0", 1, "over")), context.Canceled)
	assert.Equal(e, sent, e.sent(), "a ctx that is over sends nothing")
	assert.Equal(e, int64(1), e.version("x0"))

	// Callers leave at any moment while commits queue up. What each was told is true.
	ctxs, cancels := make([]context.Context, n), make([]context.CancelFunc, n)
	for i := range n {
		ctxs[i], cancels[i] = context.WithCancel(e.ctx)
	}
	var leave sync.WaitGroup
	leave.Go(func() {
		for i := range n {
			cancels[n-1-i]()
		}
	})
	errs := race(n, func(i int) error { return e.Commit(ctxs[i], commit(id(i), 1, "left")) })
	leave.Wait()
	for i, err := range errs {
		applied := len(e.loaded(id(i), "left").Seen) == 1
		switch store.OutcomeOf(err) {
		case store.Happened:
			assert.True(e, applied, "%s: nil means applied", id(i))
		case store.DidNotHappen:
			require.ErrorIs(e, err, context.Canceled)
			assert.False(e, applied, "%s: %v means not applied", id(i), err)
		case store.NotKnown:
			require.ErrorIs(e, err, context.Canceled, "the cause is kept")
		}
	}
	// "Certainly not applied" also means that nothing comes later.
	e.settles(func() []int64 {
		var versions []int64
		for i := range n {
			versions = append(versions, e.version(id(i)))
		}
		return versions
	})
	for i, err := range errs {
		if err != nil && store.OutcomeOf(err) == store.DidNotHappen {
			assert.Equal(e, int64(1), e.version(id(i)), id(i))
		}
	}
}

// settles waits until a reading stays the same for two looks in a row.
func (e *env) settles(look func() []int64) {
	e.Helper()
	last := look()
	e.eventually(10*time.Second, func() bool {
		now := look()
		same := slices.Equal(now, last)
		last = now
		return same
	}, "a reading that stays")
}
