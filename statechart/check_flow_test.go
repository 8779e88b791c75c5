package statechart_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	. "github.com/durachart/durachart/statechart"
)

func TestExits(t *testing.T) {
	runMistakes(t, []mistake{
		{
			name: "dead_end", want: "error dead_end B", says: `nothing leads out of "B"`, hint: "resting",
			build: func(b *Builder) {
				b.State("B")
				b.From("A").To("B").On("F")
				b.From("B").On("E").Do(Log("stays"))
			},
		},
		{
			name: "invoke_no_exit", want: "error invoke_no_exit B", says: "done.invoke.B",
			build: func(b *Builder) { b.Import(child("c")); reached(b, "B").Invoke("c") },
		},
		{
			name: "invoke_no_exit of an orthogonal", want: "error invoke_no_exit O", says: "done.state.O",
			build: func(b *Builder) {
				region(reached(b, "O2").Initial("O3"), "O3")
				b.Event("E.off")
				o := b.Orthogonal("O")
				region(o, "R")
				b.From("A").To("O").Always().When("context.x")
			},
		},
		{
			name: "invoke_automatic_exit", want: "error invoke_automatic_exit B", says: "left at once",
			build: func(b *Builder) {
				b.Import(child("c"))
				reached(b, "B").Resting().Invoke("c")
				b.From("B").To("Z").Always()
			},
		},
		{
			name: "unreachable", want: "warning unreachable B", says: `nothing enters "B"`,
			build: func(b *Builder) {
				b.State("B", func(s *StateBuilder) { s.Initial("C").State("C") })
				b.From("B").To("Z").On("E")
				b.From("B.C").To("B").On("F")
			},
		},
		{
			name: "history_unused", want: "warning history_unused H", says: "no transition goes to",
			build: func(b *Builder) { b.History("H").To("A") },
		},
		{
			name: "history_no_default in a parallel", want: "error history_no_default P.H", says: "before anything is recorded",
			build: func(b *Builder) {
				both(b, b.Parallel("P")).History("H")
				b.From("A").To("P.H").Always().When("context.x")
			},
		},
		{
			name: "history_no_default, the initial leads back", want: "error history_no_default B.H", says: "before anything is recorded",
			build: func(b *Builder) {
				reached(b, "B", func(s *StateBuilder) {
					s.Initial("H").State("C")
					s.History("H")
				})
				b.From("A").To("B.C").Always().When("context.x")
			},
		},
	})
}

// Ways out and in that count: on an ancestor, through a region, a branch, a
// history state, a join.
func TestExitsAndEntriesThatCount(t *testing.T) {
	b := sound()
	both(b, b.Parallel("P")).History("H").To("R.Off")
	b.State("D", func(s *StateBuilder) {
		s.Initial("E1")
		s.State("E1")
		s.State("E2")
		s.From("E1").On("F").Select("f").Branch(1, "E1").Else("E2")
	})
	b.From("D").To("P.H").On("E")
	b.From("A").To("D").Always().When("context.x")
	require.Empty(t, findings(b))
}

func TestOrder(t *testing.T) {
	runMistakes(t, []mistake{
		{
			name: "nondeterministic_automatic", want: "error nondeterministic_automatic B", says: "never taken",
			build: func(b *Builder) {
				reached(b, "B")
				b.From("B").To("Z").Always()
				b.From("B").To("A").Always()
			},
		},
		{
			name: "shadowed_transition", want: "warning shadowed_transition A", says: "same or a wider trigger",
			build: func(b *Builder) { b.From("A").To("A").On("E").When("context.x") },
		},
		{
			name: "shadowed_transition by a wider trigger", want: "warning shadowed_transition B", says: "same or a wider trigger",
			build: func(b *Builder) {
				reached(b, "B")
				b.Event("E.x")
				b.From("B").On("E.x")
			},
		},
		{
			name: "shadowed_transition, automatic", want: "warning shadowed_transition B", says: "same or a wider trigger",
			build: func(b *Builder) {
				reached(b, "B")
				b.From("B").To("Z").Always()
				b.From("B").To("A").Always().When("context.x")
			},
		},
		{
			name: "internal_ignored on a state without children", want: "warning internal_ignored A", says: "no effect",
			build: func(b *Builder) { b.From("A").To("A").On("F").Internal() },
		},
		{
			name: "internal_ignored with a target outside", want: "warning internal_ignored B", says: "no effect",
			build: func(b *Builder) {
				reached(b, "B", func(s *StateBuilder) { s.Initial("C").State("C") })
				b.From("B").To("A").On("F").Internal()
			},
		},
	})
}

