package storetest

import (
	"cmp"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/durachart/durachart/store"
)

// timerCases are those of store.Timers (D6, D19, D53 to D57).
var timerCases = []Case{
	{ID: "TI1", Says: "arm, re-arm (replaces), cancel, for names with dots, blanks, %, $, non-ASCII, and the empty name", run: armAndCancel},
	{ID: "TI2", Says: "cancel then arm, and arm then cancel, in one step end as the last one says, on create too", run: lastOperationWins},
	{ID: "TI3", Says: "due exactly at Until is included, one millisecond later is not", run: dueExactly},
	{ID: "TI4", Says: "results are earliest first over executions, of the given shards only; at every limit a true prefix by due date", run: earliestFirst},
	{ID: "TI5", Says: "next_fire_at is the minimum of timers after any sequence of commits and deletes (property test)", run: nextFireIsMinimum},
	{ID: "TI6", Says: "a commit that arms nothing hides the execution; one that arms again shows it, overdue timers too", run: hideAndShow},
	{ID: "TI7", Says: "DeleteTimer with another instant does nothing; with the right one it removes, and older commits conflict", run: deleteTimer},
	{ID: "TI8", Says: "encode and decode are a bijection (fuzz)", run: timerKeys},
}

// awkward are names that are no plain field names.
var awkward = []string{"", "plain", "a.b", "a%2Eb", "a..b", ".", "$", "$set", "%", "%25", "50%", "two words", "ünï 💚", "timeout:Fork.A", "_id", "0"}

func (e *env) due(until time.Time) []store.DueTimer {
	e.Helper()
	timers, err := e.DueTimers(e.ctx, e.allShards(until))
	require.NoError(e, err)
	return timers
}

func armAndCancel(e *env) {
	armed := map[string]time.Time{}
	for i, name := range awkward {
		armed[name] = base.Add(time.Duration(i) * time.Second)
	}
	e.create("x", func(c *store.Creation) { c.Timers = armed })
	check := func(version int64) {
		e.Helper()
		x := e.load("x")
		require.Equal(e, armed, x.Timers)
		require.Equal(e, store.NextFire(armed), x.NextFireAt)
		var want []store.DueTimer
		for name, due := range armed {
			want = append(want, store.DueTimer{ID: "x", Name: name, Due: due, Shard: shardOf("x"), Version: version})
		}
		require.ElementsMatch(e, want, e.due(base.Add(time.Hour)))
	}
	check(1)
	for i, name := range awkward { // re-arm
		armed[name] = base.Add(time.Duration(100-i) * time.Second)
		e.step("x", arming(armed))
		check(int64(i) + 2)
	}
	for i, name := range awkward { // cancel
		delete(armed, name)
		e.step("x", arming(armed))
		if len(armed) > 0 {
			check(int64(len(awkward)+i) + 2)
		}
	}
	assert.Empty(e, e.load("x").Timers)
	assert.Zero(e, e.load("x").NextFireAt)
	assert.Empty(e, e.due(base.Add(time.Hour)))
}

func lastOperationWins(e *env) {
	first, second := base.Add(time.Hour), base.Add(2*time.Hour)
	cancelThenArm := []store.TimerOp{{Name: "a.b"}, {Name: "a.b", Due: second}}
	armThenCancel := []store.TimerOp{{Name: "a.b", Due: second}, {Name: "a.b"}}
	for i, with := range []struct {
		armed map[string]time.Time
		ops   []store.TimerOp
		want  map[string]time.Time
	}{
		{nil, cancelThenArm, map[string]time.Time{"a.b": second}},
		{nil, armThenCancel, nil},
		{map[string]time.Time{"a.b": first, "c": first}, cancelThenArm, map[string]time.Time{"a.b": second, "c": first}},
		{map[string]time.Time{"a.b": first, "c": first}, armThenCancel, map[string]time.Time{"c": first}},
	} {
		after := store.FoldTimers(with.armed, with.ops)
		created, stepped := fmt.Sprint("created", i), fmt.Sprint("stepped", i)
		e.create(created, func(c *store.Creation) { c.Timers = after })
		e.create(stepped, func(c *store.Creation) { c.Timers = with.armed })
		e.step(stepped, arming(after))
		for _, id := range []string{created, stepped} {
			assert.Equal(e, with.want, e.load(id).Timers, id)
			assert.Equal(e, store.NextFire(with.want), e.load(id).NextFireAt, id)
		}
	}
}

