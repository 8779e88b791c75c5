package statechart_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/durachart/durachart/statechart/stm"
)

// In the canonical text a fragment is gone, and every transition stands beside
// its source: a name in In that would mean another state there becomes a path
// from the root.
func TestNamesOfExpressionsSurviveTheLossOfTheirFragment(t *testing.T) {
	f, err := stm.ParseText("m.stm", `
event E {}
event Off {}
machine m {
  initial A
  state A {}
  state B {
    initial A
    state A {}
    state C {}
    from A to C on E
  }
  use F(out = B) as N
  from A to N on E
  from B to A on Off
  from B.C on E when "In('A') || In('B.A')"
}
fragment F(out: state) {
  initial A
  state A {}
  state D {}
  from A to D on E when "In('A') && In(\"A\") && !In('D')" do log "In('A')" = "'In(x)' + string(In('A'))"
  from self to out on Off
}
`)
	require.NoError(t, err)
	c := f.Charts[0]

	own := c.State("B.C").Transitions[0].Guards[0].Expr
	require.Equal(t, `In('.A') || In('B.A')`, own.Source, "In B, A would be B.A")
	require.Equal(t, []int{c.State("A").Index, c.State("B.A").Index}, own.Program().States())

	move := c.State("N.A").Transitions[0]
	require.Equal(t, `In('.N.A') && In('.N.A') && !In('D')`, move.Guards[0].Expr.Source)
	require.Equal(t, []int{c.State("N.A").Index, c.State("N.D").Index}, move.Guards[0].Expr.Program().States())

	read, err := stm.ParseText("m.stm", c.Text())
	require.NoError(t, err, c.Text())
	require.True(t, c.Equal(read.Charts[0]), c.Text())
}

// The state of a completion event is named so that it means the same state where
// the canonical text has the transition.
func TestCompletionsSurviveTheirMove(t *testing.T) {
	f, err := stm.ParseText("m.stm", `
event E {}
machine m {
  initial P
  parallel P {
    state A { initial On state On {} final Off from On to Off on E }
    state B { initial A state A { initial On state On {} final Off from On to Off on E } final Z from A to Z }
  }
  state A { initial On state On {} final Off from On to Off on E }
  from P to A
  from A to P
  from P.B on done.state.P.A
  from P.B on done.state.A
}
`)
	require.NoError(t, err)
	c := f.Charts[0]
	require.Equal(t, "done.state.P.A", c.State("P.B").Transitions[0].Events[0].Name)
	require.Equal(t, "done.state.A", c.State("P.B").Transitions[1].Events[0].Name)

	read, err := stm.ParseText("m.stm", c.Text())
	require.NoError(t, err, c.Text())
	require.True(t, c.Equal(read.Charts[0]), c.Text())
}
