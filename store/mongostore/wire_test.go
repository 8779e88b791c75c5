package mongostore_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo/options"

	"github.com/durachart/durachart/internal/mongotest"
	"github.com/durachart/durachart/store"
	"github.com/durachart/durachart/store/mongostore"
)

// Section 18: a hot commit is one command, a cold event two, a send one, and so is a
// whole page of loads.
func TestRoundTrips(t *testing.T) {
	r := newRig(t)
	s := r.store(t, mongostore.Options{})
	_, err := s.Ready(t.Context())
	require.NoError(t, err)
	var ids []string
	for _, id := range []string{"x", "y", "z"} {
		require.NoError(t, s.Create(t.Context(), creation(id)))
		ids = append(ids, id)
	}
	sends := func(want map[string]int, do func() error) {
		t.Helper()
		r.monitor.Reset()
		require.NoError(t, do())
		assert.Equal(t, want, r.monitor.Counts())
	}
	sends(map[string]int{"update": 1}, func() error { return s.Commit(t.Context(), commit("x", 1, "hot")) })
	sends(map[string]int{"update": 1}, func() error {
		_, err := s.Push(t.Context(), push("x", "a", "b", "c"))
		return err
	})
	sends(map[string]int{"aggregate": 1, "update": 1}, func() error {
		l, err := s.LoadForEvent(t.Context(), "x", []string{"cold"}, 10)
		require.NoError(t, err)
		require.Len(t, l.Inbox, 3)
		return s.Commit(t.Context(), commit("x", l.Version, "cold"))
	})
	sends(map[string]int{"aggregate": 1}, func() error {
		_, errs := s.LoadBatch(t.Context(), ids, 10)
		return errs[0]
	})
	sends(map[string]int{"insert": 1}, func() error { return s.Create(t.Context(), creation("one")) })
	sends(map[string]int{"update": 1}, func() error {
		return s.AckOutbox(t.Context(), []store.Ack{{ID: "x", Seqs: []int64{1}}, {ID: "y", Seqs: []int64{1, 2}}})
	})
	sends(map[string]int{"find": 1}, func() error {
		_, err := s.PollInbox(t.Context(), store.PollQuery{Shards: []int{1, 2, 3}, Until: noon})
		return err
	})
}

// A page that is as long as the server has rows is still one command.
func TestFullPagesAreOneCommand(t *testing.T) {
	r := newRig(t)
	s := r.store(t, mongostore.Options{Shards: 1})
	var cs []store.Creation
	var ids []string
	for i := range 256 {
		c := creation("x" + string(rune('A'+i/26)) + string(rune('a'+i%26)))
		c.Inbox = push("", "e").Entries
		cs, ids = append(cs, c), append(ids, c.ID)
	}
	for _, err := range s.CreateBatch(t.Context(), cs) {
		require.NoError(t, err)
	}
	r.monitor.Reset()
	loaded, errs := s.LoadBatch(t.Context(), ids, 16)
	for i := range ids {
		require.NoError(t, errs[i])
		require.Equal(t, ids[i], loaded[i].ID)
	}
	page, err := s.PollInbox(t.Context(), store.PollQuery{Shards: []int{0}, Until: noon})
	require.NoError(t, err)
	require.Len(t, page, 256)
	assert.Equal(t, map[string]int{"aggregate": 1, "find": 1}, r.monitor.Counts())
}

// EX13: Load and LoadForEvent ship no array beyond the inbox entries asked for.
func TestLoadsShipNoArrays(t *testing.T) {
	r := newRig(t)
	s := r.store(t, mongostore.Options{})
	c := creation("x")
	c.Emits = []store.Emit{{TargetID: "y", ID: "m", Event: []byte(`{}`)}}
	c.Spawns = []store.Spawn{{ChildID: "z", DefinitionID: "d", DefinitionVersion: "v", Event: []byte(`{}`)}}
	c.Trace = []store.TraceStep{{Step: []byte(`{}`)}}
	c.Inbox = push("", "a", "b", "c").Entries
	require.NoError(t, s.Create(t.Context(), c))

	r.monitor.Reset()
	_, err := s.Load(t.Context(), "x")
	require.NoError(t, err)
	_, err = s.LoadForEvent(t.Context(), "x", []string{"e"}, 2)
	require.NoError(t, err)
	_, err = s.LoadForEvent(t.Context(), "x", nil, 0)
	require.NoError(t, err)
	_, err = s.List(t.Context(), store.Filter{}, store.Page{Limit: 10, WithData: true})
	require.NoError(t, err)

	for i, want := range [][]string{nil, {"inbox", "seen"}, nil, nil} {
		batch, err := r.monitor.Sent()[i].Reply.Lookup("cursor", "firstBatch").Array().Values()
		require.NoError(t, err)
		require.Len(t, batch, 1)
		var arrays []string
		elements, err := batch[0].Document().Elements()
		require.NoError(t, err)
		for _, e := range elements {
			if e.Value().Type == bson.TypeArray {
				arrays = append(arrays, e.Key())
			}
		}
		assert.ElementsMatch(t, want, arrays, r.monitor.Sent()[i].Name)
	}
	inbox, err := r.monitor.Sent()[1].Reply.Lookup("cursor", "firstBatch", "0", "inbox").Array().Values()
	require.NoError(t, err)
	assert.Len(t, inbox, 2)
}

