package mongostore

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/durachart/durachart/store"
)

// The table of D21, row by row, for both columns.
func TestJudgeCommit(t *testing.T) {
	const again = "send again"
	for _, tc := range []struct {
		name                string
		found               *readBack
		definite, ambiguous error // nil is success
		definiteAgain       bool
		ambiguousAgain      bool
	}{
		{name: "the commit id is ours", found: &readBack{Version: 8, CommitID: "ours", Seen: []string{"a", "b"}}},
		{name: "ours, and the version is what it was", found: &readBack{Version: 7, CommitID: "ours"}},
		{name: "no document", definite: store.ErrNotFound, ambiguous: store.ErrNotFound},
		{name: "same version, a handled id seen", found: &readBack{Version: 7, Seen: []string{"b"}},
			definite: store.ErrConflict, ambiguous: store.ErrConflict},
		{name: "same version, outbox too full", found: &readBack{Version: 7, OutboxLen: 4},
			definite: store.ErrBackpressure, ambiguousAgain: true},
		{name: "same version, spawns too full", found: &readBack{Version: 7, SpawnsLen: 6},
			definite: store.ErrBackpressure, ambiguousAgain: true},
		{name: "same version, just room", found: &readBack{Version: 7, OutboxLen: 3, SpawnsLen: 5},
			definiteAgain: true, ambiguousAgain: true},
		{name: "same version, nothing else", found: &readBack{Version: 7, Seen: []string{"of another commit"}},
			definiteAgain: true, ambiguousAgain: true},
		{name: "another version, none seen", found: &readBack{Version: 9},
			definite: store.ErrConflict, ambiguous: store.ErrConflict},
		{name: "another version, not all seen", found: &readBack{Version: 9, Seen: []string{"a"}},
			definite: store.ErrConflict, ambiguous: store.ErrConflict},
		{name: "another version, all seen", found: &readBack{Version: 9, Seen: []string{"b", "x", "a"}},
			definite: store.ErrConflict, ambiguous: store.ErrUncertain},
	} {
		t.Run(tc.name, func(t *testing.T) {
			for _, ambiguous := range []bool{false, true} {
				want, wantAgain := tc.definite, tc.definiteAgain
				if ambiguous {
					want, wantAgain = tc.ambiguous, tc.ambiguousAgain
				}
				w := &commitWrite{id: "x", version: 7, commitID: "ours", handled: []string{"a", "b"}, outboxRoom: 3, spawnsRoom: 5, ambiguous: ambiguous}
				err, resend := w.judge(tc.found)
				assert.Equal(t, wantAgain, resend, again)
				assert.ErrorIs(t, err, want)
				checkDetails(t, err, tc.found)
			}
		})
	}
}

// checkDetails: what was found is in the error, the ids in the order of the commit.
func checkDetails(t *testing.T, err error, found *readBack) {
	t.Helper()
	var conflict *store.ConflictError
	if errors.As(err, &conflict) {
		assert.EqualValues(t, 7, conflict.Expected)
		assert.Equal(t, found.Version, conflict.Found)
	}
	var uncertain *store.UncertainError
	if errors.As(err, &uncertain) {
		assert.Equal(t, found.Version, uncertain.Found)
		assert.Equal(t, []string{"a", "b"}, uncertain.Seen)
	}
}

// A commit that adds nothing does not look at what waits.
func TestJudgeCommitWithoutEmits(t *testing.T) {
	w := &commitWrite{id: "x", version: 7, commitID: "ours", handled: []string{"a"}, outboxRoom: -1, spawnsRoom: -1}
	_, resend := w.judge(&readBack{Version: 7, OutboxLen: 1000, SpawnsLen: 1000})
	assert.True(t, resend)
}

// D31: no document, duplicate, ended, full, in this order; and what each is worth
// when a copy may have been applied.
func TestJudgePush(t *testing.T) {
	waits := func(id, from string) waitingEntry { return waitingEntry{ID: id, From: from, At: noon} }
	for _, tc := range []struct {
		name       string
		fate       fate
		found      *waitingInbox
		want       error
		again      bool
		duplicates []string
	}{
		{name: "no document", fate: notApplied, want: store.ErrNotFound},
		{name: "waiting", fate: notApplied, found: &waitingInbox{Inbox: []waitingEntry{waits("a", "s"), waits("b", "s")}}, duplicates: []string{"a", "b"}},
		{name: "processed, though ended", fate: notApplied, found: &waitingInbox{EndedAt: noon, Seen: []string{"a", "b"}}, duplicates: []string{"a", "b"}},
		{name: "one of two", fate: notApplied, found: &waitingInbox{Seen: []string{"b"}}, duplicates: []string{"b"}},
		{name: "ended and full", fate: notApplied, found: &waitingInbox{EndedAt: noon, Inbox: make([]waitingEntry, 9)}, want: store.ErrEnded},
		{name: "full", fate: notApplied, found: &waitingInbox{Inbox: make([]waitingEntry, 3)}, want: store.ErrBackpressure},
		{name: "just room", fate: notApplied, found: &waitingInbox{Inbox: make([]waitingEntry, 2)}, again: true},

		{name: "applied", fate: applied, found: &waitingInbox{}},
		{name: "perhaps: there, and ours", found: &waitingInbox{Inbox: []waitingEntry{waits("a", "s"), waits("b", "s")}}},
		{name: "perhaps: there, and of another sender", found: &waitingInbox{Inbox: []waitingEntry{waits("a", "s"), waits("b", "other")}}, duplicates: []string{"a", "b"}},
		{name: "perhaps: handled already", found: &waitingInbox{Seen: []string{"a", "b"}}},
		{name: "perhaps: one of two", found: &waitingInbox{Seen: []string{"b"}}, duplicates: []string{"b"}},
		{name: "perhaps: ended", found: &waitingInbox{EndedAt: noon}, want: store.ErrUncertain},
		{name: "perhaps: full", found: &waitingInbox{Inbox: make([]waitingEntry, 3)}, again: true},
		{name: "perhaps: no document", want: store.ErrNotFound},
	} {
		t.Run(tc.name, func(t *testing.T) {
			w := &pushWrite{id: "x", ids: []string{"a", "b"}, from: []string{"s", "s"}, at: noon, room: 2, fate: tc.fate}
			err, again := w.judge(tc.found)
			assert.Equal(t, tc.again, again)
			assert.ErrorIs(t, err, tc.want)
			assert.Equal(t, tc.duplicates, w.duplicates)
		})
	}
}

// Of a group of which some matched it is told which, as far as it can be.
func TestTellFates(t *testing.T) {
	group := func() ([]*call[pushWrite], map[string]*waitingInbox) {
		var calls []*call[pushWrite]
		found := map[string]*waitingInbox{}
		for _, id := range []string{"there1", "there2", "gone"} {
			w := &pushWrite{id: id, ids: []string{"e"}, from: []string{""}, at: noon}
			calls = append(calls, newCall(w, id, 0, noon))
			found[id] = &waitingInbox{}
			if id != "gone" {
				found[id].Seen = []string{"e"}
			}
		}
		return calls, found
	}
	for matched, want := range map[int][]fate{
		1: {perhaps, perhaps, notApplied}, // one of the two met a duplicate
		2: {applied, applied, notApplied},
		3: {applied, applied, perhaps}, // one was taken out again
	} {
		calls, found := group()
		tellFates(calls, matched, found)
		for i, one := range calls {
			assert.Equal(t, want[i], one.write.fate, "%d matched: %s", matched, one.key)
		}
	}
}
