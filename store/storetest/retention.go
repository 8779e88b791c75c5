package storetest

import (
	"fmt"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/durachart/durachart/store"
)

// retentionCases are those of Purge (D72, D73).
var retentionCases = []Case{
	{ID: "RE1", Says: "a running execution is never purged, whatever its dates; an ended one with anything in inbox, outbox or spawns stays", run: purgeKeeps,
		options: Options{Limits: store.Limits{Retention: retention}}},
	{ID: "RE2", Says: "children go with their root, the root last; a live descendant keeps the root; a child of a running root stays", run: purgeFamilies,
		options: Options{Limits: store.Limits{Retention: retention}}},
	{ID: "RE3", Says: "two purgers at once reach the same end without an error", run: twoPurgers,
		options: Options{Limits: store.Limits{Retention: retention}}},
}

const retention = 24 * time.Hour

func (e *env) purge(now time.Time) store.Purged {
	e.Helper()
	done, err := e.Purge(e.ctx, now, 200)
	require.NoError(e, err)
	return done
}

// there returns which of ids are there.
func (e *env) there(ids ...string) []string {
	e.Helper()
	present := []string{}
	for _, id := range ids {
		if _, err := e.Load(e.ctx, id); err == nil {
			present = append(present, id)
		} else {
			require.ErrorIs(e, err, store.ErrNotFound)
		}
	}
	return present
}

func purgeKeeps(e *env) {
	all := []string{"running", "reset", "inbox", "outbox", "spawns", "young", "old"}
	for _, id := range all {
		e.create(id)
	}
	e.push("inbox", "left")
	e.step("outbox", emitting(emit("t", "left")))
	e.step("spawns", spawning(spawn("left")))
	for _, id := range all[1:] {
		if id != "young" {
			e.step(id, at(base), ending)
		}
	}
	e.step("young", at(base.Add(time.Millisecond)), ending)
	e.step("reset", at(base)) // runs again: its dates are gone

	now := base.Add(retention)
	assert.Zero(e, e.purge(now.Add(-time.Millisecond)).Deleted, "not before its date")
	assert.Equal(e, 1, e.purge(now).Deleted)
	assert.Equal(e, all[:6], e.there(all...))
	assert.Equal(e, 1, e.purge(now.AddDate(1, 0, 0)).Deleted, "young")
	assert.Equal(e, all[:5], e.there(all...))
	assert.Zero(e, e.purge(now.AddDate(1, 0, 0)).Deleted)

	// Drained, they go; and an id may be used again.
	require.NoError(e, e.DropInbox(e.ctx, "inbox", []string{"left"}))
	e.drain("outbox")
	e.drain("spawns")
	assert.Equal(e, 3, e.purge(now.AddDate(1, 0, 0)).Deleted)
	assert.Equal(e, []string{"running", "reset"}, e.there(all...))
	e.create("old")
	assert.Empty(e, e.loaded("old", "old/1").Seen, "nothing is left of the one before")
	_, err := e.Purge(e.ctx, time.Time{}, 10)
	require.ErrorIs(e, err, store.ErrInvalidArgument)
	_, err = e.Purge(e.ctx, now, -1)
	require.ErrorIs(e, err, store.ErrInvalidArgument)
}

func purgeFamilies(e *env) {
	family := func(root string) []string {
		ids := []string{root, root + ":1", root + ":2"}
		e.create(ids[0])
		e.create(ids[1], childOf(root, 1))
		e.create(ids[2], func(c *store.Creation) { c.ParentID, c.RootID, c.SpawnSeq = ids[1], root, 2 })
		return ids
	}
	end := func(now time.Time, ids ...string) {
		e.Helper()
		for _, id := range ids {
			e.step(id, at(now), ending)
		}
	}
	now := base.Add(retention)

	// All ended: children go with their root, whatever their own date.
	done := family("done")
	end(base, done[0])
	end(base.Add(time.Hour), done[1:]...)
	assert.Equal(e, 3, e.purge(now).Deleted)
	assert.Empty(e, e.there(done...))

	// A live descendant keeps the root, and the root comes last.
	alive := family("alive")
	end(base, alive[0], alive[1])
	e.purge(now)
	assert.Equal(e, []string{alive[0], alive[2]}, e.there(alive...))
	e.purge(now.AddDate(1, 0, 0))
	assert.Equal(e, []string{alive[0], alive[2]}, e.there(alive...))
	end(base, alive[2])
	e.purge(now.AddDate(2, 0, 0))
	assert.Empty(e, e.there(alive...))

	// A child of a running root stays, expired or not, and does so again and again.
	running := family("running")
	end(base, running[1:]...)
	for day := range 5 {
		e.purge(now.AddDate(0, 0, day))
		assert.Equal(e, running, e.there(running...), "day %d", day)
	}
	// It goes with its root in the end.
	end(now, running[0])
	e.purge(now)
	assert.Equal(e, running, e.there(running...))
	e.purge(now.AddDate(1, 0, 0))
	assert.Empty(e, e.there(running...))

	// An undelivered report in a child keeps the family together, too.
	busy := family("busy")
	e.step(busy[2], at(base), ending, emitting(emit(busy[1], "report")))
	end(base, busy[0], busy[1])
	e.purge(now)
	assert.Contains(e, e.there(busy...), busy[2])
	assert.Contains(e, e.there(busy...), busy[0], "the root is last")
	e.drain(busy[2])
	e.purge(now.AddDate(1, 0, 0))
	assert.Empty(e, e.there(busy...))
}

func twoPurgers(e *env) {
	var all []string
	for i := range 40 {
		root := fmt.Sprint("r", i)
		e.create(root)
		e.step(root, at(base), ending)
		all = append(all, root)
		if i%4 == 0 {
			child := root + ":c"
			e.create(child, childOf(root, 1))
			e.step(child, at(base), ending)
			all = append(all, child)
		}
	}
	e.create("runs")
	deleted := make([]int, 4)
	errs := race(4, func(i int) error {
		for range 10 {
			done, err := e.Purge(e.ctx, base.Add(retention+time.Duration(i)*2*time.Hour), 10)
			if err != nil {
				return err
			}
			deleted[i] += done.Deleted
		}
		return nil
	})
	require.Len(e, successes(errs), 4, "%v", errs)
	for len(e.there(all...)) > 0 {
		if e.purge(base.AddDate(1, 0, 0)).Deleted == 0 {
			break
		}
	}
	assert.Empty(e, e.there(all...))
	assert.Equal(e, []string{"runs"}, e.there("runs"))
}
