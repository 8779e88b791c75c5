package main

import (
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestInputTellsWhyALineIsNoEvent(t *testing.T) {
	for line, reason := range map[string]string{
		`not json at all`:                   "not JSON: invalid character 'o' in literal null (expecting 'u')",
		`{"id":"x1","order":`:               "not JSON: unexpected end of JSON input",
		``:                                  "not JSON: unexpected end of JSON input",
		`{"id":"1","order":"o"} {}`:         "not JSON: invalid character '{' after top-level value",
		"{\"id\":\"\xff\"}":                 "not UTF-8",
		`[1,2,3]`:                           "not an object but an array",
		`7`:                                 "not an object but a number",
		`null`:                              "not an object but null",
		`{"order":"o","event":"E"}`:         "no id",
		`{"id":"","order":"o"}`:             "no id",
		`{"id":7,"order":"o"}`:              "no id",
		`{"ID":"1","order":"o"}`:            "no id",
		`{"id":"1","event":"E"}`:            "no order",
		`{"id":"1","order":"o"}`:            "no event",
		`{"id":"1","order":"o","event":""}`: "no event",
		strings.Repeat(" ", maxLine+1):      "longer than 1048576 bytes",
	} {
		in := newInput(strings.NewReader("{}\n" + line + "\n"))
		_, _ = in.next()
		_, err := in.next()
		var bad *badLine
		require.ErrorAs(t, err, &bad, "%.40s", line)
		assert.Equal(t, badLine{line: 2, reason: reason}, *bad)
	}
}

func TestInputReadsOnBehindABadLine(t *testing.T) {
	in := newInput(strings.NewReader(strings.Join([]string{
		`{"id":"1","order":"o","event":"A","data":{"n":1}}`,
		strings.Repeat("x", 3*maxLine),
		`{"id":"2","order":"o","event":"B"}`,
		`{"id":"3","order":"o","event":"C","data":null}`, // and no line end
	}, "\n")))
	var got []event
	bad := 0
	for {
		ev, err := in.next()
		if err == io.EOF {
			break
		}
		if errors.As(err, new(*badLine)) {
			bad++
			continue
		}
		require.NoError(t, err)
		got = append(got, ev)
	}
	assert.Equal(t, []event{
		{line: 1, id: "1", order: "o", name: "A", data: []byte(`{"n":1}`)},
		{line: 3, id: "2", order: "o", name: "B"},
		{line: 4, id: "3", order: "o", name: "C"},
	}, got)
	assert.Equal(t, 1, bad)
	assert.Equal(t, 4, in.read)
}

func TestInputReportsAReaderThatFails(t *testing.T) {
	broken := errors.New("disk on fire")
	in := newInput(io.MultiReader(strings.NewReader(`{"id":"1"`), &failing{broken}))
	_, err := in.next()
	assert.ErrorIs(t, err, broken)
}

type failing struct{ err error }

func (f *failing) Read([]byte) (int, error) { return 0, f.err }
