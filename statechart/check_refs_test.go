package statechart_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	. "github.com/durachart/durachart/statechart"
)

func TestReferences(t *testing.T) {
	runMistakes(t, []mistake{
		{
			name: "unknown_state, a target", want: "error unknown_state A", says: `no state "Shpiped"`, hint: `did you mean "Shipped"`,
			build: func(b *Builder) {
				reached(b, "Shipped")
				b.From("A").To("Shpiped").Always().When("context.x")
			},
		},
		{
			name: "unknown_state, one that is out of reach", want: "error unknown_state A", says: `no state "C"`, hint: `did you mean "B.C"`,
			build: func(b *Builder) {
				reached(b, "B", func(s *StateBuilder) { s.Initial("C").State("C") })
				b.From("A").To("C").Always().When("context.x")
			},
		},
		{
			name: "unknown_state, a source", want: "error unknown_state ", says: `no state "X"`,
			build: func(b *Builder) { b.From("X").To("Z").On("F") },
		},
		{
			name: "unknown_state, a source that lies elsewhere", want: "error unknown_state B", says: "does not lie inside",
			build: func(b *Builder) { reached(b, "B").From("A").To("Z").On("E") },
		},
		{
			name: "unknown_state, the receiver of a send", want: "error unknown_state A", says: "no children to send to",
			build: func(b *Builder) { b.From("A").On("F").Do(Send("F").ToChildrenOf("A")) },
		},
		{
			name: "unknown_state in In", want: "error unknown_state A", says: `no state "X"`,
			build: func(b *Builder) { b.From("A").On("F").When("In('X')") },
		},
		{
			name: "unknown_state, the default of a history state", want: "error unknown_state H", says: `no state "X"`,
			build: func(b *Builder) {
				b.History("H").To("X")
				b.From("A").To("H").On("F")
			},
		},
		{
			name: "initial_unresolved", want: "error initial_unresolved B", says: `"A" lies outside "B"`,
			build: func(b *Builder) {
				reached(b, "B", func(s *StateBuilder) { s.Initial("A").State("C") })
				b.From("A").To("B.C").Always().When("context.x")
			},
		},
		{
			name: "ambiguous_state", want: "error ambiguous_state B", says: `"A" is both "A" and "B.A"`,
			build: func(b *Builder) {
				reached(b, "B", func(s *StateBuilder) {
					s.Initial("A").State("A")
					s.From("self").On("F").When("In('A')")
				})
			},
		},
		{
			name: "crosses_region, into a region", want: "error crosses_region A", says: "another execution",
			build: func(b *Builder) {
				both(b, b.Orthogonal("P"))
				b.From("A").To("P.R.On").Always().When("context.x")
			},
		},
		{
			name: "crosses_region, out of a region", want: "error crosses_region P.R.On", says: "another execution",
			build: func(b *Builder) {
				both(b, b.Orthogonal("P"))
				b.From("P.R.On").To("A").On("F")
			},
		},
		{
			name: "crosses_region, In", want: "error crosses_region P.R.On", says: "which In cannot see",
			build: func(b *Builder) {
				both(b, b.Orthogonal("P"))
				b.From("P.R.On").On("F").When("In('A')")
			},
		},
		{
			name: "crosses_region, an initial", want: "error crosses_region B", says: "another execution",
			build: func(b *Builder) {
				reached(b, "B", func(s *StateBuilder) {
					s.Initial("P.R.On")
					p := s.Orthogonal("P").Resting()
					p.State("R").Initial("On").State("On").Resting()
				})
				b.From("A").To("B.P").Always().When("context.x")
			},
		},
		{
			name: "bad_targets, an execution root", want: "error bad_targets P.R.On", says: "is the root of its execution",
			build: func(b *Builder) {
				both(b, b.Orthogonal("P"))
				b.From("P.R.On").To("P.R").On("F")
			},
		},
		{
			name: "bad_targets, one inside the other", want: "error bad_targets A", says: "cannot be active together",
			build: func(b *Builder) {
				both(b, b.Parallel("P"))
				b.From("A").To("P.R", "P.R.On").Always().When("context.x")
			},
		},
		{
			name: "bad_targets, two in one region", want: "error bad_targets A", says: "cannot be active together",
			build: func(b *Builder) {
				both(b, b.Parallel("P"))
				b.From("A").To("P.R.On", "P.R.Off").Always().When("context.x")
			},
		},
		{
			name: "bad_targets, a history state of what the other lies in", want: "error bad_targets A", says: "cannot be active together",
			build: func(b *Builder) {
				both(b, b.Parallel("P")).History("H").To("R.On", "S.Off")
				b.From("A").To("P.H", "P.S.On").Always().When("context.x")
			},
		},
		{
			name: "final_with_exit", want: "error final_with_exit Z", says: "cannot be left",
			build: func(b *Builder) { b.From("Z").To("A").On("F") },
		},
	})
}

