package statechart_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	. "github.com/durachart/durachart/statechart"
)

// trigger writes the trigger of a transition in normal form.
func trigger(t *Transition) string {
	switch {
	case t.Always:
		return "always"
	case t.After != nil:
		return t.TimerName
	}
	text := ""
	for _, d := range t.Events {
		text += d.Name + " "
	}
	return text[:len(text)-1]
}

// S8: what a transition without a trigger means is decided by its source.
func TestTriggersInNormalForm(t *testing.T) {
	b := sound().Import(child("c"))
	region(b.State("B", func(s *StateBuilder) { s.Initial("C"); s.Final("Z") }), "C")
	b.Parallel("P", func(s *StateBuilder) { region(s, "R") })
	b.Orthogonal("O", func(s *StateBuilder) { region(s, "R") })
	b.State("I").Invoke("c")
	b.State("At")
	b.Event("E.off")
	for _, s := range []string{"B", "P", "O", "I", "At"} {
		b.From(s).To("Z")
		b.From("A").To(s).Always().When("context.x")
	}
	c := b.MustBuild()
	for s, want := range map[string]string{
		"At": "always", "B": "done.state.B", "P": "done.state.P", "O": "done.state.O", "I": "done.invoke.I",
	} {
		require.Equal(t, want, trigger(c.State(s).Transitions[0]), s)
	}
	require.Equal(t, "error.invoke.I", c.State("I").ErrorEvent)
}

// S6: the transitions of a source are in the order of the text, whatever body
// they stand in; the after ones are counted apart.
func TestTransitionsOfASource(t *testing.T) {
	b := New("m").Initial("A")
	a := b.State("A")
	b.From("A").On("*").When("context.a")
	a.From("self").After(time.Second)
	b.From("A").After(2 * time.Second).To("A")
	a.From("self").On("timeout", "*")
	c := b.MustBuild()
	var triggers []string
	for i, tr := range c.State("A").Transitions {
		require.Equal(t, i, tr.Index)
		triggers = append(triggers, trigger(tr))
	}
	require.Equal(t, []string{"*", "after:A:0", "after:A:1", "timeout *"}, triggers)
}

// S93: a target is looked for from the state whose body the transition stands
// in, then around it.
func TestTargetsAreFoundFromTheBody(t *testing.T) {
	b := New("m").Initial("A")
	a := b.State("A", func(s *StateBuilder) {
		s.Initial("B")
		s.State("B", func(s *StateBuilder) {
			s.Initial("A")
			s.State("A")
			s.From("A").To("A").On("*")     // the innermost
			s.From("self").To(".A").On("*") // from the root only
		})
		s.From("B.A").To("A").On("timeout") // around: the outermost
	})
	a.Timeout(time.Second)
	c := b.MustBuild()
	require.Equal(t, c.State("A.B.A"), c.State("A.B.A").Transitions[0].Targets[0])
	require.Equal(t, c.State("A"), c.State("A.B").Transitions[0].Targets[0])
	require.Equal(t, c.State("A"), c.State("A.B.A").Transitions[1].Targets[0])
}

func TestStatesKnowTheirPlace(t *testing.T) {
	c := order().MustBuild()
	for i, s := range c.States() {
		require.Equal(t, i, s.Index)
		require.Equal(t, s, c.State(s.Path))
		for _, k := range s.Children {
			require.True(t, s.Above(k) && s.Contains(k) && !k.Contains(s))
			require.Equal(t, s.Depth+1, k.Depth)
		}
	}
	settled := c.State("Preparing.Payment.Settled")
	require.Equal(t, c.State("Preparing.Payment"), settled.ExecutionRoot)
	require.Equal(t, c.Root(), c.State("Preparing").ExecutionRoot)
	require.Equal(t, c.State("Preparing").Last, c.State("Preparing.Packing.Boxed").Index)
	require.True(t, c.State("Preparing").IsLeaf())
	require.False(t, c.State("Preparing.Packing").IsLeaf())
}

