package jsonvalue

import (
	"encoding/json"
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func object(t *testing.T, text string) map[string]any {
	t.Helper()
	m, err := DecodeObject([]byte(text))
	require.NoError(t, err)
	return m
}

func text(t *testing.T, v any) string {
	t.Helper()
	out, err := Encode(v)
	require.NoError(t, err)
	return string(out)
}

func TestGet(t *testing.T) {
	m := object(t, `{"a":{"b":[1],"n":null}}`)
	v, ok := Get(m, []string{"a", "b"})
	assert.True(t, ok)
	assert.Equal(t, []any{int64(1)}, v)
	v, ok = Get(m, []string{"a", "n"})
	assert.True(t, ok)
	assert.Nil(t, v)
	for _, path := range [][]string{{"x"}, {"a", "x"}, {"a", "b", "0"}, {"a", "n", "x"}} {
		_, ok := Get(m, path)
		assert.False(t, ok, path)
	}
	v, ok = Get(m, nil)
	assert.True(t, ok)
	assert.Equal(t, m, v)
}

// S66: missing objects on the way are made, anything else is in the way.
func TestSetAndWith(t *testing.T) {
	for _, c := range []struct {
		path []string
		want string
	}{
		{[]string{"a"}, `{"a":9,"n":null,"o":{"x":1}}`},
		{[]string{"n"}, `{"a":[1],"n":9,"o":{"x":1}}`},
		{[]string{"o"}, `{"a":[1],"n":null,"o":9}`},
		{[]string{"o", "y", "z"}, `{"a":[1],"n":null,"o":{"x":1,"y":{"z":9}}}`},
		{[]string{"p", "q"}, `{"a":[1],"n":null,"o":{"x":1},"p":{"q":9}}`},
	} {
		m := object(t, `{"a":[1],"n":null,"o":{"x":1}}`)
		got, err := With(m, c.path, int64(9))
		require.NoError(t, err)
		assert.Equal(t, c.want, text(t, got))
		assert.Equal(t, `{"a":[1],"n":null,"o":{"x":1}}`, text(t, m), "With changes no argument")
		require.NoError(t, Set(m, c.path, int64(9)))
		assert.Equal(t, c.want, text(t, m))
	}
	for _, path := range [][]string{{"a", "0"}, {"n", "x"}, {"o", "x", "y"}, {}, nil} {
		m := object(t, `{"a":[1],"n":null,"o":{"x":1}}`)
		assert.ErrorIs(t, Set(m, path, int64(9)), ErrPath)
		_, err := With(m, path, int64(9))
		assert.ErrorIs(t, err, ErrPath)
		assert.ErrorIs(t, err, ErrInvalid)
		assert.Equal(t, `{"a":[1],"n":null,"o":{"x":1}}`, text(t, m))
	}
	assert.ErrorIs(t, Set(map[string]any{}, []string{"a\x00"}, nil), ErrKey)
	assert.ErrorIs(t, Set(map[string]any{}, []string{"\xff"}, nil), ErrText)
	assert.ErrorIs(t, Set(map[string]any{}, []string{"a"}, 1), ErrType)
	var deep any = "x"
	for range MaxDepth - 1 {
		deep = []any{deep}
	}
	assert.NoError(t, Set(map[string]any{}, []string{"a"}, deep))
	assert.ErrorIs(t, Set(map[string]any{}, []string{"a", "b"}, deep), ErrDepth)
	got, err := With(nil, []string{"a", "b"}, true)
	require.NoError(t, err)
	assert.Equal(t, `{"a":{"b":true}}`, text(t, got))
}

// S69
func TestEqualAndCompare(t *testing.T) {
	decode := func(s string) any {
		v, err := Decode([]byte(s))
		require.NoError(t, err)
		return v
	}
	for _, c := range []struct {
		a, b      string
		equal     bool
		identical bool
		order     int
		ordered   bool
	}{
		{`1`, `1`, true, true, 0, true},
		{`1`, `1.0`, true, false, 0, true},
		{`1`, `1.5`, false, false, -1, true},
		{`-1`, `-1.5`, false, false, 1, true},
		{`2`, `1.5`, false, false, 1, true},
		{`9007199254740993`, `9007199254740992.0`, false, false, 1, true},
		{`9223372036854775807`, `9223372036854775808.0`, false, false, -1, true},
		{`-9223372036854775808`, `-9223372036854775808.0`, true, false, 0, true},
		{`-9223372036854775808`, `-1e300`, false, false, 1, true},
		{`0.0`, `-0.0`, true, false, 0, true},
		{`"a"`, `"b"`, false, false, -1, true},
		{`"Z"`, `"a"`, false, false, -1, true},
		{`"é"`, `"z"`, false, false, 1, true},
		{`"1"`, `1`, false, false, 0, false},
		{`true`, `1`, false, false, 0, false},
		{`true`, `true`, true, true, 0, false},
		{`false`, `true`, false, false, 0, false},
		{`null`, `null`, true, true, 0, false},
		{`null`, `0`, false, false, 0, false},
		{`[1,"x"]`, `[1.0,"x"]`, true, false, 0, false},
		{`[1]`, `[1,2]`, false, false, 0, false},
		{`{"a":1}`, `{"a":1.0}`, true, false, 0, false},
		{`{"a":null}`, `{"b":null}`, false, false, 0, false},
		{`{}`, `[]`, false, false, 0, false},
	} {
		a, b := decode(c.a), decode(c.b)
		assert.Equal(t, c.equal, Equal(a, b), "%s %s", c.a, c.b)
		assert.Equal(t, c.equal, Equal(b, a), "%s %s", c.b, c.a)
		assert.Equal(t, c.identical, Identical(a, b), "%s %s", c.a, c.b)
		order, ok := Compare(a, b)
		assert.Equal(t, c.ordered, ok, "%s %s", c.a, c.b)
		assert.Equal(t, c.order, order, "%s %s", c.a, c.b)
		order, _ = Compare(b, a)
		assert.Equal(t, -c.order, order, "%s %s", c.b, c.a)
	}
}

func TestIn(t *testing.T) {
	list := []any{int64(1), "x", nil}
	assert.True(t, In(1.0, list))
	assert.True(t, In(nil, list))
	assert.False(t, In("1", list))
	assert.True(t, In("ell", "hello"))
	assert.True(t, In("", "hello"))
	assert.False(t, In(int64(1), "1"))
	assert.False(t, In("a", map[string]any{"a": true}))
}

// S12
func TestText(t *testing.T) {
	for want, v := range map[string]any{"true": true, "-3": int64(-3), "2.0": 2.0, "x y": "x y", "": ""} {
		got, ok := Text(v)
		assert.True(t, ok)
		assert.Equal(t, want, got)
	}
	for _, v := range []any{nil, []any{}, map[string]any{}} {
		_, ok := Text(v)
		assert.False(t, ok)
	}
}

func TestClone(t *testing.T) {
	m := object(t, `{"a":[{"b":1}]}`)
	c := CloneObject(m)
	c["a"].([]any)[0].(map[string]any)["b"] = int64(2)
	assert.Equal(t, `{"a":[{"b":1}]}`, text(t, m))
	assert.NotNil(t, CloneObject(nil))
}

type inner struct {
	Ratio float64 `json:"ratio"`
	Note  string  `json:"note,omitempty"`
}

type whole struct {
	inner
	Price   float64            `json:"price"`
	Count   int                `json:"count"`
	Any     any                `json:"any"`
	List    []float32          `json:"list"`
	ByName  map[string]float64 `json:"by_name"`
	Next    *whole             `json:"next,omitempty"`
	At      time.Time          `json:"at"`
	Quoted  float64            `json:"quoted,string"`
	Skipped float64            `json:"-"`
	Bytes   []byte             `json:"bytes"`
}

// S20: integers stay integers and floats floats, structs included.
func TestOf(t *testing.T) {
	at := time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		v    any
		want string
	}{
		{7, `7`}, {int8(-7), `-7`}, {uint16(7), `7`}, {uint64(math.MaxInt64), `9223372036854775807`},
		{2.0, `2.0`}, {float32(0.1), `0.1`}, {json.Number("3"), `3`}, {json.Number("3.0"), `3.0`},
		{nil, `null`}, {"x", `"x"`}, {[]string{"a"}, `["a"]`}, {map[string]int{"b": 1, "a": 2}, `{"a":2,"b":1}`},
		{[]any{1, 2.0, []int{3}}, `[1,2.0,[3]]`}, {map[string]any(nil), `null`}, {[]byte("hi"), `"aGk="`},
		{[]float64{1, 2.5}, `[1.0,2.5]`}, {map[string]any{"a": map[string]any{"b": []float64{1}}}, `{"a":{"b":[1.0]}}`},
		{json.RawMessage(`{"a": 1}`), `{"a":1}`}, {struct{ S string }{"\uFFFD"}, "{\"S\":\"\uFFFD\"}"},
		{whole{inner: inner{Ratio: 3}, Price: 2, Count: 2, Any: 4.0, List: []float32{1, 0.1}, ByName: map[string]float64{"x": 5}, At: at, Quoted: 6, Skipped: 1,
			Next: &whole{Price: 1, Any: []any{1, 1.0}, At: at}},
			`{"any":4.0,"at":"2030-01-01T00:00:00Z","by_name":{"x":5.0},"bytes":null,"count":2,"list":[1.0,0.1],` +
				`"next":{"any":[1,1.0],"at":"2030-01-01T00:00:00Z","by_name":null,"bytes":null,"count":0,"list":null,"price":1.0,"quoted":"0","ratio":0.0},` +
				`"price":2.0,"quoted":"6","ratio":3.0}`},
	} {
		got, err := Of(c.v)
		require.NoError(t, err, c.want)
		assert.Equal(t, c.want, text(t, got))
	}
	for _, c := range []struct {
		v      any
		reason error
	}{
		{uint64(math.MaxUint64), ErrNumber}, {uint(math.MaxUint64), ErrNumber}, {math.NaN(), ErrNumber},
		{float32(math.Inf(1)), ErrNumber}, {json.Number("x"), ErrSyntax}, {json.Number(`"x"`), ErrSyntax}, {json.Number("1e999"), ErrNumber},
		{"\xff", ErrText}, {map[string]any{"a\x00": 1}, ErrKey}, {map[string]any{"\xff": 1}, ErrText}, {[]any{"\xff"}, ErrText},
		{func() {}, ErrType}, {make(chan int), ErrType}, {[]float64{math.Inf(1)}, ErrType},
		{struct{ S []string }{[]string{"\xff"}}, ErrText}, {map[string]string{"k": "\xff"}, ErrText}, {map[string]int{"\xff": 1}, ErrText},
		{json.RawMessage(`{"a":1,"a":2}`), ErrDuplicateKey}, {map[string]int{"a\x00": 1}, ErrKey}, {[]uint64{math.MaxUint64}, ErrNumber},
	} {
		_, err := Of(c.v)
		assert.ErrorIs(t, err, c.reason, "%v", c.v)
		assert.ErrorIs(t, err, ErrInvalid, "%v", c.v)
	}
}

