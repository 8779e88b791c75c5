package jsonvalue

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// S20: numbers keep their kind, texts their characters.
func TestDecodeReadsValues(t *testing.T) {
	for in, want := range map[string]any{
		`null`:                       nil,
		`true`:                       true,
		` false `:                    false,
		`0`:                          int64(0),
		`-0`:                         int64(0),
		`7`:                          int64(7),
		`-12`:                        int64(-12),
		`9223372036854775807`:        int64(math.MaxInt64),
		`-9223372036854775808`:       int64(math.MinInt64),
		`1.0`:                        1.0,
		`1e2`:                        100.0,
		`-2.5E-1`:                    -0.25,
		`""`:                         "",
		`"é\u00e9\ud83d\ude00"`:      "éé😀",
		`"\"\\\/\b\f\n\r\t"`:         "\"\\/\b\f\n\r\t",
		`"\u0000"`:                   "\x00",
		`[]`:                         []any{},
		`[1,[2.0,"x"],{}]`:           []any{int64(1), []any{2.0, "x"}, map[string]any{}},
		`{"b":1,"a":{"":null}}`:      map[string]any{"b": int64(1), "a": map[string]any{"": nil}},
		"{ \"a\" :\t[ 1 ,\r\n2 ] } ": map[string]any{"a": []any{int64(1), int64(2)}},
	} {
		got, err := Decode([]byte(in))
		require.NoError(t, err, in)
		assert.Equal(t, want, got, in)
	}
}

// S20: everything that is not a value is refused, and the error tells why.
func TestDecodeRefuses(t *testing.T) {
	for in, reason := range map[string]error{
		``:                            ErrSyntax,
		` `:                           ErrSyntax,
		`nul`:                         ErrSyntax,
		`truex`:                       ErrSyntax,
		`01`:                          ErrSyntax,
		`-`:                           ErrSyntax,
		`+1`:                          ErrSyntax,
		`1.`:                          ErrSyntax,
		`.5`:                          ErrSyntax,
		`1e`:                          ErrSyntax,
		`NaN`:                         ErrSyntax,
		`Infinity`:                    ErrSyntax,
		`9223372036854775808`:         ErrNumber,
		`-9223372036854775809`:        ErrNumber,
		`100000000000000000000`:       ErrNumber,
		`1e309`:                       ErrNumber,
		`"`:                           ErrSyntax,
		`"\x"`:                        ErrSyntax,
		`"\u12"`:                      ErrSyntax,
		"\"\n\"":                      ErrSyntax,
		"\"\\n\n\"":                   ErrSyntax,
		`"\ud800"`:                    ErrText,
		`"\ud800\ud800"`:              ErrText,
		`"\udc00"`:                    ErrText,
		"\"\xff\"":                    ErrText,
		"\"\\n\xff\"":                 ErrText,
		"\"\xed\xa0\x80\"":            ErrText,
		`[1,]`:                        ErrSyntax,
		`[,1]`:                        ErrSyntax,
		`[1 2]`:                       ErrSyntax,
		`[1`:                          ErrSyntax,
		`[1}`:                         ErrSyntax,
		`{"a":1,}`:                    ErrSyntax,
		`{"a" 1}`:                     ErrSyntax,
		`{a:1}`:                       ErrSyntax,
		`{"a"}`:                       ErrSyntax,
		`{"a":1`:                      ErrSyntax,
		`1 2`:                         ErrSyntax,
		`{"a":1,"a":2}`:               ErrDuplicateKey,
		`{"a":1,"b":2,"\u0061":3}`:    ErrDuplicateKey,
		`[{"x":{"a":1,"b":2,"a":3}}]`: ErrDuplicateKey,
		`{"a\u0000":1}`:               ErrKey,
	} {
		v, err := Decode([]byte(in))
		assert.Nil(t, v, in)
		assert.ErrorIs(t, err, reason, in)
		assert.ErrorIs(t, err, ErrInvalid, in)
		var e *Error
		if assert.True(t, errors.As(err, &e), in) {
			assert.GreaterOrEqual(t, e.Offset, 0, in)
		}
	}
}

// S20: 64 levels are the limit, for arrays and objects.
func TestNestingLimit(t *testing.T) {
	nested := func(n int) string { return strings.Repeat(`[`, n) + strings.Repeat(`]`, n) }
	objects := func(n int) string { return strings.Repeat(`{"a":`, n) + "1" + strings.Repeat(`}`, n) }
	for _, text := range []string{nested(MaxDepth), objects(MaxDepth)} {
		v, err := Decode([]byte(text))
		require.NoError(t, err)
		out, err := Encode(v)
		require.NoError(t, err)
		assert.Equal(t, text, string(out))
		_, err = Of(v)
		require.NoError(t, err)

		_, err = Encode([]any{v})
		assert.ErrorIs(t, err, ErrDepth)
		_, err = Of([]any{v})
		assert.ErrorIs(t, err, ErrDepth)
	}
	for _, text := range []string{nested(MaxDepth + 1), objects(MaxDepth + 1), nested(100_000)} {
		_, err := Decode([]byte(text))
		assert.ErrorIs(t, err, ErrDepth)
		_, err = Canonical([]byte(text))
		assert.ErrorIs(t, err, ErrDepth)
	}
}

func TestDecodeObjectWantsAnObject(t *testing.T) {
	m, err := DecodeObject([]byte(` {"a":1}`))
	require.NoError(t, err)
	assert.Equal(t, map[string]any{"a": int64(1)}, m)
	for _, in := range []string{`null`, `[]`, `1`, `"{}"`} {
		_, err := DecodeObject([]byte(in))
		assert.ErrorIs(t, err, ErrType, in)
	}
	_, err = DecodeObject([]byte(`}`))
	assert.ErrorIs(t, err, ErrSyntax)
}

// A pooled reader must not leak one document's texts or lists into the next.
func TestDecodedValuesAreIndependent(t *testing.T) {
	data := []byte(`{"key":"text","list":["a","b"]}`)
	first, err := Decode(data)
	require.NoError(t, err)
	for i := range data {
		data[i] = 'x'
	}
	_, err = Decode([]byte(`{"kez":"tex2","list":["c","d"],"z":"\n\n\n\n\n"}`))
	require.NoError(t, err)
	assert.Equal(t, map[string]any{"key": "text", "list": []any{"a", "b"}}, first)
}