func TestInternalThatMatters(t *testing.T) {
	b := sound()
	reached(b, "B", func(s *StateBuilder) {
		s.Initial("C").State("C")
		s.From("self").To("C").On("F").Internal()
	})
	require.Empty(t, findings(b))
}

func TestShadowedEvents(t *testing.T) {
	const want, says = "warning shadowed_event P", `the region "P.R" names "E.off"`
	runMistakes(t, []mistake{
		{
			name: "on the orthogonal", want: want, says: says,
			build: func(b *Builder) { both(b, b.Orthogonal("P")).From("self").To("Z").On("E") },
		},
		{
			name: "on a state around it", want: "warning shadowed_event ", says: says,
			build: func(b *Builder) { both(b, b.Orthogonal("P")); b.From("self").To("Z").On("E") },
		},
		{
			name: "by a wildcard", want: want, says: says,
			build: func(b *Builder) { both(b, b.Orthogonal("P")).From("self").On("*") },
		},
		{
			name: "by a nested region", want: "warning shadowed_event ", says: `the region "P.R" names "E.off"`,
			build: func(b *Builder) {
				b.Event("E.off")
				p := b.Orthogonal("P")
				r := p.State("R").Initial("Q")
				region(r.Orthogonal("Q"), "S")
				r.Final("Off")
				r.From("Q").To("Off")
				b.From("A").To("P").On("F")
				b.From("P").To("Z")
				b.From("self").On("E.off")
			},
		},
		{
			name: "by a defer", want: want, says: `the region "P.S3" names "G"`,
			build: func(b *Builder) {
				p := both(b, b.Orthogonal("P"))
				b.Event("G")
				p.State("S3").Defer("G").Initial("X").State("X").Resting()
				p.From("self").On("G")
			},
		},
	})
}

func TestEventsThatRegionsDoNotTakeAway(t *testing.T) {
	b := sound().Event("G")
	both(b, b.Orthogonal("P")).Timeout(time.Second)
	b.From("P").To("Z").On("timeout", "G", "error", "done.state.P")
	require.Empty(t, findings(b))
}

func TestAutomaticCircles(t *testing.T) {
	runMistakes(t, []mistake{
		{
			name: "unguarded", want: "error eventless_cycle B", says: "without a guard",
			build: func(b *Builder) {
				reached(b, "B")
				b.State("C").From("self").To("B").Always()
				b.From("B").To("C").Always()
			},
		},
		{
			name: "guarded", want: "warning eventless_cycle B", says: "only their guards",
			build: func(b *Builder) {
				reached(b, "B")
				b.State("C").From("self").To("B").Always()
				b.From("B").To("C").Always().When("context.x")
			},
		},
		{
			name: "a guarded one before it may be the way out", want: "warning eventless_cycle B", says: "only their guards",
			build: func(b *Builder) {
				reached(b, "B").From("self").To("Z").Always().When("context.x")
				b.From("B").Always().Do(Set("x", "true"))
			},
		},
		{
			name: "a choice counts as guarded", want: "warning eventless_cycle B", says: "only their guards",
			build: func(b *Builder) { reached(b, "B").From("self").Always().Select("f").Branch(1, "B").Else("Z") },
		},
		{
			name: "one without a target", want: "error eventless_cycle B", says: "without a guard",
			build: func(b *Builder) { reached(b, "B").From("self").Always().Do(Log("again")) },
		},
		{
			name: "through the initial of a compound", want: "error eventless_cycle B.C", says: "without a guard",
			build: func(b *Builder) {
				reached(b, "B", func(s *StateBuilder) { s.Initial("C").State("C") })
				b.From("B.C").To("B").Always()
			},
		},
		{
			name: "from the state around", want: "error eventless_cycle B", says: "without a guard",
			build: func(b *Builder) {
				reached(b, "B", func(s *StateBuilder) { s.Initial("C").State("C") })
				b.From("B").To("B.C").Always()
			},
		},
	})
}

func TestAutomaticTransitionsThatEnd(t *testing.T) {
	b := sound()
	reached(b, "B", func(s *StateBuilder) {
		s.Initial("C").State("C")
		s.State("D")
		s.From("C").To(".Z").Always()
		s.From("self").To("C").Always() // never tried in C, which leaves at once
	})
	b.From("A").To("B.D").Always().When("context.x")
	require.Empty(t, findings(b))
}

