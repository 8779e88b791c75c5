package jsonvalue

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

type record struct {
	id      string
	outcome string
	has     bool
	n       int64
	flag    bool
	list    []int64
	context map[string]any
	any     any
	rest    map[string]string
}

func readRecord(data string) (record, error) {
	rec := record{rest: map[string]string{}}
	r := NewReader([]byte(data))
	r.BeginObject()
	for r.More() {
		switch key := r.Key(); key {
		case "id":
			rec.id = r.Text()
		case "outcome":
			rec.outcome, rec.has = r.TextOrNull()
		case "n":
			rec.n = r.Int()
		case "flag":
			rec.flag = r.Bool()
		case "list":
			r.BeginArray()
			for r.More() {
				rec.list = append(rec.list, r.Int())
			}
			r.EndArray()
		case "context":
			rec.context = r.Object()
		case "any":
			rec.any = r.Value()
		default:
			rec.rest[key] = string(r.Raw())
		}
	}
	r.EndObject()
	return rec, r.End()
}

func TestReaderReadsARecord(t *testing.T) {
	got, err := readRecord(` { "any" : [null], "context":{"a":1.5},"flag":true, "id":"x\ny", "list": [ 1, -2 ] , "n":3,
		"outcome":null, "zz": {"b":[1, {}],"a":2} }`)
	require.NoError(t, err)
	assert.Equal(t, record{
		id: "x\ny", n: 3, flag: true, list: []int64{1, -2},
		context: map[string]any{"a": 1.5}, any: []any{nil},
		rest: map[string]string{"zz": `{"b":[1, {}],"a":2}`},
	}, got)
	got, err = readRecord(`{"outcome":"ok","id":"late","list":[]}`) // any order
	require.NoError(t, err)
	assert.True(t, got.has)
	assert.Equal(t, "late", got.id)
}

func TestReaderIsStrict(t *testing.T) {
	for in, reason := range map[string]error{
		`{"id":1}`:                     ErrType,
		`{"n":1.0}`:                    ErrType,
		`{"n":"1"}`:                    ErrType,
		`{"n":92233720368547758070}`:   ErrNumber,
		`{"flag":null}`:                ErrType,
		`{"flag":truth}`:               ErrSyntax,
		`{"context":[]}`:               ErrType,
		`{"list":{}}`:                  ErrType,
		`{"list":[1,]}`:                ErrSyntax,
		`{"list":[1}`:                  ErrSyntax,
		`{"id":"a","n":1,"id":"b"}`:    ErrDuplicateKey,
		`{"z":1,"b":[{}],"a":2,"z":3}`: ErrDuplicateKey,
		`{"zz":{"b":1,"a":2,"b":3}}`:   ErrDuplicateKey,
		`{"zz":{"a":1,"a":3}}`:         ErrDuplicateKey,
		`{"zz":{"":1,"":3}}`:           ErrDuplicateKey,
		`{"":1,"":3}`:                  ErrDuplicateKey,
		`{"zz":[01]}`:                  ErrSyntax,
		`{"zz":["` + "\xff" + `"]}`:    ErrText,
		`{"zz\u0000":1}`:               ErrKey,
		`{"id":"x"} {}`:                ErrSyntax,
		`{"id":"x"`:                    ErrSyntax,
		`{"id":"x",}`:                  ErrSyntax,
		`[]`:                           ErrType,
		``:                             ErrSyntax,
		`{"any":1e999}`:                ErrNumber,
		`{"id":"x" "n":1}`:             ErrSyntax,
	} {
		_, err := readRecord(in)
		assert.ErrorIs(t, err, reason, in)
		assert.ErrorIs(t, err, ErrInvalid, in)
	}
	_, err := readRecord(`{"":1,"a":2}`)
	assert.NoError(t, err, "an empty key is a key")
}

func TestReaderFailKeepsTheFirstError(t *testing.T) {
	r := NewReader([]byte(`{"a":1}`))
	r.BeginObject()
	r.More()
	r.Key()
	r.Fail(ErrPath, "mine")
	r.Fail(ErrType, "later")
	assert.Zero(t, r.Int())
	assert.False(t, r.More())
	assert.ErrorIs(t, r.Err(), ErrPath)
	err := r.End()
	assert.ErrorIs(t, err, ErrPath)
	assert.EqualError(t, err, "jsonvalue: no object on the way: mine (at byte 5)")
}
