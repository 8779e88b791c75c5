package store

import (
	"encoding/base64"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// D66: a cursor comes back as the key it was made from, in its own list only.
func TestCursorBelongsToItsList(t *testing.T) {
	at := time.Date(2030, 1, 2, 3, 4, 5, 6_000_000, time.UTC)
	f := Filter{DefinitionID: "order", Statuses: []Status{Running, Done}, Attrs: map[string]Attr{"n": int64(1)}}
	here := ListScope(f, NewestFirst, "")
	text := here.Encode(CursorKey{ID: "o-1", At: at})
	assert.NotContains(t, text, "=")
	assert.False(t, strings.ContainsAny(text, "+/"), "safe in a URL")

	key, err := here.Decode(text)
	require.NoError(t, err)
	assert.Equal(t, CursorKey{ID: "o-1", At: at}, key)

	same := f
	same.Statuses = []Status{Done, Running, Done}
	_, err = ListScope(same, NewestFirst, "").Decode(text)
	assert.NoError(t, err, "a set of statuses has no order")

	float := f
	float.Attrs = map[string]Attr{"n": float64(1)}
	parked := f
	parked.ParkedOnly = true
	for name, other := range map[string]CursorScope{
		"order": ListScope(f, ByID, ""), "prefix": ListScope(f, NewestFirst, "p_"), "filter": ListScope(parked, NewestFirst, ""),
		"attribute type": ListScope(float, NewestFirst, ""), "dead letters": DeadLetterScope(DeadLetterFilter{}, ""),
	} {
		_, err := other.Decode(text)
		assert.ErrorIs(t, err, ErrInvalidArgument, name)
	}
}

// D66: an old version and garbage are refused.
func TestCursorRefusesGarbage(t *testing.T) {
	s := ListScope(Filter{}, ByID, "")
	good := s.Encode(CursorKey{ID: "x"})
	raw, err := base64.RawURLEncoding.DecodeString(good)
	require.NoError(t, err)
	encode := func(s string) string { return base64.RawURLEncoding.EncodeToString([]byte(s)) }
	for _, bad := range []string{
		"?", "e30", good[:len(good)-4], good + "x", encode(strings.Replace(string(raw), `"v":1`, `"v":0`, 1)),
		encode(strings.Replace(string(raw), `["x"]`, `[]`, 1)), encode(strings.Replace(string(raw), `["x"]`, `["x","y"]`, 1)),
		encode(strings.Replace(string(raw), `["x"]`, `[""]`, 1)), encode(`null`),
	} {
		_, err := s.Decode(bad)
		assert.ErrorIs(t, err, ErrInvalidArgument, "%q", bad)
	}
}

// D66: no text makes the decoder panic or return an unusable key.
func FuzzCursor(f *testing.F) {
	s := ListScope(Filter{}, ByID, "")
	f.Add(s.Encode(CursorKey{ID: "x"}))
	f.Add("e30")
	f.Fuzz(func(t *testing.T, text string) {
		key, err := s.Decode(text)
		if err == nil {
			require.NotEmpty(t, key.ID)
		}
	})
}
