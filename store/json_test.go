package store

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
)

var jsonSeeds = []string{
	``, ` `, `{}`, `[]`, `null`, `true`, `false`, `tru`, `nul`, `0`, `-0`, `01`, `1.`, `.5`, `1.0`, `1e+22`, `1E-3`, `1e`, `-`, `--1`, `1 2`,
	`"a"`, `"a`, `"\u00e9"`, `"\u00g9"`, `"\x"`, "\"\x01\"", "\"\xff\"", "\"\xed\xa0\x80\"", "\"\\ud800\"", `"é"`, "\"a\x00\"",
	`{"a":1}`, `{"a":1,}`, `{"a" : [1, 2 ,{"b":null}] }`, `{a:1}`, `{"a"}`, `{"a":}`, `{,}`, `[1,]`, `[,1]`, `[1 2]`, `[[[[]]]]`, `[`, `{"a":1`, "\ufeff{}",
	"\u00a0{}", strings.Repeat("9", 300), `{"a":"` + strings.Repeat("x", 100) + `"}`, `"\`, `"\u`, `"\u12`,
}

// D10: ValidJSON is encoding/json's verdict, and valid UTF-8 on top.
func TestValidJSONAgreesWithEncodingJSON(t *testing.T) {
	deep := func(n int) string { return strings.Repeat("[", n) + strings.Repeat("]", n) }
	for _, s := range append(jsonSeeds, deep(maxJSONDepth), deep(maxJSONDepth+1), strings.Repeat(`{"a":`, 20_000)) {
		want := json.Valid([]byte(s)) && utf8.ValidString(s)
		require.Equal(t, want, ValidJSON([]byte(s)), "%.60q", s)
	}
}

// D10, on random input.
func FuzzValidJSON(f *testing.F) {
	for _, s := range jsonSeeds {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		require.Equal(t, json.Valid(b) && utf8.Valid(b), ValidJSON(b))
	})
}

func BenchmarkValidJSON(b *testing.B) {
	data := []byte(`{"format":1,"status":"RUNNING","configuration":["Order","Order.Preparing","Order.Preparing.Payment"],"context":{"customer":"Jane Doe","amount":1250,"lines":[{"sku":"A-1","n":2},{"sku":"B-7","n":1}]},"timers":{"timeout:Preparing":{"entry":2,"at":1893463200000}},"steps":3,"entry_seq":4}`)
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		if !ValidJSON(data) {
			b.Fatal("valid")
		}
	}
}
