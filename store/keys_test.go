package store

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// D7: seq is version times 65,536 plus the index; it grows over commits.
func TestSeqGrowsOverCommits(t *testing.T) {
	assert.Equal(t, int64(2*65_536), Seq(2, 0))
	assert.Equal(t, int64(2*65_536+5), Seq(2, 5))
	assert.Less(t, Seq(2, MaxPerWrite-1), Seq(3, 0))
}

// D9: the vectors of the specification.
func TestShardOfVectors(t *testing.T) {
	for id, want := range map[string]int{"order-1": 33, "order-2": 6, "a": 18, "ex-1:F.A:0": 74, "héllo": 29} {
		assert.Equal(t, want, ShardOf(id, 256), id)
	}
}

// D6: the encodings of the specification.
func TestEncodeTimerVectors(t *testing.T) {
	for name, want := range map[string]string{
		"Fork.A": "Fork%2EA", "50%": "50%25", "": "%", "$x": "%24x", "plain name": "plain name", "ü": "ü", "%": "%25",
	} {
		assert.Equal(t, want, EncodeTimer(name), name)
		back, err := DecodeTimer(want)
		require.NoError(t, err)
		assert.Equal(t, name, back)
	}
}

// D6: a key that no name encodes to is a corrupt document.
func TestDecodeTimerRefusesWhatNoNameEncodesTo(t *testing.T) {
	for _, key := range []string{"", "a.b", "$x", "a%", "%2", "%2e", "%41", "%%", "a%25%"} {
		_, err := DecodeTimer(key)
		assert.Error(t, err, "%q", key)
	}
}

// D6: encode and decode are a bijection between names and keys.
func FuzzTimerKey(f *testing.F) {
	for _, s := range []string{"", "%", "%25", "a.b", "$", "Fork.A.%", "héllo", "%2E"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		key := EncodeTimer(s)
		require.NotEmpty(t, key)
		require.False(t, strings.ContainsAny(key, ".$"), "a key is a plain field name")
		back, err := DecodeTimer(key)
		require.NoError(t, err)
		require.Equal(t, s, back)
		if name, err := DecodeTimer(s); err == nil {
			require.Equal(t, s, EncodeTimer(name), "every key that decodes is the key of its name")
		}
	})
}

// D19: operations are folded per name in order, and the last one wins.
func TestFoldTimersLastOneWins(t *testing.T) {
	at := time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC)
	armed := map[string]time.Time{"kept": at, "dropped": at}
	after := FoldTimers(armed, []TimerOp{
		{Name: "dropped"},
		{Name: "a", Due: at}, {Name: "a"},
		{Name: "b"}, {Name: "b", Due: at.Add(1)},
		{Name: "c", Due: at}, {Name: "c", Due: at.Add(2)},
	})
	assert.Equal(t, map[string]time.Time{"kept": at, "b": at.Add(1), "c": at.Add(2)}, after)
	assert.Len(t, armed, 2, "the argument is not changed")
	assert.NotNil(t, FoldTimers(nil, nil))
}

// D19: next_fire_at is the minimum, and zero when nothing is armed.
func TestNextFireIsTheMinimum(t *testing.T) {
	at := time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC)
	assert.True(t, NextFire(nil).IsZero())
	assert.Equal(t, at, NextFire(map[string]time.Time{"x": at.Add(time.Hour), "y": at, "z": at.Add(time.Minute)}))
}

// D11: times are cut to milliseconds, in UTC, and the zero time stays zero.
func TestMillisCuts(t *testing.T) {
	in := time.Date(2030, 1, 1, 12, 0, 0, 1_999_999, time.FixedZone("x", 3600))
	assert.Equal(t, time.Date(2030, 1, 1, 11, 0, 0, 1_000_000, time.UTC), Millis(in))
	assert.True(t, Millis(time.Time{}).IsZero())
}

// D52: the id of a letter follows from its fields, and ids that contain the
// separator are kept apart by the length in front.
func TestDeadLetterID(t *testing.T) {
	assert.Equal(t, "outbox|2:ex|131072", DeadLetterID(LetterOutbox, "ex", "131072"))
	assert.Equal(t, "inbox|6:héllo|e1", DeadLetterID(LetterInbox, "héllo", "e1"), "bytes, not characters")
	assert.NotEqual(t, DeadLetterID("inbox", "a|b", "c"), DeadLetterID("inbox", "a", "b|c"))
}

// D20: a commit id is 32 hex digits, another one each time.
func TestNewCommitID(t *testing.T) {
	assert.Regexp(t, "^[0-9a-f]{32}$", NewCommitID())
	assert.NotEqual(t, NewCommitID(), NewCommitID())
}