func dueExactly(e *env) {
	e.create("x", func(c *store.Creation) {
		c.Timers = map[string]time.Time{"now": base, "next": base.Add(time.Millisecond), "cut": base.Add(time.Microsecond)}
	})
	assert.Empty(e, e.due(base.Add(-time.Millisecond)))
	names := func(timers []store.DueTimer) (all []string) {
		for _, t := range timers {
			all = append(all, t.Name)
		}
		return all
	}
	assert.Equal(e, []string{"cut", "now"}, names(e.due(base)), "ties by name")
	assert.Equal(e, []string{"cut", "now"}, names(e.due(base.Add(999*time.Microsecond))), "until is cut as well")
	assert.Equal(e, []string{"cut", "now", "next"}, names(e.due(base.Add(time.Millisecond))))
}

func earliestFirst(e *env) {
	random := rand.New(rand.NewPCG(7, 8))
	var all []store.DueTimer
	for i := range 40 {
		id := fmt.Sprint("x", i)
		armed := map[string]time.Time{}
		for t := range 1 + random.IntN(4) {
			armed[fmt.Sprint("t", t)] = base.Add(time.Duration(random.IntN(60)) * time.Second)
		}
		e.create(id, func(c *store.Creation) { c.Timers = armed })
		for name, due := range armed {
			all = append(all, store.DueTimer{ID: id, Name: name, Due: due, Shard: shardOf(id), Version: 1})
		}
	}
	slices.SortFunc(all, func(a, b store.DueTimer) int {
		return cmp.Or(a.Due.Compare(b.Due), cmp.Compare(a.ID, b.ID), cmp.Compare(a.Name, b.Name))
	})
	q := e.allShards(base.Add(time.Minute))
	got, err := e.DueTimers(e.ctx, q)
	require.NoError(e, err)
	require.Equal(e, all, got)

	for limit := 1; limit <= 41; limit++ {
		q.Limit = limit
		got, err := e.DueTimers(e.ctx, q)
		require.NoError(e, err)
		require.NotEmpty(e, got)
		require.Subset(e, all, got)
		require.True(e, slices.IsSortedFunc(got, func(a, b store.DueTimer) int {
			return cmp.Or(a.Due.Compare(b.Due), cmp.Compare(a.ID, b.ID), cmp.Compare(a.Name, b.Name))
		}))
		// Whatever is earlier than the last one returned is in it; the last instant
		// may be incomplete (D56).
		last := got[len(got)-1].Due
		for _, t := range all {
			if t.Due.Before(last) {
				require.Contains(e, got, t, "limit %d", limit)
			}
		}
		executions := map[string]bool{}
		for _, t := range got {
			executions[t.ID] = true
		}
		require.LessOrEqual(e, len(executions), limit, "the limit counts executions")
	}

	q.Limit, q.Shards, q.Exclude = 0, []int{shardOf("x1"), shardOf("x2")}, []string{"x2"}
	got, err = e.DueTimers(e.ctx, q)
	require.NoError(e, err)
	var want []store.DueTimer
	for _, t := range all {
		if t.ID != "x2" && slices.Contains(q.Shards, t.Shard) {
			want = append(want, t)
		}
	}
	assert.Equal(e, want, got)
}

func nextFireIsMinimum(e *env) {
	run := 0
	rapid.Check(e.TB, func(t *rapid.T) {
		run++
		id := fmt.Sprint("x", run)
		draw := func(label string) map[string]time.Time {
			names := rapid.SliceOfNDistinct(rapid.SampledFrom(awkward), 0, 4, rapid.ID[string]).Draw(t, label)
			armed := map[string]time.Time{}
			for _, name := range names {
				armed[name] = base.Add(time.Duration(rapid.IntRange(-3, 3).Draw(t, "second")) * time.Second)
			}
			return armed
		}
		model, version := draw("created"), int64(1)
		require.NoError(t, e.Create(e.ctx, creation(id, func(c *store.Creation) { c.Timers = maps.Clone(model) })))
		for step := range rapid.IntRange(1, 6).Draw(t, "steps") {
			if rapid.Bool().Draw(t, "delete") {
				name, due := rapid.SampledFrom(awkward).Draw(t, "name"), base.Add(time.Duration(rapid.IntRange(-3, 3).Draw(t, "due"))*time.Second)
				deleted, err := e.DeleteTimer(e.ctx, id, name, due)
				require.NoError(t, err)
				armed, there := model[name]
				require.Equal(t, there && armed.Equal(due), deleted)
				if deleted {
					delete(model, name)
					version++
				}
			} else {
				model = draw("armed")
				c := commit(id, version, fmt.Sprint("h", step))
				c.Timers = maps.Clone(model)
				require.NoError(t, e.Commit(e.ctx, c))
				version++
			}
			x, err := e.Load(e.ctx, id)
			require.NoError(t, err)
			require.Equal(t, version, x.Version)
			require.Equal(t, len(model), len(x.Timers))
			for name, due := range model {
				require.Equal(t, due, x.Timers[name])
			}
			require.Equal(t, store.NextFire(model), x.NextFireAt)
			q := store.PollQuery{Shards: []int{x.Shard}, Until: base.Add(time.Hour), Exclude: nil}
			due, err := e.DueTimers(e.ctx, q)
			require.NoError(t, err)
			due = slices.DeleteFunc(due, func(d store.DueTimer) bool { return d.ID != id })
			require.Len(t, due, len(model), "the due index follows")
		}
		// Out of the way of later runs in the same shard.
		require.NoError(t, e.Commit(e.ctx, commit(id, version, "disarm")))
	})
}

