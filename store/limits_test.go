package store

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Section 13: zero means the default, and the defaults are in range.
func TestLimitsZeroMeansDefault(t *testing.T) {
	l := Limits{}.WithDefaults()
	require.NoError(t, l.Validate())
	require.NoError(t, Limits{}.Validate())
	assert.Equal(t, 4<<20, l.Data)
	assert.Equal(t, 256, l.InboxEntries)
	assert.Equal(t, 5*time.Second, l.Grace)
	assert.Zero(t, l.Retention, "off unless asked for")
	assert.Equal(t, 3, Limits{TraceRing: 3}.WithDefaults().TraceRing)
}

// Section 13: out of range is refused, with all mistakes at once.
func TestLimitsReportAllMistakesAtOnce(t *testing.T) {
	err := Limits{Ring: 15, TraceRing: -1, Handled: 9, Grace: -1, Slots: -1}.Validate()
	require.ErrorIs(t, err, ErrInvalidArgument)
	for _, field := range []string{"Ring", "TraceRing", "Handled", "Grace", "Slots"} {
		assert.ErrorContains(t, err, field)
	}
	require.ErrorContains(t, Limits{Handled: 129}.Validate(), "Handled", "at most half the ring")
	require.NoError(t, Limits{Handled: 128}.Validate())
}

// D23: n = min(Max, Bytes / s), and position max(0, n - k) must not exist.
func TestWeightPositions(t *testing.T) {
	l := Limits{InboxEntries: 10, InboxBytes: 100}.WithDefaults()
	of := func(sizes ...int) []InboxEntry {
		var entries []InboxEntry
		for _, n := range sizes {
			entries = append(entries, InboxEntry{ID: "x", Event: []byte(strings.Repeat("1", n))})
		}
		return entries
	}
	assert.Equal(t, 9, l.InboxPosition(of(1)), "light entries: by number")
	assert.Equal(t, 3, l.InboxPosition(of(25)), "100/25 = 4 places, one wanted")
	assert.Equal(t, 2, l.InboxPosition(of(25, 1)), "the largest decides, two wanted")
	assert.Equal(t, 2, l.InboxPosition(of(26)), "100/26 = 3 places")
	assert.Equal(t, 0, l.InboxPosition(of(101)), "over Bytes: into an empty inbox only")
	assert.Equal(t, 0, l.InboxPosition(of(1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1)), "more than Max: into an empty inbox only")
}

// D64: a step over its cap becomes a note of its length; D47: error texts are cut.
func TestCuts(t *testing.T) {
	l := Limits{TraceStep: 40}.WithDefaults()
	assert.Equal(t, `{"truncated": 41}`, string(l.CutStep([]byte(strings.Repeat("1", 41)))))
	assert.Len(t, l.CutStep([]byte(strings.Repeat("1", 40))), 40)
	assert.Equal(t, strings.Repeat("é", 500), CutError(strings.Repeat("é", 501)))
	assert.Equal(t, "a\ufffdb", CutError("a\xffb"))
}