func TestObjectOf(t *testing.T) {
	for _, v := range []any{nil, (*whole)(nil), map[string]any(nil), struct{}{}} {
		m, err := ObjectOf(v)
		require.NoError(t, err)
		assert.Equal(t, map[string]any{}, m)
	}
	_, err := ObjectOf([]int{1})
	assert.ErrorIs(t, err, ErrType)
}

func TestOfSharesNothing(t *testing.T) {
	in := map[string]any{"a": []any{1}}
	out, err := Of(in)
	require.NoError(t, err)
	in["a"].([]any)[0] = 2
	assert.Equal(t, `{"a":[1]}`, text(t, out))
}

func TestInto(t *testing.T) {
	var w whole
	require.NoError(t, Into(object(t, `{"price":2.0,"count":3,"at":"2030-01-01T00:00:00Z"}`), &w))
	assert.Equal(t, 2.0, w.Price)
	assert.Equal(t, 3, w.Count)
	assert.ErrorIs(t, Into(object(t, `{"count":"x"}`), &w), ErrType)
	assert.ErrorIs(t, Into(math.NaN(), &w), ErrNumber)
}

func TestCheckAgreesWithAppend(t *testing.T) {
	for _, v := range []any{nil, true, int64(1), 1.5, "x", []any{"x", nil}, map[string]any{"a": []any{}},
		1, math.NaN(), math.Inf(-1), "\xff", []any{"\xff"}, map[string]any{"\xff": nil}, map[string]any{"\x00": nil}, struct{}{}} {
		_, err := Encode(v)
		got := Check(v, 0)
		assert.Equal(t, err == nil, got == nil, "%v", v)
		if err != nil {
			assert.ErrorIs(t, got, err.(*Error).Reason)
		}
	}
	assert.NoError(t, Check([]any{}, MaxDepth-1))
	assert.ErrorIs(t, Check([]any{}, MaxDepth), ErrDepth)
	assert.ErrorIs(t, Check(map[string]any{}, MaxDepth), ErrDepth)
}