func TestSeveralTargetsInDifferentRegions(t *testing.T) {
	b := sound()
	both(b, b.Parallel("P"))
	b.From("A").To("P.R.Off", "P.S.Off").Always().When("context.x")
	require.Empty(t, findings(b))
}

func TestSelectors(t *testing.T) {
	runMistakes(t, []mistake{
		{
			name: "selector_malformed, no selector", want: "error selector_malformed A", says: "no selector",
			build: func(b *Builder) { b.From("A").On("F").Branch("a", "Z") },
		},
		{
			name: "selector_malformed, no branch", want: "error selector_malformed A", says: "no branch",
			build: func(b *Builder) { b.From("A").On("F").Select("f").Else("Z") },
		},
		{
			name: "selector_malformed, equal branches", want: "error selector_malformed A", says: `two branches for "1"`,
			build: func(b *Builder) { b.From("A").On("F").Select("f").Branch("1", "Z").Branch(1, "A") },
		},
		{
			name: "selector_target_unresolved", want: "error selector_target_unresolved A", says: `no state "X"`,
			build: func(b *Builder) { b.From("A").On("F").Select("f").Branch("a", "X").Else("Z") },
		},
		{
			name: "selector_phantom_branch", want: "error selector_phantom_branch A", says: `never returns "b"`,
			build: func(b *Builder) { b.From("A").On("F").Select("f").Returns("a").Branch("a", "Z").Branch("b", "A") },
		},
		{
			name: "selector_non_exhaustive", want: "error selector_non_exhaustive A", says: `can return "true"`,
			build: func(b *Builder) { b.From("A").On("F").Select("f").Returns(true, false).Branch(false, "Z") },
		},
	})
}

func TestEvents(t *testing.T) {
	runMistakes(t, []mistake{
		{
			name: "reserved_event, declared", want: "error reserved_event ", says: `"timeout"`,
			build: func(b *Builder) { b.Event("timeout") },
		},
		{
			name: "reserved_event, raised", want: "error reserved_event A", says: `raise: "done.x"`,
			build: func(b *Builder) { b.From("A").On("F").Do(Raise("done.x")) },
		},
		{
			name: "reserved_event, sent", want: "error reserved_event A", says: `send: "error.x"`,
			build: func(b *Builder) { b.From("A").On("F").Do(Send("error.x")) },
		},
		{
			name: "reserved_event, deferred", want: "error reserved_event B", says: "cannot be deferred",
			build: func(b *Builder) { reached(b, "B").Defer("timeout") },
		},
		{
			name: "reserved_event, a system event", want: "error reserved_event A", says: "no trigger sees",
			build: func(b *Builder) { b.From("A").On("$start") },
		},
		{
			name: "unknown_event in a trigger", want: "error unknown_event A", says: `"Pait"`, hint: `did you mean "Paid"`,
			build: func(b *Builder) { b.Event("Paid").From("A").On("Pait") },
		},
		{
			name: "unknown_event, raised", want: "error unknown_event A", says: "raise:",
			build: func(b *Builder) { b.From("A").On("F").Do(Raise("G")) },
		},
		{
			name: "unknown_event, sent by a part of its name", want: "error unknown_event A", says: "send:",
			build: func(b *Builder) { b.Event("G.x").From("A").On("F").Do(Send("G")) },
		},
		{
			name: "unknown_event, deferred", want: "error unknown_event B", says: `"G"`,
			build: func(b *Builder) { reached(b, "B").Defer("G") },
		},
		{
			name: "peer_spelling, Cancel", want: "warning peer_spelling A", says: `"cancel | Cancel"`,
			build: func(b *Builder) { b.From("A").To("Z").On("Cancel") },
		},
		{
			name: "peer_spelling, Timeout", want: "warning peer_spelling B", says: `"timeout"`,
			build: func(b *Builder) {
				reached(b, "B").Timeout(time.Second)
				b.From("B").To("Z").On("Timeout")
			},
		},
		{
			name: "peer_spelling, Returned", want: "warning peer_spelling B", says: `"done.invoke.B"`,
			build: func(b *Builder) {
				b.Import(child("c"))
				reached(b, "B").Invoke("c")
				b.From("B").To("Z").On("Returned")
			},
		},
	})
}