func hideAndShow(e *env) {
	armed := map[string]time.Time{"a": base, "b": base.Add(time.Hour)}
	e.create("x", func(c *store.Creation) { c.Timers = armed })
	require.Len(e, e.due(base.Add(time.Hour)), 2)
	e.step("x", suspended) // holds: arms nothing (D70)
	assert.Empty(e, e.due(base.AddDate(1, 0, 0)))
	assert.Zero(e, e.load("x").NextFireAt)
	e.step("x", arming(armed))
	assert.Len(e, e.due(base), 1, "with its old date, overdue by now")
	assert.Equal(e, base, e.load("x").NextFireAt)

	for name, c := range map[string]func(c *store.Commit){
		"suspended": suspended, "ended": ending, "parked": func(c *store.Commit) { c.Parked = &store.Parked{At: base} },
	} {
		held := commit("x", e.version("x"), name)
		held.Timers = armed
		c(&held)
		require.ErrorIs(e, e.Commit(e.ctx, held), store.ErrInvalidArgument, "%s arms nothing", name)
	}
	e.step("x", ending)
	assert.Empty(e, e.due(base.AddDate(1, 0, 0)))
}

func deleteTimer(e *env) {
	armed := map[string]time.Time{"a.b": base, "c": base.Add(time.Second)}
	e.create("x", func(c *store.Creation) { c.Timers = armed })
	before := e.load("x")
	remove := func(id, name string, due time.Time) bool {
		e.Helper()
		deleted, err := e.DeleteTimer(e.ctx, id, name, due)
		require.NoError(e, err)
		return deleted
	}
	assert.False(e, remove("x", "a.b", base.Add(time.Millisecond)))
	assert.False(e, remove("x", "a.b", base.Add(-time.Millisecond)))
	assert.False(e, remove("x", "unknown", base))
	assert.False(e, remove("unknown", "a.b", base))
	assert.Equal(e, before, e.load("x"))

	assert.True(e, remove("x", "a.b", base))
	assert.False(e, remove("x", "a.b", base), "it is gone")
	x := e.load("x")
	assert.Equal(e, map[string]time.Time{"c": base.Add(time.Second)}, x.Timers)
	assert.Equal(e, base.Add(time.Second), x.NextFireAt)
	assert.Equal(e, int64(2), x.Version)
	assert.NotEqual(e, before.CommitID, x.CommitID)
	assert.Equal(e, string(before.Data), string(x.Data))
	assert.Equal(e, int64(2), e.conflict(e.Commit(e.ctx, commit("x", 1, "old"))).Found)

	assert.True(e, remove("x", "c", base.Add(time.Second)))
	assert.Zero(e, e.load("x").NextFireAt)
	assert.Empty(e, e.due(base.Add(time.Hour)))
	e.step("x", arming(armed)) // data still has it, so the next commit that arms it writes it again
	assert.Len(e, e.due(base.Add(time.Hour)), 2)
}

func timerKeys(e *env) {
	rapid.Check(e.TB, func(t *rapid.T) {
		name := rapid.OneOf(rapid.String(), rapid.SampledFrom(awkward), rapid.StringOfN(rapid.SampledFrom([]rune("%.$25E4a")), 0, 8, -1)).Draw(t, "name")
		key := store.EncodeTimer(name)
		back, err := store.DecodeTimer(key)
		require.NoError(t, err)
		require.Equal(t, name, back)
	})
	// And through a store: names that a careless encoding would mix up live side by
	// side.
	armed := map[string]time.Time{}
	for i, name := range []string{"a.b", "a%2Eb", "a_b", "a%252Eb", "", "%", "$", "%24", ".", "%2E"} {
		armed[name] = base.Add(time.Duration(i) * time.Second)
	}
	e.create("x", func(c *store.Creation) { c.Timers = armed })
	assert.Equal(e, armed, e.load("x").Timers)
}
