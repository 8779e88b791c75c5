package storetest

import (
	"encoding/base64"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/durachart/durachart/store"
)

// listCases are those of store.Lister (D65, D66).
var listCases = []Case{
	{ID: "LI1", Says: "each filter alone and all pairs agree with a model; attributes match type-exactly; undeclared names are refused", run: filtersAgree,
		options: Options{Attributes: []string{"n", "other"}}},
	{ID: "LI2", Says: "following cursors on a quiet store visits each match once and ends, in both orders; a page is full whenever more match", run: followCursors},
	{ID: "LI3", Says: "with rows inserted and deleted meanwhile, no row present throughout is missed or doubled", run: rowsComeAndGo,
		options: Options{Limits: store.Limits{Retention: time.Hour}}},
	{ID: "LI4", Says: "a cursor of another filter, order or prefix, an old version, garbage: ErrInvalidArgument; so are limits 0, -1, 1,001", run: badCursors},
	{ID: "LI5", Says: "items carry no array, and data only when asked", run: listedItems},
	{ID: "LI6", Says: "Count agrees with the model and stops at its maximum", run: countAgrees},
}

// row is what the model knows of an execution.
type row struct {
	store.Creation
	id      string
	updated time.Time
}

// population creates 24 executions that differ in everything that can be filtered
// on.
func (e *env) population(attrs bool) []row {
	var rows []row
	values := []store.Attr{int64(1), float64(1), true, "1", base, int64(2), nil}
	for i := range 24 {
		id := fmt.Sprintf("x%02d", i*7%24)
		now := base.Add(time.Duration(i/3) * time.Minute)
		c := creation(id, func(c *store.Creation) {
			c.Now = now
			c.DefinitionID = []string{"order", "$part"}[i%2]
			c.DefinitionVersion = []string{"v1", "v2", "v3"}[i%3]
			c.Leaves = [][]string{{"A", "B.c"}, {"B.c"}, {"D"}, nil}[i%4]
			if i%5 == 4 {
				childOf("parent", int64(i))(c)
			}
			if v := values[i%7]; attrs && v != nil {
				c.Attrs = map[string]store.Attr{"n": v, "other": "x"}
			}
		})
		r := row{c, id, now}
		require.NoError(e, e.Create(e.ctx, c))
		switch i % 6 {
		case 1:
			r.Status = store.Suspended
		case 2:
			r.Status, r.Parked = store.Failed, &store.Parked{Reason: "r", At: base}
		case 3:
			r.Status, r.Ended = store.Done, true
		}
		if i%6 > 0 {
			r.updated = now.Add(time.Hour)
			k := commit(id, 1, "h")
			k.Snapshot, k.Now = r.Snapshot, r.updated
			require.NoError(e, e.Commit(e.ctx, k))
		}
		rows = append(rows, r)
	}
	return rows
}

// filters are one value for each condition, with what the model says of it.
type condition struct {
	set   func(f *store.Filter)
	holds func(r row) bool
}