func TestEventsUndeclared(t *testing.T) {
	b := New("m").Initial("A")
	b.State("A")
	b.Final("Z")
	b.From("A").To("Z").On("E")
	require.Equal(t, []string{"warning events_undeclared "}, findings(b))
}

func TestEventsThatNobodyDeclares(t *testing.T) {
	b := New("m").Initial("A").Timeout(time.Second)
	b.State("A")
	b.Final("Z")
	b.From("A").To("Z").On("*")
	b.From("A").To("Z").Always().When("context.x").Do(Raise("cancel"))
	b.From("self").To("Z").On("timeout", "cancel", "error.execution")
	require.Empty(t, findings(b), "they are the step's own, or everybody's")
}

func TestADeclaredCancelIsMeantToo(t *testing.T) {
	b := sound().Event("Cancel")
	b.From("A").To("Z").On("Cancel")
	c, err := b.Build()
	require.NoError(t, err)
	require.Empty(t, c.Warnings())
	var names []string
	for _, d := range c.State("A").Transitions[1].Events {
		names = append(names, d.Name)
	}
	require.Equal(t, []string{"cancel", "Cancel"}, names)
}

func TestFields(t *testing.T) {
	runMistakes(t, []mistake{
		{
			name: "unknown_event_field", want: "error unknown_event_field A", says: `"F" declares no field "flog"`, hint: `did you mean "flag"`,
			build: func(b *Builder) { b.From("A").On("F").Where(Compare("flog", "==", true)) },
		},
		{
			name: "unknown_event_field in one of two events", want: "error unknown_event_field A", says: `"F" declares no field "n"`,
			build: func(b *Builder) { b.From("A").On("F", "E").Where(Compare("n", "==", 1)) },
		},
		{
			name: "unknown_event_field in a named guard", want: "error unknown_event_field A", says: `"m"`,
			build: func(b *Builder) {
				b.Guard("g", Not(And(Compare("m", ">", 1), Compare("m", "<", 9)))).From("A").On("F").Where(Named("g"))
			},
		},
		{
			name: "op_type_mismatch", want: "warning op_type_mismatch A", says: "has no order",
			build: func(b *Builder) { b.From("A").On("F").Where(Compare("flag", "<", true)) },
		},
		{
			name: "literal_type_mismatch", want: "warning literal_type_mismatch A", says: `never matches "1"`,
			build: func(b *Builder) { b.From("A").On("F").Where(Compare("flag", "==", "1")) },
		},
		{
			name: "literal_type_mismatch in a list", want: "warning literal_type_mismatch A", says: `never matches ["a", 1]`,
			build: func(b *Builder) { b.From("A").On("F").Where(Compare("text", "in", []any{"a", 1})) },
		},
	})
}

func TestFieldsThatFit(t *testing.T) {
	b := sound()
	b.Event("G", Required("f", Float), Required("i", Int), Required("a", Any))
	b.Event("G.x", Required("only", Int))
	b.From("A").On("G").Where(And(
		Compare("f", "==", 1), Compare("i", "<", 1.5), Compare("i", "==", 2.0), Compare("a", ">", "x"),
		Compare("a.deep", "==", true), Compare("only", "in", []int{1, 2})))
	b.From("A").On("F").Where(Compare("text", "in", "some text"))
	require.Empty(t, findings(b))
}

func TestExpressions(t *testing.T) {
	runMistakes(t, []mistake{
		{
			name: "bad_expression", want: "error bad_expression A", says: "character 8",
			build: func(b *Builder) { b.From("A").On("F").When("true &&") },
		},
		{
			name: "bad_expression, a when that is not boolean", want: "error bad_expression A", says: "not bool",
			build: func(b *Builder) { b.From("A").On("F").When("1 + 1") },
		},
		{
			name: "bad_expression in a set", want: "error bad_expression A", says: "undeclared reference",
			build: func(b *Builder) { b.From("A").On("F").Do(Set("x", "nowhere")) },
		},
		{
			name: "bad_expression, a guard that asks for itself", want: "error bad_expression ", says: "asks for itself",
			build: func(b *Builder) {
				b.Guard("g", Not(Named("h"))).Guard("h", Named("g")).From("A").On("F").Where(Named("g"))
			},
		},
	})
}
