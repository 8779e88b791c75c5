package jsonvalue_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/durachart/durachart/internal/jsonvalue"
)

// fields reads an object of objects with Field and CanonicalObject.
func fields(data string) (keys []string, values []string, err error) {
	r := jsonvalue.NewReader([]byte(data))
	r.BeginObject()
	for r.More() {
		keys = append(keys, r.Field())
		values = append(values, string(r.CanonicalObject()))
	}
	r.EndObject()
	return keys, values, r.End()
}

func TestFieldAndCanonicalObject(t *testing.T) {
	for _, c := range []struct{ data, keys, value string }{
		{`{"a":{"x":1}}`, "a", `{"x":1}`},
		{`{ "a" : { "x" : 1 } }`, "a", `{"x":1}`},
		{`{"\u0061":{"y":1,"x":1.50}}`, "a", `{"x":1.5,"y":1}`},
		{`{"ä":{}}`, "ä", `{}`},
	} {
		keys, values, err := fields(c.data)
		require.NoError(t, err, c.data)
		require.Equal(t, []string{c.keys}, keys)
		require.Equal(t, []string{c.value}, values)
	}
	keys, _, err := fields(`{"b":{},"a":{},"c":{}}`)
	require.NoError(t, err)
	require.Equal(t, []string{"b", "a", "c"}, keys)
}

func TestFieldAndCanonicalObjectAreStrict(t *testing.T) {
	for data, want := range map[string]error{
		`{"a":{},"a":{}}`:                  jsonvalue.ErrDuplicateKey,
		`{"b":{},"a":{},"b":{}}`:           jsonvalue.ErrDuplicateKey,
		`{"a":{"x":1,"x":2}}`:              jsonvalue.ErrDuplicateKey,
		`{"a":[]}`:                         jsonvalue.ErrType,
		`{"a":{"x":1e999}}`:                jsonvalue.ErrNumber,
		`{"a":{"x":99999999999999999999}}`: jsonvalue.ErrNumber,
		"{\"a\":{\"x\":\"\xff\"}}":         jsonvalue.ErrText,
		`{"a":{"x":}}`:                     jsonvalue.ErrSyntax,
		`{"a" {}}`:                         jsonvalue.ErrSyntax,
		`{"a":{}`:                          jsonvalue.ErrSyntax,
	} {
		_, _, err := fields(data)
		require.ErrorIs(t, err, want, data)
	}
}