func TestCompletions(t *testing.T) {
	runMistakes(t, []mistake{
		{
			name: "of an atomic state", want: "error bad_done_trigger A", says: "is an atomic state",
			build: func(b *Builder) { b.From("A").On("done.state.A") },
		},
		{
			name: "of a compound without a final", want: "error bad_done_trigger B", says: "has no final state", hint: "always",
			build: func(b *Builder) {
				b.State("B", func(s *StateBuilder) { s.Initial("C").State("C") })
				b.From("A").To("B").On("F")
				b.From("B").To("Z")
			},
		},
		{
			name: "of a parallel with a region that never completes", want: "error bad_done_trigger P", says: "never completes",
			build: func(b *Builder) { both(b, b.Parallel("P")).State("Q") },
		},
		{
			name: "of a region", want: "error bad_done_trigger P", says: "root of its execution",
			build: func(b *Builder) { both(b, b.Orthogonal("P")).From("self").On("done.state.P.R") },
		},
		{
			name: "of the machine", want: "error bad_done_trigger ", says: "root of its execution",
			build: func(b *Builder) { b.From("self").To("Z") },
		},
		{
			name: "done.invoke of another kind", want: "error bad_done_trigger A", says: "is no invoke state",
			build: func(b *Builder) { b.From("A").On("done.invoke.A") },
		},
		{
			name: "error.invoke of another kind", want: "error bad_done_trigger A", says: "is no invoke state",
			build: func(b *Builder) { b.From("A").On("error.invoke.A") },
		},
	})
}

func TestTimeouts(t *testing.T) {
	runMistakes(t, []mistake{
		{
			name: "timeout_invalid, not positive", want: "error timeout_invalid B", says: "must be positive",
			build: func(b *Builder) {
				reached(b, "B").Timeout(0)
				b.From("B").To("Z").On("timeout")
			},
		},
		{
			name: "timeout_invalid, too long", want: "error timeout_invalid A", says: "3650 days",
			build: func(b *Builder) { b.From("A").To("Z").After(3651 * 24 * time.Hour) },
		},
		{
			name: "timeout_invalid, a fraction of a millisecond", want: "error timeout_invalid A", says: "whole number",
			build: func(b *Builder) { b.From("A").On("F").Do(Send("F").After(1500 * time.Microsecond)) },
		},
		{
			name: "timeout_unhandled", want: "warning timeout_unhandled B", says: "takes its timeout",
			build: func(b *Builder) { reached(b, "B").Timeout(time.Second) },
		},
		{
			name: "timeout_never", want: "warning timeout_never A", says: "has a timeout",
			build: func(b *Builder) { b.From("A").To("Z").On("timeout") },
		},
	})
}

// Under profile scxml some findings are warnings (S29).
func TestProfileSCXMLIsMilder(t *testing.T) {
	b := sound().Profile(ProfileSCXML)
	b.Import(child("c"))
	b.State("Dead")
	b.State("First").State("Only").Resting()
	b.State("Inv").Invoke("c")
	b.State("Two")
	b.From("Two").To("Z").Always()
	b.From("Two").To("Dead").Always()
	b.From("A").To("Dead").On("Unknown")
	b.State("Loop").From("self").To("Loop").Always()
	for _, s := range []string{"First", "Inv", "Two", "Loop"} {
		b.From("A").To(s).Always().When("context.x")
	}
	c, err := b.Build()
	require.NoError(t, err)
	require.ElementsMatch(t, []string{
		"warning dead_end Dead", "warning missing_initial First", "warning invoke_no_exit Inv",
		"warning nondeterministic_automatic Two", "warning unknown_event A", "warning eventless_cycle Loop",
	}, findings(b))
	require.Equal(t, c.State("First.Only"), c.State("First").Initial.Targets[0])
}

func TestProfileSCXMLHasNoTimeouts(t *testing.T) {
	b := sound().Profile(ProfileSCXML).Event("timeout")
	b.State("B").Timeout(time.Second)
	b.From("A").To("B").On("timeout").Do(Raise("timeout"))
	b.From("B").To("Z").On("E")
	require.Equal(t, []string{"error item_misplaced B"}, findings(b))
	require.Contains(t, problemsOf(b)[0].Hint, "delayed event")
}

// Without a trigger, compound and parallel states are left at once there (S8).
func TestProfileSCXMLTakesTriggerlessTransitionsAtOnce(t *testing.T) {
	b := New("m").Profile(ProfileSCXML).Initial("P")
	region(b.Parallel("P"), "R")
	b.Final("Z")
	b.From("P").To("Z")
	c, err := b.Build()
	require.NoError(t, err)
	require.True(t, c.State("P").Transitions[0].Always)
}
