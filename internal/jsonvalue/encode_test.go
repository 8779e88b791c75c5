package jsonvalue

import (
	"encoding/json"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// S84
func TestEncodeIsCanonical(t *testing.T) {
	many := map[string]any{}
	for _, k := range []string{"m", "b", "a", "z", "é", "Z", "aa", "_", "1", "10", "2", "~", "k", ""} {
		many[k] = k
	}
	for _, c := range []struct {
		v    any
		want string
	}{
		{nil, `null`},
		{true, `true`},
		{int64(math.MinInt64), `-9223372036854775808`},
		{1.0, `1.0`},
		{math.Copysign(0, -1), `-0.0`},
		{0.1, `0.1`},
		{1e20, `100000000000000000000.0`},
		{1e21, `1e+21`},
		{1e-6, `0.000001`},
		{1e-7, `1e-7`},
		{1.5e-10, `1.5e-10`},
		{math.MaxFloat64, `1.7976931348623157e+308`},
		{"<&>\u2028\u007f é\"\\/", "\"<&>\u2028\u007f é\\\"\\\\/\""},
		{"\x00\b\f\n\r\t\x1f", `"\u0000\u0008\u000c\n\r\t\u001f"`},
		{[]any{}, `[]`},
		{map[string]any{}, `{}`},
		{map[string]any{"b": []any{int64(1), nil}, "a": "x"}, `{"a":"x","b":[1,null]}`},
		{many, `{"":"","1":"1","10":"10","2":"2","Z":"Z","_":"_","a":"a","aa":"aa","b":"b","k":"k","m":"m","z":"z","~":"~","é":"é"}`},
	} {
		got, err := Encode(c.v)
		require.NoError(t, err)
		assert.Equal(t, c.want, string(got))
		back, err := Decode(got)
		require.NoError(t, err)
		assert.True(t, Identical(c.v, back), c.want)
	}
}

func TestFloatsAreWrittenAsEncodingJSONDoes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := rapid.Float64().Filter(func(f float64) bool { return !math.IsInf(f, 0) && !math.IsNaN(f) }).Draw(t, "f")
		want, err := json.Marshal(f)
		require.NoError(t, err)
		got := string(AppendFloat(nil, f))
		if got != string(want) && got != string(want)+".0" {
			t.Fatalf("%s, encoding/json %s", got, want)
		}
		back, err := Decode([]byte(got))
		require.NoError(t, err)
		require.True(t, Identical(f, back))
	})
}

func TestAppendRefusesWhatIsNoValue(t *testing.T) {
	for _, c := range []struct {
		v      any
		reason error
	}{
		{math.NaN(), ErrNumber},
		{math.Inf(1), ErrNumber},
		{"\xff", ErrText},
		{map[string]any{"\xff": nil}, ErrText},
		{map[string]any{"a\x00": nil}, ErrKey},
		{1, ErrType},
		{[]string{"a"}, ErrType},
		{struct{}{}, ErrType},
	} {
		got, err := Append([]byte("before"), []any{c.v})
		assert.ErrorIs(t, err, c.reason)
		assert.ErrorIs(t, err, ErrInvalid)
		assert.Equal(t, "before", string(got))
	}
}

func TestAppendTextNeverFails(t *testing.T) {
	assert.Equal(t, `x"a\n`+"\uFFFD"+`b"`, string(AppendText([]byte("x"), "a\n\xff\xfeb")))
}

func TestCanonical(t *testing.T) {
	for _, in := range []string{
		`null`, `true`, `false`, `0`, `-1`, `1.0`, `-0.0`, `1e+21`, `1e-7`, `"é\n\u0001\"\\"`, `[]`, `{}`,
		`{"a":[1,2.5,{"b":null}],"b":"x"}`, `[[],[{}]]`, `"\u001f"`,
	} {
		raw := []byte(in)
		got, err := Canonical(raw)
		require.NoError(t, err, in)
		assert.Equal(t, in, string(got))
		assert.Same(t, &raw[0], &got[0], "no copy of what is canonical: %s", in)
	}
	for in, want := range map[string]string{
		` 1`: `1`, `-0`: `0`, `1E2`: `100.0`, `1.50`: `1.5`, `1e21`: `1e+21`, `"\u0041\/"`: `"A/"`, `"\u000a"`: `"\n"`,
		`"\u001F"`: `"\u001f"`, `"\b"`: `"\u0008"`, `[1, 2]`: `[1,2]`, `{"b":1,"a":2}`: `{"a":2,"b":1}`,
		`{"\u0061":1}`: `{"a":1}`, `{"\n":1,"!":2}`: `{"\n":1,"!":2}`, `{"a" :1}`: `{"a":1}`, "\"\u007f\"": "\"\u007f\"",
	} {
		got, err := Canonical([]byte(in))
		require.NoError(t, err, in)
		assert.Equal(t, want, string(got))
	}
	for _, in := range []string{`{"a":1,"a":2}`, `{"\n":1,"\n":2}`, `[1,]`, `{"a\u0000":1}`, "\"\xff\"", `1e999`, ``, `{}x`, `[`, `{"a"`, `"\n`} {
		_, err := Canonical([]byte(in))
		assert.ErrorIs(t, err, ErrInvalid, in)
	}
}

func TestCanonicalObject(t *testing.T) {
	got, err := CanonicalObject(nil)
	require.NoError(t, err)
	assert.Equal(t, `{}`, string(got))
	_, err = CanonicalObject([]byte(`[1]`))
	assert.ErrorIs(t, err, ErrType)
	_, err = CanonicalObject([]byte(`{`))
	assert.ErrorIs(t, err, ErrSyntax)
}

// FuzzCanonical: the fast check never calls canonical what is not, agrees with
// the decoder about validity, and Reader.Raw checks as much as Decode.
func FuzzCanonical(f *testing.F) {
	for _, s := range []string{`{"a":[1,2.5,{"b":null}],"b":"x\n"}`, `{"b":1,"a":{"a":1,"a":2}}`, `"\ud83d\ude00"`, `-0`, `1e5`, `{"a":1,"b":2,"a":3}`, `{"\u0000":1}`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		v, err := Decode(raw)
		got, cerr := Canonical(raw)
		r := NewReader(raw)
		r.Raw()
		rerr := r.End()
		if (err == nil) != (cerr == nil) || (err == nil) != (rerr == nil) {
			t.Fatalf("decode %v, canonical %v, raw %v", err, cerr, rerr)
		}
		if err != nil {
			if json.Valid(raw) && !errIsStricter(err) {
				t.Fatalf("%q is JSON, but: %v", raw, err)
			}
			return
		}
		if !json.Valid(raw) {
			t.Fatalf("%q is not JSON", raw)
		}
		want, err := Encode(v)
		require.NoError(t, err)
		require.Equal(t, string(want), string(got))
		again, err := Decode(got)
		require.NoError(t, err)
		require.True(t, Identical(v, again))
		of, err := Of(v)
		require.NoError(t, err)
		require.True(t, Identical(v, of))
	})
}

// errIsStricter tells refusals that S20 wants from mere syntax errors.
func errIsStricter(err error) bool {
	return err.(*Error).Reason != ErrSyntax && err.(*Error).Reason != ErrType
}
