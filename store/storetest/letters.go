package storetest

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/durachart/durachart/store"
)

// letterCases are those of store.DeadLetters (D49, D52).
var letterCases = []Case{
	{ID: "DL1", Says: "put twice is one letter; every kind comes back equal; remove with an old put does nothing; list is newest first, by filter, with cursor", run: deadLetters},
}

func (e *env) letter(id string) store.DeadLetter {
	e.Helper()
	d, err := e.GetDeadLetter(e.ctx, id)
	require.NoError(e, err)
	return d
}

func deadLetters(e *env) {
	letters := []store.DeadLetter{
		{Kind: store.LetterInbox, ExecutionID: "$x|y", DefinitionID: "order", EventID: "e|1", Event: []byte(`{"$a.b":1.0}`), From: "sender", Reason: "ended", At: base},
		{Kind: store.LetterOutbox, ExecutionID: "x", TargetID: "t", EventID: "e2", Seq: store.Seq(3, 1), Event: []byte(`null`), Reason: "attempts", Error: strings.Repeat("é", 600), Attempts: 20, At: base.Add(time.Microsecond)},
		{Kind: store.LetterSpawn, ExecutionID: "x", TargetID: "c", Seq: store.Seq(3, 1), Spawn: []byte(`{"child_id":"c"}`), Reason: "id_taken", At: base.Add(time.Hour)},
	}
	require.NoError(e, e.PutDeadLetters(e.ctx, letters))
	assert.Empty(e, letters[0].ID, "arguments are not changed")
	ids := []string{"inbox|4:$x|y|e|1", fmt.Sprint("outbox|1:x|", store.Seq(3, 1)), fmt.Sprint("spawn|1:x|", store.Seq(3, 1))}
	for i, id := range ids {
		want := letters[i]
		want.ID, want.At = id, store.Millis(want.At)
		if i == 1 {
			want.Error = strings.Repeat("é", 500)
		}
		got := e.letter(id)
		assert.Regexp(e, "^[0-9a-f]{32}$", got.Put)
		want.Put = got.Put
		assert.Equal(e, want, got)
	}

	// Put again: one letter, the last put stands, and the old one's put removes nothing.
	old := e.letter(ids[0])
	again := letters[0]
	again.Reason, again.At = "reset", base.Add(time.Minute)
	require.NoError(e, e.PutDeadLetters(e.ctx, []store.DeadLetter{again}))
	now := e.letter(ids[0])
	assert.Equal(e, "reset", now.Reason)
	assert.NotEqual(e, old.Put, now.Put)
	remove := func(id, put string) bool {
		e.Helper()
		removed, err := e.RemoveDeadLetter(e.ctx, id, put)
		require.NoError(e, err)
		return removed
	}
	assert.False(e, remove(ids[0], old.Put))
	assert.False(e, remove("inbox|1:x|unknown", old.Put))
	e.letter(ids[0])

	// Listed newest first, by filter, with cursor.
	walk := func(f store.DeadLetterFilter, limit int) []string {
		e.Helper()
		var all []string
		p := store.Page{Limit: limit}
		for {
			page, err := e.ListDeadLetters(e.ctx, f, p)
			require.NoError(e, err)
			for _, d := range page.Items {
				all = append(all, d.ID)
				assert.Equal(e, e.letter(d.ID), d)
			}
			if page.Next == "" {
				return all
			}
			require.Len(e, page.Items, limit)
			p.Cursor = page.Next
		}
	}
	for limit := 1; limit <= 4; limit++ {
		assert.Equal(e, []string{ids[2], ids[0], ids[1]}, walk(store.DeadLetterFilter{}, limit))
		assert.Equal(e, []string{ids[2], ids[1]}, walk(store.DeadLetterFilter{ExecutionID: "x"}, limit))
	}
	assert.Equal(e, ids[:1], walk(store.DeadLetterFilter{Kind: "inbox"}, 1))
	assert.Equal(e, ids[1:2], walk(store.DeadLetterFilter{Reason: "attempts"}, 1))
	assert.Empty(e, walk(store.DeadLetterFilter{ExecutionID: "x", Reason: "ended"}, 1))
	page, err := e.ListDeadLetters(e.ctx, store.DeadLetterFilter{}, store.Page{Limit: 1})
	require.NoError(e, err)
	_, err = e.ListDeadLetters(e.ctx, store.DeadLetterFilter{ExecutionID: "x"}, store.Page{Limit: 1, Cursor: page.Next})
	require.ErrorIs(e, err, store.ErrInvalidArgument)

	// Changing what was handed out changes nothing stored.
	got := e.letter(ids[0])
	got.Event[0] = '!'
	assert.Equal(e, now, e.letter(ids[0]))
	assert.True(e, remove(ids[0], now.Put))
	assert.False(e, remove(ids[0], now.Put))
	_, err = e.GetDeadLetter(e.ctx, ids[0])
	require.ErrorIs(e, err, store.ErrNotFound)
	assert.Equal(e, slices.Sorted(slices.Values(ids[1:])), slices.Sorted(slices.Values(walk(store.DeadLetterFilter{}, 10))))

	for _, bad := range []store.DeadLetter{
		{Kind: "other", ExecutionID: "x", EventID: "e", At: base}, {Kind: store.LetterInbox, ExecutionID: "x", At: base},
		{Kind: store.LetterOutbox, At: base}, {Kind: store.LetterOutbox, ExecutionID: "x"}, {Kind: store.LetterOutbox, ExecutionID: "x", At: base, Event: []byte(`{`)},
	} {
		require.ErrorIs(e, e.PutDeadLetters(e.ctx, []store.DeadLetter{bad}), store.ErrInvalidArgument)
	}
}