func conditions() map[string]condition {
	from, to := base.Add(2*time.Minute), base.Add(5*time.Minute)
	updated := from.Add(time.Hour)
	attr := func(v store.Attr) condition {
		return condition{
			func(f *store.Filter) { f.Attrs = map[string]store.Attr{"n": v} },
			func(r row) bool { return r.Attrs["n"] == v },
		}
	}
	return map[string]condition{
		"all":          {func(f *store.Filter) {}, func(r row) bool { return true }},
		"definition":   {func(f *store.Filter) { f.DefinitionID = "$part" }, func(r row) bool { return r.DefinitionID == "$part" }},
		"version":      {func(f *store.Filter) { f.DefinitionVersion = "v2" }, func(r row) bool { return r.DefinitionVersion == "v2" }},
		"leaf":         {func(f *store.Filter) { f.Leaf = "B.c" }, func(r row) bool { return slices.Contains(r.Leaves, "B.c") }},
		"parent":       {func(f *store.Filter) { f.ParentID = "parent" }, func(r row) bool { return r.ParentID == "parent" }},
		"root":         {func(f *store.Filter) { f.RootID = "parent" }, func(r row) bool { return r.RootID == "parent" }},
		"roots":        {func(f *store.Filter) { f.RootsOnly = true }, func(r row) bool { return r.ParentID == "" }},
		"parked":       {func(f *store.Filter) { f.ParkedOnly = true }, func(r row) bool { return r.Parked != nil }},
		"status":       {func(f *store.Filter) { f.Statuses = []store.Status{store.Running} }, func(r row) bool { return r.Status == store.Running }},
		"statuses":     {func(f *store.Filter) { f.Statuses = []store.Status{store.Done, store.Suspended} }, func(r row) bool { return r.Status == store.Done || r.Status == store.Suspended }},
		"created from": {func(f *store.Filter) { f.CreatedFrom = from }, func(r row) bool { return !r.Now.Before(from) }},
		"created to":   {func(f *store.Filter) { f.CreatedTo = to }, func(r row) bool { return r.Now.Before(to) }},
		"created":      {func(f *store.Filter) { f.CreatedFrom, f.CreatedTo = from, to }, func(r row) bool { return !r.Now.Before(from) && r.Now.Before(to) }},
		"updated from": {func(f *store.Filter) { f.UpdatedFrom = updated }, func(r row) bool { return !r.updated.Before(updated) }},
		"updated to":   {func(f *store.Filter) { f.UpdatedTo = updated }, func(r row) bool { return r.updated.Before(updated) }},
		"attr int":     attr(int64(1)),
		"attr real":    attr(float64(1)),
		"attr flag":    attr(true),
		"attr text":    attr("1"),
		"attr date":    attr(base),
		"other attr":   {func(f *store.Filter) { f.Attrs = map[string]store.Attr{"n": int64(2), "other": "x"} }, func(r row) bool { return r.Attrs["n"] == int64(2) }},
		"two attrs":    {func(f *store.Filter) { f.Attrs = map[string]store.Attr{"n": int64(2), "other": "y"} }, func(r row) bool { return false }},
		"nobody":       {func(f *store.Filter) { f.DefinitionID = "$$ROOT" }, func(r row) bool { return false }},
	}
}

// expected returns the ids that the model says match, by id.
func expected(rows []row, holds ...func(r row) bool) []string {
	var ids []string
	for _, r := range rows {
		if !slices.ContainsFunc(holds, func(h func(r row) bool) bool { return !h(r) }) {
			ids = append(ids, r.id)
		}
	}
	slices.Sort(ids)
	return ids
}

func listed(items []store.Execution) []string {
	var ids []string
	for _, x := range items {
		ids = append(ids, x.ID)
	}
	return ids
}

func filtersAgree(e *env) {
	rows := e.population(true)
	all := conditions()
	names := slices.Sorted(maps.Keys(all))
	for i, a := range names {
		for _, b := range names[i:] {
			var f store.Filter
			all[a].set(&f)
			var second store.Filter
			all[b].set(&second)
			holds := []func(r row) bool{all[a].holds, all[b].holds}
			if clash(f, second) {
				continue
			}
			all[b].set(&f)
			page, err := e.List(e.ctx, f, store.Page{Limit: 100})
			require.NoError(e, err)
			require.Equal(e, expected(rows, holds...), listed(page.Items), "%s and %s", a, b)
			require.Empty(e, page.Next)
		}
	}
	for _, bad := range []store.Filter{
		{Attrs: map[string]store.Attr{"undeclared": "x"}}, {Attrs: map[string]store.Attr{"n": int32(1)}}, {Attrs: map[string]store.Attr{"$where": "x"}},
		{DefinitionID: "\xff"}, {CreatedFrom: base.AddDate(-100, 0, 0)},
	} {
		_, err := e.List(e.ctx, bad, store.Page{Limit: 1})
		require.ErrorIs(e, err, store.ErrInvalidArgument)
		_, err = e.Count(e.ctx, bad, 1)
		require.ErrorIs(e, err, store.ErrInvalidArgument)
	}
}

