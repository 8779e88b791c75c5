package execution_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/durachart/durachart/execution"
)

// merged runs f over a context of type C and returns the context after it.
func merged[C any](t *testing.T, context string, f func(*C)) string {
	t.Helper()
	host := &execution.Host{Handlers: execution.Handlers{
		"act": execution.ActionOf(func(_ execution.Ctx, s *execution.Scope[C]) error {
			f(s.Context())
			return nil
		}),
	}}
	c := one(t)
	r, err := execution.Step(c, started(t, c, json.RawMessage(context), host), event(t, "go", nil), epoch, host)
	require.NoError(t, err)
	return string(r.Snapshot.Context)
}

type plainOrder struct {
	Total float64  `json:"total"`
	Note  string   `json:"note,omitempty"`
	Tags  []string `json:"tags,omitempty"`
	Skip  string   `json:"-"`
}

type embedding struct {
	plainOrder
	Extra int
}

// custom writes other keys than its fields have.
type custom struct{ Keys map[string]int }

func (c custom) MarshalJSON() ([]byte, error)  { return json.Marshal(c.Keys) }
func (c *custom) UnmarshalJSON(b []byte) error { return json.Unmarshal(b, &c.Keys) }

// S73: keys that C writes are replaced, keys that it wrote before and no longer
// writes are removed, keys that it does not know are kept.
func TestTypedContextsAreMergedBack(t *testing.T) {
	clear := func(o *plainOrder) { o.Note, o.Tags = "", nil }
	require.Equal(t, `{"total":5.0,"x":1}`, merged(t, `{"note":"n","tags":["a"],"total":5.0,"x":1}`, clear))
	// An empty list in the context is none that C would have written: it stays.
	require.Equal(t, `{"tags":[],"total":5.0}`, merged(t, `{"tags":[],"total":5}`, clear))
	// A float stays one, also when it is whole.
	require.Equal(t, `{"total":3.0}`, merged(t, `{"total":2.5}`, func(o *plainOrder) { o.Total = 3 }))

	require.Equal(t, `{"Extra":2,"other":1,"total":1.0}`,
		merged(t, `{"Extra":1,"note":"n","other":1,"total":1.0}`, func(e *embedding) { e.Extra++; e.Note = "" }))

	require.Equal(t, `{"b":2}`, merged(t, `{"a":1,"b":2}`, func(c *custom) { delete(c.Keys, "a") }))

	untyped := func(m *map[string]any) { delete(*m, "a"); (*m)["c"] = 1.0 }
	require.Equal(t, `{"b":9007199254740993,"c":1.0}`, merged(t, `{"a":1,"b":9007199254740993}`, untyped))
	require.Equal(t, `{"b":2}`, merged(t, `{"a":1,"b":2}`, func(m *map[string]int) { delete(*m, "a") }))
}
