package mongostore_test

import (
	"bytes"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.mongodb.org/mongo-driver/v2/bson"

	"github.com/durachart/durachart/store"
	"github.com/durachart/durachart/store/mongostore"
)

// A damaged document is an error that names the execution; the others go on, and
// the log has one line of it.
func TestADamagedDocumentIsAlone(t *testing.T) {
	r := newRig(t)
	var log bytes.Buffer
	s := r.store(t, mongostore.Options{Shards: 1, Logger: slog.New(slog.NewTextHandler(&log, nil))})
	for _, id := range []string{"a", "bad", "c"} {
		c := creation(id)
		c.Inbox = push("", "e").Entries
		c.Timers = map[string]time.Time{"t": noon}
		c.Emits = []store.Emit{{TargetID: "y", ID: "m", Event: []byte(`{}`)}}
		require.NoError(t, s.Create(t.Context(), c))
	}
	r.set(t, "bad", bson.D{{Key: "timers", Value: bson.D{{Key: "%zz", Value: noon}}}, {Key: "priority", Value: "high"}})

	_, err := s.Load(t.Context(), "bad")
	require.ErrorIs(t, err, store.ErrUnsupported)
	assert.ErrorContains(t, err, `"bad"`)
	var corrupt *mongostore.CorruptError
	require.ErrorAs(t, err, &corrupt)
	assert.Equal(t, "bad", corrupt.ID)

	loaded, errs := s.LoadBatch(t.Context(), []string{"a", "bad", "c", "none"}, 10)
	require.NoError(t, errs[0])
	require.ErrorIs(t, errs[1], store.ErrUnsupported)
	require.NoError(t, errs[2])
	require.ErrorIs(t, errs[3], store.ErrNotFound)
	assert.Equal(t, "c", loaded[2].ID)

	q := store.PollQuery{Shards: []int{0}, Until: noon.Add(time.Hour), Limit: 2}
	for pass := range 3 {
		waiting, err := s.PollInbox(t.Context(), q)
		require.NoError(t, err)
		outgoing, err := s.PollOutbox(t.Context(), q)
		require.NoError(t, err)
		due, err := s.DueTimers(t.Context(), q)
		require.NoError(t, err)
		page, err := s.List(t.Context(), store.Filter{}, store.Page{Limit: 2})
		require.NoError(t, err)
		if pass > 0 { // it is known by now
			assert.Len(t, waiting, 2)
			assert.Len(t, outgoing, 2)
			assert.Len(t, due, 2)
		}
		assert.Len(t, page.Items, 2)
	}
	assert.Equal(t, 1, strings.Count(log.String(), "level=WARN"))
	assert.Contains(t, log.String(), "execution=bad")
}

// D13: many documents of a newer format, as there are during an upgrade, do not fill
// the pages.
func TestNewerDocumentsDoNotFillThePages(t *testing.T) {
	r := newRig(t)
	s := r.store(t, mongostore.Options{Shards: 1})
	var cs []store.Creation
	for i := range 600 {
		c := creation("new-" + string(rune('a'+i/26)) + string(rune('a'+i%26)))
		c.Inbox = push("", "e").Entries
		cs = append(cs, c)
	}
	for _, err := range s.CreateBatch(t.Context(), cs) {
		require.NoError(t, err)
	}
	_, err := r.collection("executions").UpdateMany(t.Context(), bson.D{}, bson.D{{Key: "$set", Value: bson.D{{Key: "format", Value: 2}}}})
	require.NoError(t, err)
	old := creation("zz-old")
	old.Inbox = push("", "e").Entries
	require.NoError(t, s.Create(t.Context(), old))
	q := store.PollQuery{Shards: []int{0}, Until: noon, Limit: 10}
	_, err = s.PollInbox(t.Context(), q)
	require.NoError(t, err)
	waiting, err := s.PollInbox(t.Context(), q)
	require.NoError(t, err)
	require.Len(t, waiting, 1)
	assert.Equal(t, "zz-old", waiting[0].ID)
}

// D24, BA3: a write that no document has room for is refused here, and its
// neighbours in the group stand.
func TestOneOversizedWriteInABatch(t *testing.T) {
	r := newRig(t)
	s := r.store(t, mongostore.Options{Limits: store.Limits{Data: 14 << 20, OutboxStep: 8 << 20, Event: 4 << 20}})
	huge := creation("huge")
	huge.Data = []byte(`"` + strings.Repeat("x", 14<<20-2) + `"`)
	huge.Emits = []store.Emit{{TargetID: "y", ID: "m", Event: []byte(`"` + strings.Repeat("x", 4<<20-2) + `"`)}}
	errs := s.CreateBatch(t.Context(), []store.Creation{creation("a"), huge, creation("b")})
	require.NoError(t, errs[0])
	require.ErrorIs(t, errs[1], store.ErrBackpressure)
	require.NoError(t, errs[2])
	step := commit("a", 1, "e")
	step.Data, step.Emits = huge.Data, huge.Emits
	require.ErrorIs(t, s.Commit(t.Context(), step), store.ErrBackpressure)
}