// clash reports whether two filters set the same field, so that there is no pair.
func clash(a, b store.Filter) bool {
	both := func(x, y string) bool { return x != "" && y != "" && x != y }
	dates := func(x, y time.Time) bool { return !x.IsZero() && !y.IsZero() && !x.Equal(y) }
	return both(a.DefinitionID, b.DefinitionID) || a.Attrs != nil && b.Attrs != nil || a.Statuses != nil && b.Statuses != nil ||
		dates(a.CreatedFrom, b.CreatedFrom) || dates(a.CreatedTo, b.CreatedTo) || dates(a.UpdatedFrom, b.UpdatedFrom) || dates(a.UpdatedTo, b.UpdatedTo)
}

// walk follows cursors to the end.
func (e *env) walk(f store.Filter, p store.Page, between func(page int)) []string {
	e.Helper()
	var ids []string
	for n := 1; ; n++ {
		require.Less(e, n, 1000, "it ends")
		page, err := e.List(e.ctx, f, p)
		require.NoError(e, err)
		ids = append(ids, listed(page.Items)...)
		if page.Next == "" {
			return ids
		}
		require.Len(e, page.Items, p.Limit, "a page is full whenever more match")
		p.Cursor = page.Next
		if between != nil {
			between(n)
		}
	}
}

func followCursors(e *env) {
	rows := e.population(false)
	slices.SortFunc(rows, func(a, b row) int { return strings.Compare(a.id, b.id) })
	byID := expected(rows)
	newest := slices.Clone(rows)
	slices.SortFunc(newest, func(a, b row) int {
		if c := b.Now.Compare(a.Now); c != 0 {
			return c
		}
		return strings.Compare(b.id, a.id)
	})
	var newestFirst []string
	for _, r := range newest {
		newestFirst = append(newestFirst, r.id)
	}
	for limit := 1; limit <= 25; limit++ {
		assert.Equal(e, byID, e.walk(store.Filter{}, store.Page{Limit: limit}, nil))
		assert.Equal(e, newestFirst, e.walk(store.Filter{}, store.Page{Limit: limit, Order: store.NewestFirst}, nil))
		f := store.Filter{DefinitionID: "order"}
		assert.Equal(e, expected(rows, func(r row) bool { return r.DefinitionID == "order" }), e.walk(f, store.Page{Limit: limit}, nil))
	}
}

func rowsComeAndGo(e *env) {
	for _, order := range []store.Order{store.ByID, store.NewestFirst} {
		var stays []string
		for i := range 30 {
			id := fmt.Sprintf("%d-%02d", order, i)
			e.create(id, func(c *store.Creation) { c.Now = base.Add(time.Duration(i) * time.Minute) })
			if i%3 == 0 {
				e.step(id, ending) // to be deleted
			} else {
				stays = append(stays, id)
			}
		}
		purged := 0
		between := func(page int) {
			if page == 3 {
				done, err := e.Purge(e.ctx, base.AddDate(0, 0, 1), 200)
				require.NoError(e, err)
				purged += done.Deleted
			}
			for _, place := range []int{0, 15, 29} { // before, amid and behind what was read
				e.create(fmt.Sprintf("%d-%02d+%d", order, place, page), func(c *store.Creation) {
					c.Now = base.Add(time.Duration(place)*time.Minute + time.Second)
				})
			}
		}
		seen := map[string]int{}
		for _, id := range e.walk(store.Filter{}, store.Page{Limit: 3, Order: order}, between) {
			seen[id]++
		}
		require.Equal(e, 10, purged)
		for _, id := range stays {
			assert.Equal(e, 1, seen[id], id)
		}
		for id, n := range seen {
			assert.Equal(e, 1, n, "%s: nothing comes twice", id)
		}
		// The next order starts afresh.
		for _, id := range e.walk(store.Filter{}, store.Page{Limit: 1000}, nil) {
			e.step(id, ending)
		}
		_, err := e.Purge(e.ctx, base.AddDate(0, 0, 1), 200)
		require.NoError(e, err)
		require.Empty(e, e.walk(store.Filter{}, store.Page{Limit: 1000}, nil))
	}
}