// GE5: with w=1, readPreference=secondary in the URI the wire shows majority,
// journal, primary.
func TestConcernsDoNotDependOnTheURI(t *testing.T) {
	r := newRig(t)
	weak := options.Client().ApplyURI(withOptions(mongotest.URI(t), "w=1&journal=false&readConcernLevel=available&readPreference=secondary&timeoutMS=20000"))
	s, err := mongostore.New(mongotest.Connect(t, weak, options.Client().SetMonitor(r.monitor.Events())), mongostore.Options{Database: r.database})
	require.NoError(t, err)
	require.NoError(t, s.EnsureIndexes(t.Context()))
	tour(t, s)

	for _, c := range r.monitor.Sent() {
		switch c.Name {
		case "insert", "update", "delete", "findAndModify":
			assert.Equal(t, "majority", c.Body.Lookup("writeConcern", "w").StringValue(), c.Name)
			assert.True(t, c.Body.Lookup("writeConcern", "j").Boolean(), c.Name)
		case "find", "aggregate":
			assert.Contains(t, []string{"local", "majority"}, c.Body.Lookup("readConcern", "level").StringValue(), c.Name)
		}
		mode, stated := c.Body.Lookup("$readPreference", "mode").StringValueOK()
		// To a lone server the driver always says primaryPreferred: there is no other.
		assert.False(t, stated && mode != "primary" && !r.standalone, "%s: %s", c.Name, mode)
	}
}

func withOptions(uri, more string) string {
	if strings.Contains(uri, "?") {
		return uri + "&" + more
	}
	return uri + "?" + more
}

// D5: text of users never becomes a field name or an operator.
func TestUserTextIsNeverAKey(t *testing.T) {
	r := newRig(t)
	s := r.store(t, mongostore.Options{})
	tour(t, s)
	for _, c := range r.monitor.Sent() {
		for _, key := range keysOf(t, c.Body) {
			assert.NotContains(t, key, "evil", c.Name)
			if strings.Contains(key, "tick") {
				assert.Equal(t, "%24tick%2Etock", strings.TrimPrefix(key, "timers."), "names of timers are encoded")
			}
		}
	}
}

func keysOf(t *testing.T, doc bson.Raw) []string {
	t.Helper()
	elements, err := doc.Elements()
	require.NoError(t, err)
	var keys []string
	for _, e := range elements {
		keys = append(keys, e.Key())
		switch e.Value().Type {
		case bson.TypeEmbeddedDocument:
			keys = append(keys, keysOf(t, e.Value().Document())...)
		case bson.TypeArray:
			keys = append(keys, keysOf(t, bson.Raw(e.Value().Array()))...)
		}
	}
	return keys
}

