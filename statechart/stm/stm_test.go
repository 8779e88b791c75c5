package stm_test

import (
	"fmt"
	"io/fs"
	"os"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/durachart/durachart/statechart"
	"github.com/durachart/durachart/statechart/stm"
)

// The worked example of section 17 has no problems.
func TestWorkedExample(t *testing.T) {
	f, err := stm.Parse(os.DirFS("testdata"), "order.stm")
	require.NoError(t, err)
	assert.Empty(t, f.Report())
	require.Len(t, f.Charts, 2)
	assert.Equal(t, "order", f.Charts[0].Name())
	assert.Equal(t, "1", f.Chart("parcel").Version())
	assert.Nil(t, f.Chart("nope"))
	for _, c := range f.Charts {
		again, err := stm.ParseText("printed.stm", stm.Print(c))
		require.NoError(t, err, stm.Print(c))
		assert.True(t, c.Equal(again.Charts[0]), "%s\n%s", stm.Print(c), stm.Print(again.Charts[0]))
	}
}

func TestAFileThatIsNotThere(t *testing.T) {
	f, err := stm.Parse(fstest.MapFS{}, "nope.stm")
	assert.Nil(t, f)
	assert.ErrorIs(t, err, fs.ErrNotExist)
	assert.EqualError(t, err, `read "nope.stm": file does not exist`)
}

// The error of a file with mistakes is its report, and holds the problems.
func TestErrorsAreProblems(t *testing.T) {
	f, err := stm.ParseText("x.stm", "machine m { initial A }\n")
	var own *stm.Error
	require.ErrorAs(t, err, &own)
	assert.Same(t, f, own.File)
	assert.Equal(t, f.Report(), err.Error())
	var problems statechart.Problems
	require.ErrorAs(t, err, &problems)
	assert.Equal(t, f.Problems, problems)
	assert.Nil(t, f.Charts)
}

// S88: a byte order mark is skipped, lines may end with CR and LF.
func TestLineEnds(t *testing.T) {
	text := "\uFEFF/// One.\r\n/// Two.\r\nmachine m {\r\n  initial A\r\n  state A {} # rest\r\n  final B\r\n  from A to B on E do log \"x\"\r\n}\r\n"
	f, err := stm.ParseText("x.stm", text)
	require.NoError(t, err)
	assert.Equal(t, "One.\nTwo.", f.Charts[0].Doc())
	assert.Equal(t, strings.ReplaceAll(strings.ReplaceAll(text, "\r", ""), " # rest", "")[len("\uFEFF"):], stm.Print(f.Charts[0]))

	f, err = stm.ParseText("x.stm", "\uFEFFmachine m { initial X \"\r\n}")
	require.Error(t, err)
	assert.Equal(t, `x.stm:1:23: error syntax: this text is not closed on its line
    1 | machine m { initial X "
      |                       ^
   hint: texts end with " on the line where they begin
`, f.Format(f.Problems[0]))
}

// S88: text is UTF-8. What is wrong otherwise is reported all the same.
func TestInvalidUTF8(t *testing.T) {
	f, err := stm.ParseText("x.stm", "event E {}\n# \xff\nmachine m { initial A state A {} final B from A to C on E }\n")
	require.Error(t, err)
	var got []string
	for _, p := range f.Problems {
		got = append(got, fmt.Sprintf("%d:%d %s", p.Pos.Line, p.Pos.Column, p.Code))
	}
	assert.Equal(t, []string{"2:3 syntax", "3:40 unreachable", "3:52 unknown_state"}, got)
}

// S90: every reserved word is a name when it is quoted, as state, event, key,
// path and outcome, and stays one when it is printed.
func TestReservedWordsAreNamesInQuotes(t *testing.T) {
	words := strings.Fields(`import bind guard event machine fragment version profile initial on timeout outcome carry defer
		with invoke autoforward finalize resting use state parallel orthogonal final history from to self internal always after
		at select returns join else where when do as for in limit raise send cancel set log and or not true false
		no enter exit activity deep all any context parent children of scxml string int float bool action value`)
	for _, w := range words {
		q := strconv.Quote(w)
		e := q
		if w == "timeout" {
			e = "E" // an event that only the step makes
		}
		k := q
		if w == "outcome" {
			k = "x" // a key that completion data has of its own
		}
		text := "event " + e + " { " + q + ": int }\nmachine " + q + " {\n  initial " + q + "\n  carry " + k + "\n  state " + q +
			" { defer " + e + " on enter { send " + e + " after context " + q + " as " + q + " with { " + q + ": " + q + " } f(" + q +
			": 1) cancel " + q + " set " + q + ` = "1" } }` + "\n  final Z " + q + "\n  from " + q + " to Z on " + e + " where " + q + " == 1\n}\n"
		f, err := stm.ParseText("x.stm", text)
		require.NoError(t, err, text)
		c := f.Charts[0]
		assert.NotNil(t, c.State(w))
		assert.Equal(t, w, c.State("Z").Outcome)
		again, err := stm.ParseText("y.stm", stm.Print(c))
		require.NoError(t, err, stm.Print(c))
		assert.True(t, c.Equal(again.Charts[0]), stm.Print(c))
	}
}

// S99: a hundred problems at most, errors before warnings, in order of position.
func TestProblemsAreBounded(t *testing.T) {
	var b strings.Builder
	b.WriteString("event E {}\nmachine m {\n  initial A\n  state A {}\n  final Z\n  from A to Z on E\n")
	for range 150 {
		b.WriteString("  no history\n")
	}
	for i := range 60 {
		fmt.Fprintf(&b, "  from A to X%d on E when \"true\"\n", i)
	}
	f, err := stm.ParseText("x.stm", b.String()+"}\n")
	require.Error(t, err)
	require.Len(t, f.Problems, stm.MaxProblems)
	errors := 0
	for i, p := range f.Problems {
		if p.Severity == statechart.Error {
			errors++
		}
		if i > 0 {
			assert.LessOrEqual(t, f.Problems[i-1].Pos.Line, p.Pos.Line)
		}
	}
	assert.GreaterOrEqual(t, errors, 60)
}

// Input that nests without end is refused before the reader runs out of stack.
func TestNestingIsBounded(t *testing.T) {
	const n = 100_000
	for name, text := range map[string]string{
		"bodies":     "machine m { initial A " + strings.Repeat("state A { initial A ", n),
		"inline":     "machine m { initial A " + strings.Repeat("state A { invoke { initial A ", n),
		"conditions": "guard g = " + strings.Repeat("(", n) + "x == 1",
		"negations":  "guard g = " + strings.Repeat("not ", n) + "x == 1",
		"lists":      "guard g = x in " + strings.Repeat("[", n),
		"fragments":  "machine m { initial A use f as A }\nfragment f { initial A " + strings.Repeat("state A { initial A ", n),
	} {
		f, err := stm.ParseText("x.stm", text)
		require.Error(t, err, name)
		codes := make(map[string]bool)
		for _, p := range f.Problems {
			codes[p.Code] = true
		}
		assert.True(t, codes["too_large"], "%s: %s", name, f.Problems)
	}
}

// A tab before the mark stays one, so that the mark stands below.
func TestExcerptKeepsTabs(t *testing.T) {
	f, err := stm.ParseText("x.stm", "machine m {\n\tinitial\té\n}")
	require.Error(t, err)
	assert.Contains(t, f.Report(), "    2 | \tinitial\té\n      | \t       \t^\n")
}
