package statechart_test

import (
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	. "github.com/durachart/durachart/statechart"
	"github.com/durachart/durachart/statechart/stm"
)

// S14: builder and text make equal charts …
func TestBuilderAndTextMakeTheSameChart(t *testing.T) {
	f, err := stm.Parse(os.DirFS("testdata"), "order.stm")
	require.NoError(t, err)
	require.Empty(t, f.Problems)

	built := order().EventDoc("Paid", "One order: pay and pack side by side, then ship the parcels.").MustBuild()
	require.Equal(t, built.Text(), f.Charts[0].Text())
	require.True(t, built.Equal(f.Charts[0]))
	require.Equal(t, built.State("Shipping").Invoke.Version, f.Charts[1].Version())
}

// … and equal problem lists.
func TestBuilderAndTextHaveTheSameProblems(t *testing.T) {
	_, err := stm.ParseText("m.stm", `
event E { n: int }
event E {}
guard odd = n == "1"
machine m {
  initial X
  timeout 4000d
  state A {
    on enter raise done.x
    on enter f
    defer timeout
    resting
    state B {}
  }
  state R { invoke c for v in list join 0 }
  orthogonal O {
    state P { initial I state I {} final F from I to F on E }
    state Q {}
  }
  final Z { timeout 1s }
  from A to Nowhere, Z on E where odd when "1 + 1"
  from O join 3 to Z else to A.C
  from O.P.I to Z on Timeout
  from R select f returns { "a", "b" } { "a" to Z "c" to A }
  from Z to A always
  from self on E
}
`)
	require.Error(t, err)
	read := err.(*stm.Error).File.Problems

	b := New("m").Event("E", Required("n", Int)).Event("E").Guard("odd", Compare("n", "==", "1"))
	b.Initial("X").Timeout(4000 * 24 * time.Hour)
	b.State("A", func(s *StateBuilder) {
		s.OnEnter(Raise("done.x")).OnEnter(Call("f")).Defer("timeout").Resting()
		s.State("B")
	})
	b.State("R").Invoke("c").Each("v", "list").Join(0)
	b.Orthogonal("O", func(s *StateBuilder) {
		s.State("P", func(s *StateBuilder) {
			s.Initial("I").State("I")
			s.Final("F")
			s.From("I").To("F").On("E")
		})
		s.State("Q")
	})
	b.Final("Z").Timeout(time.Second)
	b.From("A").To("Nowhere", "Z").On("E").Where(Named("odd")).When("1 + 1")
	b.From("O").Join(3).To("Z").Else("A.C")
	b.From("O.P.I").To("Z").On("Timeout")
	b.From("R").Select("f").Returns("a", "b").Branch("a", "Z").Branch("c", "A")
	b.From("Z").To("A").Always()
	b.From("self").On("E")

	require.Equal(t, said(problemsOf(b)), said(read))
}

// said is what S14 compares: all but the positions.
func said(ps Problems) []string {
	var out []string
	for _, p := range ps {
		out = append(out, strings.Join([]string{p.Severity.String(), p.Code, p.Path, p.Message, p.Hint}, " | "))
	}
	return out
}
