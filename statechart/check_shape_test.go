package statechart_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	. "github.com/durachart/durachart/statechart"
)

// region is a sound region of an orthogonal or parallel state.
func region(s *StateBuilder, name string, body ...func(*StateBuilder)) *StateBuilder {
	r := s.State(name, body...).Initial("On")
	r.State("On")
	r.Final("Off")
	r.From("On").To("Off").On("E.off")
	return r
}

// both declares a reached composite with the sound regions R and S, and leaves
// it when it is done.
func both(b *Builder, s *StateBuilder) *StateBuilder {
	region(s, "R")
	region(s, "S")
	b.Event("E.off")
	b.From("A").To("P").On("F")
	b.From("P").To("Z")
	return s
}

func TestMisplacedItems(t *testing.T) {
	runMistakes(t, []mistake{
		{
			name: "timeout in a final", want: "error item_misplaced Y", says: `"timeout" cannot stand in the body of a final state`,
			build: func(b *Builder) {
				b.Final("Y").Timeout(time.Second)
				b.From("A").To("Y").On("F")
			},
		},
		{
			name: "initial in an atomic state", want: "error item_misplaced B", says: `"initial"`,
			build: func(b *Builder) { reached(b, "B").Initial("C") },
		},
		{
			name: "carry in an atomic state", want: "error item_misplaced B", says: `"carry"`,
			build: func(b *Builder) { reached(b, "B").Carry("x") },
		},
		{
			name: "resting in a compound", want: "error item_misplaced B", says: `"resting"`,
			build: func(b *Builder) {
				reached(b, "B", func(s *StateBuilder) { s.Initial("C").State("C") }).Resting()
			},
		},
		{
			name: "autoforward without invoke", want: "error item_misplaced B", says: `"autoforward"`,
			build: func(b *Builder) { reached(b, "B").Autoforward() },
		},
		{
			name: "a child of a final", want: "error item_misplaced Y.B", says: "a final state cannot have children",
			build: func(b *Builder) {
				b.Final("Y").State("B").Resting()
				b.From("A").To("Y").On("F")
				b.From("A").To("Y.B").Always().When("context.x")
			},
		},
		{
			name: "a transition of a history state", want: "error item_misplaced H", says: "history state",
			build: func(b *Builder) {
				b.History("H").To("A")
				b.From("A").To("H").On("F")
				b.From("H").To("A").On("E")
			},
		},
		{
			name: "with", want: "warning with_unused B", says: "runs no child execution",
			build: func(b *Builder) { reached(b, "B").With() },
		},
		{
			name: "an outcome on a compound", want: "warning outcome_on_composite B", says: "its finals have outcomes",
			build: func(b *Builder) {
				reached(b, "B", func(s *StateBuilder) { s.Initial("C").State("C") }).Outcome("ok")
			},
		},
		{
			name: "an outcome on an atomic state", want: "warning outcome_on_nonterminal B", says: "is not final",
			build: func(b *Builder) { reached(b, "B").Outcome("ok") },
		},
		{
			name: "carry of a reserved key", want: "error carry_reserved Y", says: `"outcome"`,
			build: func(b *Builder) {
				b.Final("Y").Carry("x", "outcome")
				b.From("A").To("Y").On("F")
			},
		},
	})
}

// Items that only a text can say reach Build through the Definition.
func TestItemsOfTheTextOnly(t *testing.T) {
	tests := map[string]struct {
		change func(d *StateDecl)
		want   string
	}{
		"activity":   {func(d *StateDecl) { d.OnActivity = &Pos{Line: 3, Column: 5} }, "error activity_dropped"},
		"no history": {func(d *StateDecl) { d.NoHistory = &Pos{Line: 3, Column: 5} }, "warning no_history_ignored"},
		"version":    {func(d *StateDecl) { d.Misplaced = []Item{{Name: "version"}} }, "error item_misplaced"},
		"twice":      {func(d *StateDecl) { d.Duplicates = []Item{{Name: "timeout"}} }, "error duplicate"},
		"malformed": {func(d *StateDecl) {
			d.Timeout = &Delay{Text: "5 parsecs"}
			d.Transitions = []*TransitionDecl{{Order: 99, From: Ref{Self: true}, Targets: []Ref{{Text: "Z"}}, Events: []NamePos{{Name: "timeout"}}}}
		}, "error timeout_invalid"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			b := sound()
			d := b.Definition()
			test.change(d.Root.Children[0])
			require.Equal(t, []string{test.want + " A"}, findings(b))
		})
	}
}

