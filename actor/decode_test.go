package actor

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"
)

func decode(t *testing.T, text json.RawMessage, v any) {
	t.Helper()
	require.NoError(t, json.Unmarshal(text, v))
}
