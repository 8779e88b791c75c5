package mongostore

import (
	"errors"
	"math"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.mongodb.org/mongo-driver/v2/bson"

	"github.com/durachart/durachart/store"
)

// fullCreation has every field of a document.
func fullCreation() *store.Creation {
	return &store.Creation{
		Snapshot: store.Snapshot{
			DefinitionVersion: "v1", Outcome: "ok", Leaves: []string{"A", "B.C"}, EnteredAt: noon,
			Data: []byte(`{"a":[1,1.0,1e+22,null,"é"]}`), Status: store.Running,
			Timers: map[string]time.Time{"a.b": noon, "": noon.Add(time.Hour), "$%": noon.Add(time.Minute)},
			Attrs:  map[string]store.Attr{"s": "$x", "i": int64(1), "f": 1.0, "b": true, "t": noon},
			Parked: &store.Parked{EventID: "e", Reason: "r", Error: "err", Attempts: 3, At: noon},
		},
		ID: "x", DefinitionID: "d", ParentID: "p", RootID: "root", RequestID: "req", StartID: "start", SpawnSeq: 65536, Priority: 3,
		Inbox:  []store.InboxEntry{{ID: "i", From: "f", Event: []byte(`{}`)}},
		Emits:  []store.Emit{{ID: "m", Event: []byte(`1`)}, {Kind: store.EmitDead, TargetID: "t", ID: "m2", Reason: "why", Event: []byte(`2`)}},
		Spawns: []store.Spawn{{ChildID: "c", RootPath: "R", DefinitionID: "cd", DefinitionVersion: "cv", Site: store.Site{Path: "P", Seq: 1, Index: 2}, Context: []byte(`{"k":1}`), Event: []byte(`{}`)}},
		Trace:  []store.TraceStep{{At: noon, Step: []byte(`{"s":1}`)}},
		Now:    noon,
	}
}

func codecStore(t *testing.T) *Store {
	t.Helper()
	opts := Options{Attributes: []string{"s", "i", "f", "b", "t"}}.withDefaults()
	return &Store{opts: opts, lim: opts.Limits}
}

// What is written is read back, field by field.
func TestDocumentRoundTrip(t *testing.T) {
	s, c := codecStore(t), fullCreation()
	c.Parked = nil // an execution that is parked has nothing armed
	w := s.encodeCreation(c)
	require.NoError(t, w.document.Validate())
	r, err := decode(w.document)
	require.NoError(t, err)

	want := c.Snapshot
	want.Leaves, want.Format = nil, 1 // loads ship no array
	assert.Equal(t, want, r.Snapshot)
	assert.Equal(t, "x d p root "+w.commitID, r.ID+" "+r.DefinitionID+" "+r.ParentID+" "+r.RootID+" "+r.CommitID)
	assert.EqualValues(t, []int64{1, 65536, 3}, []int64{r.Version, r.SpawnSeq, int64(r.Priority)})
	assert.Equal(t, store.ShardOf("x", 256), r.Shard)
	assert.Equal(t, []time.Time{noon, noon, noon}, []time.Time{r.NextFireAt, r.CreatedAt, r.UpdatedAt})
	assert.Equal(t, []store.InboxEntry{{ID: "i", From: "f", At: noon, Event: []byte(`{}`)}}, r.Inbox)
	at := noon.Add(5 * time.Second)
	assert.Equal(t, []store.OutboxEntry{
		{Emit: c.Emits[0], Seq: 65536, At: at}, {Emit: c.Emits[1], Seq: 65537, At: at},
	}, r.Outbox)
	assert.Equal(t, []store.SpawnEntry{{Spawn: c.Spawns[0], Seq: 65536, ParentID: "x", At: at}}, r.Spawns)
	assert.Equal(t, []store.TraceStep{{Index: 65536, At: noon, Step: []byte(`{"s":1}`)}}, r.Trace)
}

// D4: an insert writes every array, timers and attrs, even when empty; and nothing
// optional that does not apply is null (section 2).
func TestEmptyDocumentIsComplete(t *testing.T) {
	s := codecStore(t)
	w := s.encodeCreation(&store.Creation{
		Snapshot: store.Snapshot{DefinitionVersion: "v", Status: store.Pending, Data: []byte(`1`)}, ID: "x", DefinitionID: "d", RequestID: "r", Now: noon,
	})
	for _, array := range []string{"leaves", "inbox", "outbox", "spawns", "processed", "trace"} {
		assert.Equal(t, bson.TypeArray, w.document.Lookup(array).Type, array)
	}
	for _, sub := range []string{"timers", "attrs"} {
		assert.Equal(t, bson.TypeEmbeddedDocument, w.document.Lookup(sub).Type, sub)
	}
	elements, err := w.document.Elements()
	require.NoError(t, err)
	for _, e := range elements {
		assert.True(t, e.Value().Type != bson.TypeNull || e.Key() == "parent_id", "%s is null", e.Key())
	}
	assert.Equal(t, bson.TypeNull, w.document.Lookup("parent_id").Type)
	for _, optional := range []string{"outcome", "spawn_seq", "next_fire_at", "parked", "wake_at", "ended_at", "expires_at"} {
		_, err := w.document.LookupErr(optional)
		assert.Error(t, err, optional)
	}
}

