package store

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var noon = time.Date(2030, 1, 1, 12, 0, 0, 0, time.UTC)

func goodCommit() Commit {
	return Commit{
		ID: "o-1", Version: 1, Handled: []string{"e1"}, Now: noon,
		Snapshot: Snapshot{DefinitionVersion: "v1", Status: Running, Data: []byte(`{}`), EnteredAt: noon},
	}
}

func goodCreation() Creation {
	return Creation{
		ID: "o-1", DefinitionID: "order", RequestID: "r1", StartID: "s1", Now: noon,
		Snapshot: Snapshot{DefinitionVersion: "v1", Status: Running, Data: []byte(`{}`), EnteredAt: noon},
	}
}

// P11, D10, D11, D18: each mistake of a commit is refused by the name of the field.
func TestCheckCommitNamesTheField(t *testing.T) {
	l := Limits{Timers: 2}.WithDefaults()
	c := goodCommit()
	require.NoError(t, l.CheckCommit(&c, nil))

	for field, spoil := range map[string]func(*Commit){
		"id":                 func(c *Commit) { c.ID = "" },
		"version":            func(c *Commit) { c.Version = 0 },
		"handled":            func(c *Commit) { c.Handled = nil },
		"twice":              func(c *Commit) { c.Handled = []string{"a", "b", "a"} },
		"more event ids":     func(c *Commit) { c.Handled = make([]string, 17) },
		"now":                func(c *Commit) { c.Now = time.Time{} },
		"data":               func(c *Commit) { c.Data = []byte(`{`) },
		"valid JSON":         func(c *Commit) { c.Data = []byte("\"\xff\"") },
		"definition version": func(c *Commit) { c.DefinitionVersion = "" },
		"status":             func(c *Commit) { c.Status = "BUSY" },
		"ended":              func(c *Commit) { c.Status = Done },
		"timers":             func(c *Commit) { c.Status, c.Timers = Suspended, map[string]time.Time{"a": noon} },
		"timer name":         func(c *Commit) { c.Timers = map[string]time.Time{strings.Repeat("a", 256): noon} },
		"timer due date":     func(c *Commit) { c.Timers = map[string]time.Time{"a": noon.AddDate(9000, 0, 0)} },
		"attribute name":     func(c *Commit) { c.Attrs = map[string]Attr{"undeclared": "x"} },
		"emit kind":          func(c *Commit) { c.Emits = []Emit{{Kind: "?", ID: "x", Event: []byte(`1`)}} },
		"emit id":            func(c *Commit) { c.Emits = []Emit{{Event: []byte(`1`)}} },
		"spawn child id":     func(c *Commit) { c.Spawns = []Spawn{{}} },
		"trace step":         func(c *Commit) { c.Trace = []TraceStep{{Step: []byte(`?`)}} },
		"parked at":          func(c *Commit) { c.Parked = &Parked{} },
		"format":             func(c *Commit) { c.Format = 2 },
	} {
		c := goodCommit()
		spoil(&c)
		err := l.CheckCommit(&c, []string{"known"})
		require.ErrorIs(t, err, ErrInvalidArgument, field)
		assert.ErrorContains(t, err, field)
	}
}

// D24: over a cap is ErrTooLarge; at the cap it is accepted.
func TestCheckCommitCaps(t *testing.T) {
	l := Limits{Timers: 2, Data: 10, Event: 10, OutboxStep: 15, SpawnContext: 10, SpawnStep: 20, Attrs: 2}.WithDefaults()
	text := func(n int) []byte { return []byte(strings.Repeat("1", n)) }
	timers := func(n int) map[string]time.Time {
		m := map[string]time.Time{}
		for i := range n {
			m[fmt.Sprint(i)] = noon
		}
		return m
	}
	for name, set := range map[string]func(c *Commit, over int){
		"data":   func(c *Commit, over int) { c.Data = text(10 + over) },
		"timers": func(c *Commit, over int) { c.Timers = timers(2 + over) },
		"event":  func(c *Commit, over int) { c.Emits = []Emit{{ID: "x", Event: text(10 + over)}} },
		"step": func(c *Commit, over int) {
			c.Emits = []Emit{{ID: "x", Event: text(10)}, {ID: "y", Event: text(5 + over)}}
		},
		"spawn context": func(c *Commit, over int) {
			c.Spawns = []Spawn{{ChildID: "c", DefinitionID: "d", DefinitionVersion: "v", Context: text(10 + over), Event: text(1)}}
		},
		"attribute": func(c *Commit, over int) { c.Attrs = map[string]Attr{"a": strings.Repeat("x", 256+over)} },
	} {
		c := goodCommit()
		set(&c, 0)
		require.NoError(t, l.CheckCommit(&c, []string{"a"}), name)
		c = goodCommit()
		set(&c, 1)
		require.ErrorIs(t, l.CheckCommit(&c, []string{"a"}), ErrTooLarge, name)
	}
	c := goodCommit()
	c.Attrs = map[string]Attr{"a": 1.5, "b": int64(1), "c": true}
	require.ErrorIs(t, l.CheckCommit(&c, []string{"a", "b", "c"}), ErrTooLarge, "too many attributes")
	c.Attrs = map[string]Attr{"a": int32(1)}
	require.ErrorIs(t, l.CheckCommit(&c, []string{"a"}), ErrInvalidArgument, "an int32 is no attribute")
}