func TestFinalsHaveOutcomesAndCarry(t *testing.T) {
	b := New("m").Initial("Z").Carry("a", "b")
	b.Final("Z")
	b.Final("Y", "odd").Carry("c")
	c := b.MustBuild()
	require.Equal(t, "success", c.State("Z").Outcome)
	require.Equal(t, []string{"a", "b"}, c.State("Z").Carried)
	require.Equal(t, "odd", c.State("Y").Outcome)
	require.Equal(t, []string{"c"}, c.State("Y").Carried)
}

func TestHandlersOfAChart(t *testing.T) {
	b := New("m").Initial("A").Bind("f", "pkg.f").OnEnter(Call("f"), Call("f"))
	b.Guard("named", And(Named("inner"), Named("go")))
	b.State("A").OnExit(Call("exit"))
	b.Final("Z")
	b.From("A").Select("pick").Branch("x", "Z").Where(Named("named")).Do(Call("f"), Call("move"))
	var uses []string
	for _, u := range b.MustBuild().Handlers() {
		uses = append(uses, u.Kind.String()+" "+u.Name+" "+u.Handler)
	}
	require.Equal(t, []string{
		"action f pkg.f", "action exit exit", "guard inner inner", "guard go go", "selector pick pick", "action move move",
	}, uses)
}

// S17: a descriptor matches whole tokens, from the first.
func TestDescriptorsMatchByTokens(t *testing.T) {
	tests := []struct {
		d     Descriptor
		event string
		want  bool
	}{
		{Descriptor{Name: "a.b"}, "a.b", true},
		{Descriptor{Name: "a.b"}, "a.b.c", true},
		{Descriptor{Name: "a.b"}, "a.bc", false},
		{Descriptor{Name: "a.b"}, "a", false},
		{Descriptor{Name: "*"}, "a", true},
		{Descriptor{Name: "done.state.a", Exact: true}, "done.state.a", true},
		{Descriptor{Name: "done.state.a", Exact: true}, "done.state.a.b", false},
	}
	for _, test := range tests {
		require.Equal(t, test.want, test.d.Matches(test.event), "%s: %s", test.d.Name, test.event)
	}
}

// The findings of a chart come in the order of its declarations (S103).
func TestFindingsComeInOrder(t *testing.T) {
	b := New("m").Initial("X").Event("a..b")
	b.State("A", func(s *StateBuilder) {
		s.From("self").To("Nowhere").On("done.x").When("1")
		s.OnEnter(Call("a b"))
	})
	b.Final("Z").Timeout(0)
	require.Equal(t, []string{
		"error initial_unresolved ", "error bad_name ", "warning unreachable A",
		"error unknown_state A", "error bad_expression A", "error bad_name A",
		"warning unreachable Z", "error item_misplaced Z", "error timeout_invalid Z",
	}, findings(b))
	for _, p := range problemsOf(b) {
		require.Equal(t, Pos{}, p.Pos, "a chart from Go has no positions")
	}
}

func TestProblemsReadWell(t *testing.T) {
	_, err := New("m").Build()
	require.EqualError(t, err, "statechart: error empty_machine: the machine has no states")
	p := Problem{Code: "unknown_state", Severity: Error, Pos: Pos{File: "a.stm", Line: 3, Column: 7}, Path: "A", Message: "no state"}
	require.Equal(t, "a.stm:3:7: error unknown_state: no state", p.String())
	p.Pos = Pos{}
	require.Equal(t, "error unknown_state: no state (at A)", p.String())
	require.Panics(t, func() { New("m").MustBuild() })
}

func TestSortedProblemsFollowTheFiles(t *testing.T) {
	at := func(file string, line int, code string) Problem {
		return Problem{Code: code, Pos: Pos{File: file, Line: line, Column: 1}}
	}
	ps := Problems{at("lib", 1, "a"), at("main", 2, "b"), at("main", 2, "a"), at("main", 1, "c"), at("lib", 1, "a"), at("also", 9, "a")}
	var got []string
	for _, p := range ps.Sort("main", "lib") {
		got = append(got, p.Pos.File+p.Code)
	}
	require.Equal(t, []string{"mainc", "maina", "mainb", "liba", "alsoa"}, got)
}