func badCursors(e *env) {
	for i := range 3 {
		e.create(fmt.Sprint("x", i))
	}
	f := store.Filter{DefinitionID: "order"}
	page, err := e.List(e.ctx, f, store.Page{Limit: 1})
	require.NoError(e, err)
	cursor := page.Next
	require.NotEmpty(e, cursor)
	refused := func(f store.Filter, p store.Page) {
		e.Helper()
		_, err := e.List(e.ctx, f, p)
		require.ErrorIs(e, err, store.ErrInvalidArgument)
	}
	refused(store.Filter{}, store.Page{Limit: 1, Cursor: cursor})
	refused(store.Filter{DefinitionID: "order", RootsOnly: true}, store.Page{Limit: 1, Cursor: cursor})
	refused(f, store.Page{Limit: 1, Cursor: cursor, Order: store.NewestFirst})
	refused(f, store.Page{Limit: 1, Order: store.Order(7)})
	raw, err := base64.RawURLEncoding.DecodeString(cursor)
	require.NoError(e, err, "URL-safe base64")
	old := base64.RawURLEncoding.EncodeToString([]byte(strings.Replace(string(raw), `"v":1`, `"v":0`, 1)))
	otherPrefix := store.ListScope(f, store.ByID, "another_").Encode(store.CursorKey{ID: "x0"})
	for _, bad := range []string{old, otherPrefix, "x", "%", cursor[1:], cursor + "A", "bnVsbA"} {
		refused(f, store.Page{Limit: 1, Cursor: bad})
	}
	for _, limit := range []int{0, -1, 1001} {
		refused(f, store.Page{Limit: limit})
		_, err := e.ListDeadLetters(e.ctx, store.DeadLetterFilter{}, store.Page{Limit: limit})
		require.ErrorIs(e, err, store.ErrInvalidArgument)
	}
	_, err = e.List(e.ctx, f, store.Page{Limit: 1000, Cursor: cursor})
	require.NoError(e, err, "another limit is the same list")
}

func listedItems(e *env) {
	e.create("x")
	require.NoError(e, e.Commit(e.ctx, rich("x", 1, "full")))
	e.push("x", "a")
	want := e.load("x")
	for _, order := range []store.Order{store.ByID, store.NewestFirst} {
		page, err := e.List(e.ctx, store.Filter{}, store.Page{Limit: 1, Order: order, WithData: true})
		require.NoError(e, err)
		assert.Equal(e, []store.Execution{want}, page.Items, "what Load returns, so no array")
		page, err = e.List(e.ctx, store.Filter{}, store.Page{Limit: 1, Order: order})
		require.NoError(e, err)
		bare := want
		bare.Data = nil
		assert.Equal(e, []store.Execution{bare}, page.Items)
	}
}

func countAgrees(e *env) {
	rows := e.population(false)
	for name, c := range conditions() {
		var f store.Filter
		c.set(&f)
		if f.Attrs != nil {
			continue // nothing is declared here
		}
		n, err := e.Count(e.ctx, f, 0)
		require.NoError(e, err)
		assert.Equal(e, len(expected(rows, c.holds)), n, name)
	}
	n, err := e.Count(e.ctx, store.Filter{}, 7)
	require.NoError(e, err)
	assert.Equal(e, 7, n)
	n, err = e.Count(e.ctx, store.Filter{}, 24)
	require.NoError(e, err)
	assert.Equal(e, 24, n)
	_, err = e.Count(e.ctx, store.Filter{}, -1)
	require.ErrorIs(e, err, store.ErrInvalidArgument)
}
