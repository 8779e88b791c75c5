package statechart_test

import (
	"strconv"
	"testing"

	. "github.com/durachart/durachart/statechart"
)

// largeChart has n groups of four states with nine transitions, an expression
// and two predicates each: some 20 lines of text.
func largeChart(n int) *Builder {
	b := New("large").Initial("G0").Event("E", Required("n", Int)).Event("F", Optional("n", Int))
	b.Guard("small", Compare("n", "<", 10))
	for i := range n {
		g := b.State("G"+strconv.Itoa(i), func(s *StateBuilder) {
			s.Initial("A").OnEnter(Call("f", "x", i))
			s.State("A")
			s.State("B").OnExit(Set("x", "1"))
			s.Final("Z")
			s.From("A").To("B").On("E").Where(Compare("n", ">", 3))
			s.From("A").To("B").On("F").Where(Named("small"))
			s.From("B").To("A").On("F")
			s.From("B").To("Z").Always().When("context.x == 1 && In('B')")
			s.From("self").To("B").On("E").When("context.x == 2").Internal()
		})
		g.From("self").To("G" + strconv.Itoa((i+1)%n))
	}
	return b
}

// BenchmarkBuild builds a chart of 2,001 states.
func BenchmarkBuild(b *testing.B) {
	def := largeChart(500).Definition()
	b.ReportAllocs()
	for b.Loop() {
		if _, err := def.Build(); err != nil {
			b.Fatal(err)
		}
	}
}