// Trap 11 and D17: empty parts are left out, and no path is both set and unset.
func TestCommitLeavesEmptyPartsOut(t *testing.T) {
	s := codecStore(t)
	c := &store.Commit{Snapshot: store.Snapshot{DefinitionVersion: "v", Status: store.Running, Data: []byte(`1`)}, ID: "x", Version: 1, Handled: []string{"e"}, Now: noon}
	w := s.encodeCommit(c)
	require.NoError(t, w.filter.Validate())
	require.NoError(t, w.update.Validate())
	_, err := w.update.LookupErr("$push", "outbox")
	require.Error(t, err)
	_, err = w.filter.LookupErr("outbox.256")
	require.Error(t, err)
	assertDisjoint(t, w.update)

	full := fullCreation().Snapshot
	full.Status, full.Ended, full.Timers = store.Done, true, nil
	c.Snapshot, c.Emits, c.ReleaseInbox = full, fullCreation().Emits, true
	w = s.encodeCommit(c)
	assertDisjoint(t, w.update)
	_, err = w.update.LookupErr("$pull")
	require.Error(t, err, "pull and $[] on one array are refused (D34)")
	assert.Equal(t, noon.UnixMilli(), w.update.Lookup("$set", "inbox.$[].at").DateTime())
	_, err = w.filter.LookupErr("outbox.254")
	require.NoError(t, err, "the weight rule")
}

func assertDisjoint(t *testing.T, update bson.Raw) {
	t.Helper()
	seen := map[string]bool{}
	for _, operator := range []string{"$set", "$unset"} {
		doc, ok := update.Lookup(operator).DocumentOK()
		require.True(t, ok, operator)
		elements, err := doc.Elements()
		require.NoError(t, err)
		require.NotEmpty(t, elements, operator)
		for _, e := range elements {
			assert.False(t, seen[e.Key()], e.Key())
			seen[e.Key()] = true
		}
	}
}

// Trap 9: numbers that others wrote may be int32, int64 or whole doubles.
func TestNumbersOfOthers(t *testing.T) {
	for _, n := range []any{int32(7), int64(7), 7.0} {
		raw, err := bson.Marshal(bson.D{{Key: "_id", Value: "x"}, {Key: "version", Value: n}, {Key: "shard", Value: n}, {Key: "spawn_seq", Value: n}})
		require.NoError(t, err)
		r, err := decode(raw)
		require.NoError(t, err)
		assert.EqualValues(t, 7, r.Version)
		assert.EqualValues(t, 7, r.Shard)
	}
	for _, n := range []any{7.5, math.NaN(), math.Inf(1), 1e300, "7", nil, true} {
		raw, err := bson.Marshal(bson.D{{Key: "_id", Value: "x"}, {Key: "version", Value: n}})
		require.NoError(t, err)
		_, err = decode(raw)
		var corrupt *CorruptError
		require.ErrorAs(t, err, &corrupt, "%v", n)
		assert.Equal(t, CorruptError{ID: "x", Field: "version"}, *corrupt)
		require.ErrorIs(t, err, store.ErrUnsupported)
	}
}

// D13: a newer format is refused by name; fields that we do not know are no harm.
func TestFormats(t *testing.T) {
	raw, err := bson.Marshal(bson.D{{Key: "_id", Value: "x"}, {Key: "format", Value: 2}})
	require.NoError(t, err)
	r, err := decode(raw)
	require.ErrorIs(t, err, store.ErrUnsupported)
	assert.ErrorContains(t, err, "format 2")
	assert.Equal(t, "x", r.ID)

	raw, err = bson.Marshal(bson.D{{Key: "_id", Value: "x"}, {Key: "made_by_others", Value: bson.A{1}}})
	require.NoError(t, err)
	_, err = decode(raw)
	require.NoError(t, err)
}

// D13: documents of released formats are read for ever.
func TestRecordedDocuments(t *testing.T) {
	text, err := os.ReadFile("../../compat/testdata/v1/execution.json")
	require.NoError(t, err)
	var raw bson.Raw
	require.NoError(t, bson.UnmarshalExtJSON(text, true, &raw))
	r, err := decode(raw)
	require.NoError(t, err)
	assert.Equal(t, "order-1", r.ID)
	assert.EqualValues(t, 3, r.Version)
	assert.Equal(t, map[string]time.Time{"Order.Paying": noon.Add(time.Hour)}, r.Timers)
	assert.Len(t, r.Outbox, 1)
	assert.Len(t, r.Spawns, 1)
	assert.Len(t, r.Inbox, 1)
	assert.Len(t, r.Trace, 1)
	assert.Equal(t, "Jane", r.Attrs["customer"])
}

// Whatever is stored under an id, reading it is an error that names the execution or
// a record, and never a panic.
func FuzzDecode(f *testing.F) {
	opts := Options{Attributes: []string{"s", "i", "f", "b", "t"}}.withDefaults()
	s := &Store{opts: opts, lim: opts.Limits}
	f.Add([]byte(s.encodeCreation(fullCreation()).document))
	f.Add([]byte{5, 0, 0, 0, 0})
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, raw []byte) {
		r, err := decode(raw)
		if err != nil {
			if corrupt := (*CorruptError)(nil); !errors.As(err, &corrupt) && !errors.Is(err, store.ErrUnsupported) {
				t.Fatalf("an error without a name: %v", err)
			}
			return
		}
		for name := range r.Timers {
			if _, err := store.DecodeTimer(store.EncodeTimer(name)); err != nil {
				t.Fatalf("a timer that cannot be written again: %q", name)
			}
		}
	})
}

// The hot path allocates little: what the driver needs aside, a call and its answer.
func BenchmarkEncodeCommit(b *testing.B) {
	opts := Options{}.withDefaults()
	s := &Store{opts: opts, lim: opts.Limits}
	c := &store.Commit{Snapshot: fullCreation().Snapshot, ID: "x", Version: 1, Handled: []string{"0190b6a2-9d11-7c4e-8f00-000000000001"}, Now: noon}
	c.Attrs, c.Timers, c.Parked = nil, nil, nil
	b.ReportAllocs()
	for b.Loop() {
		w := s.encodeCommit(c)
		w.buf.release()
	}
}