// D14: a creation needs its request id; a child its root.
func TestCheckCreationNamesTheField(t *testing.T) {
	l := Limits{}.WithDefaults()
	c := goodCreation()
	require.NoError(t, l.CheckCreation(&c, nil))
	for field, spoil := range map[string]func(*Creation){
		"request id": func(c *Creation) { c.RequestID = "" },
		"root id":    func(c *Creation) { c.ParentID = "p" },
		"spawn seq":  func(c *Creation) { c.SpawnSeq = 1 },
		"priority":   func(c *Creation) { c.Priority = 5 },
		"event id":   func(c *Creation) { c.Inbox = []InboxEntry{{Event: []byte(`1`)}} },
		"NUL":        func(c *Creation) { c.ID = "a\x00b" },
	} {
		c := goodCreation()
		spoil(&c)
		err := l.CheckCreation(&c, nil)
		require.ErrorIs(t, err, ErrInvalidArgument, field)
		assert.ErrorContains(t, err, field)
	}
}

// D10, D23: a push.
func TestCheckPush(t *testing.T) {
	l := Limits{Event: 10, PushBytes: 15}.WithDefaults()
	entry := func(id string, n int) InboxEntry { return InboxEntry{ID: id, Event: []byte(strings.Repeat("1", n))} }
	push := func(entries ...InboxEntry) error {
		return l.CheckPush(&Push{ID: "o-1", Now: noon, Entries: entries})
	}
	require.NoError(t, push(entry("a", 10), entry("b", 5)))
	require.ErrorIs(t, push(entry("a", 10), entry("b", 6)), ErrTooLarge)
	require.ErrorIs(t, push(entry("a", 11)), ErrTooLarge)
	require.ErrorIs(t, push(), ErrInvalidArgument)
	require.ErrorIs(t, push(entry("a", 1), entry("a", 1)), ErrInvalidArgument)
	require.ErrorIs(t, push(entry(strings.Repeat("a", 256), 1)), ErrInvalidArgument)
	require.NoError(t, push(entry(strings.Repeat("a", 255), 1)))
}

// D52: the id of a letter is filled in, and another one is refused.
func TestCheckLetterSetsItsID(t *testing.T) {
	l := Limits{}.WithDefaults()
	d := DeadLetter{Kind: LetterSpawn, ExecutionID: "o-1", Seq: 7, At: noon}
	require.NoError(t, l.CheckLetter(&d))
	assert.Equal(t, "spawn|3:o-1|7", d.ID)
	d.Seq = 8
	require.ErrorIs(t, l.CheckLetter(&d), ErrInvalidArgument)
}

// D29: an error names operation and id, keeps its cause, and is cut.
func TestOpErrorNamesAndKeeps(t *testing.T) {
	cause := &ConflictError{ID: "o-1", Expected: 1, Found: 2}
	err := OpError("commit", "o-1", cause)
	assert.ErrorIs(t, err, ErrConflict)
	var got *ConflictError
	require.ErrorAs(t, err, &got)
	assert.Same(t, cause, got)
	assert.True(t, strings.HasPrefix(err.Error(), `commit "o-1": `), err.Error())
	assert.LessOrEqual(t, len([]rune(OpError("x", "y", errors.New(strings.Repeat("é", 1000))).Error())), 500)
	assert.NoError(t, OpError("x", "y", nil))
}

func BenchmarkCheckCommit(b *testing.B) {
	l := Limits{}.WithDefaults()
	c := goodCommit()
	c.Data = []byte(`{"status":"RUNNING","configuration":["Order.Preparing","Order.Preparing.Payment"],"context":{"customer":"Jane Doe","amount":1250}}`)
	b.ReportAllocs()
	for b.Loop() {
		if err := l.CheckCommit(&c, nil); err != nil {
			b.Fatal(err)
		}
	}
}