func TestComposites(t *testing.T) {
	runMistakes(t, []mistake{
		{
			name: "empty_machine, a parallel", want: "error empty_machine P", says: "no regions",
			build: func(b *Builder) {
				b.Parallel("P")
				b.From("A").To("P").On("F")
				b.From("P").To("Z").On("E")
			},
		},
		{
			name: "missing_initial", want: "error missing_initial B", says: "no initial",
			build: func(b *Builder) {
				reached(b, "B").State("C")
				b.From("A").To("B.C").Always().When("context.x")
			},
		},
		{
			name: "region_shape, an atomic state in an orthogonal", want: "error region_shape P.Q", says: "not an atomic state",
			build: func(b *Builder) { both(b, b.Orthogonal("P")).State("Q") },
		},
		{
			name: "region_shape, a final in a parallel", want: "error region_shape P.Q", says: "cannot be a region", hint: "into a region",
			build: func(b *Builder) {
				both(b, b.Parallel("P")).Final("Q")
				b.From("A").To("Z").Always().When("context.x")
			},
		},
		{
			name: "invoke_on_composite", want: "error invoke_on_composite B", says: "child states", hint: "inline body",
			build: func(b *Builder) {
				b.Import(child("c"))
				reached(b, "B", func(s *StateBuilder) { s.Invoke("c"); s.State("C") })
			},
		},
		{
			name: "invoke_without_chart", want: "error invoke_without_chart B", says: "neither",
			build: func(b *Builder) { reached(b, "B").Resting().Invoke("") },
		},
		{
			name: "invoke_without_chart, both", want: "error invoke_without_chart B", says: "only one",
			build: func(b *Builder) {
				reached(b, "B").Resting().Invoke("c").Body(func(m *StateBuilder) { m.Initial("I").State("I").Resting() })
			},
		},
		{
			name: "unknown_chart", want: "warning unknown_chart B", says: `"chold"`, hint: `did you mean "child"`,
			build: func(b *Builder) { b.Import(child("child")); reached(b, "B").Resting().Invoke("chold") },
		},
		{
			name: "join_misplaced", want: "error join_misplaced A", says: "no children to join",
			build: func(b *Builder) { b.From("A").JoinAll().To("Z").Else("Z") },
		},
		{
			name: "join_misplaced on a single child", want: "error join_misplaced B", says: "single child",
			build: func(b *Builder) { b.Import(child("c")); reached(b, "B").Resting().Invoke("c").JoinAny() },
		},
		{
			name: "join_conflict", want: "error join_conflict B", says: "another policy",
			build: func(b *Builder) {
				b.Import(child("c"))
				reached(b, "B").Invoke("c").Each("v", "list").Join(2)
				b.From("B").JoinAll().To("Z").Else("A")
			},
		},
		{
			name: "join_count below 1", want: "error join_count B", says: "at least 1",
			build: func(b *Builder) {
				b.Import(child("c"))
				reached(b, "B").Resting().Invoke("c").Each("v", "list").Join(0)
			},
		},
		{
			name: "join_count above the number of regions", want: "error join_count P", says: "only 2 regions",
			build: func(b *Builder) {
				s := b.Orthogonal("P")
				region(s, "R")
				region(s, "S")
				b.Event("E.off")
				b.From("A").To("P").On("F")
				b.From("P").Join(3).To("Z").Else("A")
			},
		},
	})
}

func TestAMachineWithoutStates(t *testing.T) {
	require.Equal(t, []string{"error empty_machine "}, findings(New("m")))
}
