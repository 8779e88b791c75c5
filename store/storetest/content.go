package storetest

import (
	"fmt"
	"strings"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/durachart/durachart/store"
)

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