// tour calls every method once, with texts that mean harm.
func tour(t *testing.T, s *mongostore.Store) {
	t.Helper()
	ctx := t.Context()
	const evil = "$evil.{$set:1}"
	_, err := s.Ready(ctx)
	require.NoError(t, err)
	c := creation(evil)
	c.DefinitionID, c.RequestID, c.StartID, c.Outcome, c.Leaves = evil, evil, evil+"s", evil, []string{evil}
	c.Timers = map[string]time.Time{"$tick.tock": noon}
	c.Emits = []store.Emit{{TargetID: evil, ID: evil, Reason: evil, Event: []byte(`{"$evil":1}`)}}
	c.Spawns = []store.Spawn{{ChildID: evil, RootPath: evil, DefinitionID: evil, DefinitionVersion: evil, Site: store.Site{Path: evil}, Event: []byte(`{}`)}}
	c.Inbox = push("", evil+"0").Entries
	require.NoError(t, s.Create(ctx, c))
	require.ErrorIs(t, s.Create(ctx, c), store.ErrExists)
	_, err = s.Push(ctx, push(evil, evil+"1"))
	require.NoError(t, err)
	_, err = s.Push(ctx, push(evil, evil+"1"))
	require.NoError(t, err)
	step := commit(evil, 1, evil+"2")
	step.Timers = c.Timers
	step.Trace = []store.TraceStep{{Step: []byte(`"$evil"`)}}
	require.NoError(t, s.Commit(ctx, step))
	require.ErrorIs(t, s.Commit(ctx, step), store.ErrConflict)
	_, err = s.Load(ctx, evil)
	require.NoError(t, err)
	l, err := s.LoadForEvent(ctx, evil, []string{evil, evil + "9"}, 10)
	require.NoError(t, err)
	require.Equal(t, []string{evil}, l.Seen)
	_, errs := s.LoadBatch(ctx, []string{evil, evil + "?"}, 1)
	require.NoError(t, errs[0])
	_, err = s.IsProcessed(ctx, evil, evil)
	require.NoError(t, err)
	require.NoError(t, s.DeferInbox(ctx, evil, 2, noon))
	require.NoError(t, s.CountTry(ctx, evil, evil+"1", 2))
	require.NoError(t, s.DropInbox(ctx, evil, []string{evil + "1"}))
	q := store.PollQuery{Until: noon.AddDate(1, 0, 0), Exclude: []string{evil + "x"}, Shards: []int{store.ShardOf(evil, store.DefaultShards)}}
	_, err = s.PollInbox(ctx, q)
	require.NoError(t, err)
	out, err := s.PollOutbox(ctx, q)
	require.NoError(t, err)
	require.Len(t, out, 1)
	_, err = s.PollSpawns(ctx, q)
	require.NoError(t, err)
	due, err := s.DueTimers(ctx, q)
	require.NoError(t, err)
	require.Equal(t, "$tick.tock", due[0].Name)
	retry := store.Retry{ID: evil, TargetID: evil, LastError: evil, Seq: store.Seq(1, 0), Attempts: 1, At: noon}
	require.NoError(t, s.RetryOutbox(ctx, retry))
	require.NoError(t, s.RetrySpawn(ctx, retry))
	require.NoError(t, s.AckOutbox(ctx, []store.Ack{{ID: evil, Seqs: []int64{retry.Seq}}}))
	require.NoError(t, s.AckSpawns(ctx, []store.Ack{{ID: evil, Seqs: []int64{retry.Seq}}}))
	deleted, err := s.DeleteTimer(ctx, evil, "$tick.tock", noon)
	require.NoError(t, err)
	require.True(t, deleted)
	require.NoError(t, s.AppendTrace(ctx, evil, store.TraceStep{At: noon, Step: []byte(`"$evil"`)}))
	_, err = s.ReadTrace(ctx, evil)
	require.NoError(t, err)
	for _, order := range []store.Order{store.ByID, store.NewestFirst} {
		f := store.Filter{DefinitionID: evil, Statuses: []store.Status{store.Running}, Leaf: "A", RootsOnly: true}
		page, err := s.List(ctx, f, store.Page{Limit: 1, Order: order})
		require.NoError(t, err)
		require.Len(t, page.Items, 1)
	}
	_, err = s.Count(ctx, store.Filter{RootID: evil}, 0)
	require.NoError(t, err)
	require.NoError(t, s.Announce(ctx, store.Worker{Owner: evil, Name: evil, StartedAt: noon}, 5*time.Second))
	_, err = s.AcquireShards(ctx, evil, []int{1}, 5*time.Second)
	require.NoError(t, err)
	_, err = s.RenewShards(ctx, evil, []int{1}, 5*time.Second)
	require.NoError(t, err)
	require.NoError(t, s.ReleaseShards(ctx, evil, nil))
	_, err = s.Survey(ctx)
	require.NoError(t, err)
	letter := store.DeadLetter{Kind: store.LetterInbox, ExecutionID: evil, EventID: evil, Reason: evil, At: noon}
	require.NoError(t, s.PutDeadLetters(ctx, []store.DeadLetter{letter}))
	letters, err := s.ListDeadLetters(ctx, store.DeadLetterFilter{ExecutionID: evil, Reason: evil}, store.Page{Limit: 1})
	require.NoError(t, err)
	require.Len(t, letters.Items, 1)
	_, err = s.RemoveDeadLetter(ctx, letters.Items[0].ID, evil)
	require.NoError(t, err)
	_, err = s.NextBlock(ctx, evil, 3)
	require.NoError(t, err)
	_, err = s.Purge(ctx, noon, 10)
	require.NoError(t, err)
	require.NoError(t, s.SelfCheck(ctx))
}
