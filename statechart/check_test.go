package statechart_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	. "github.com/durachart/durachart/statechart"
)

// mistake is a small chart with one mistake in it.
type mistake struct {
	name  string // begins with the code
	build func(b *Builder)
	want  string // severity, code and path
	says  string // part of the message
	hint  string // part of the hint, or empty
}

// findings lists what is wrong with b, as "severity code path".
func findings(b *Builder) []string {
	out := []string{}
	for _, p := range problemsOf(b) {
		out = append(out, fmt.Sprintf("%s %s %s", p.Severity, p.Code, p.Path))
	}
	return out
}

func problemsOf(b *Builder) Problems {
	c, err := b.Build()
	var ps Problems
	if errors.As(err, &ps) {
		return ps
	}
	return c.Warnings()
}

// runMistakes checks that each chart gives exactly its one finding. Each begins
// as a chart without mistakes: A, where it starts, leads to the final Z on E.
func runMistakes(t *testing.T, tests []mistake) {
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			b := sound()
			test.build(b)
			require.Equal(t, []string{test.want}, findings(b))
			p := problemsOf(b)[0]
			require.Contains(t, p.Message, test.says)
			require.Contains(t, p.Hint, test.hint)
		})
	}
}

func sound() *Builder {
	b := New("m").Event("E", Required("n", Int)).Event("F", Optional("flag", Bool), Optional("text", String)).Initial("A")
	b.State("A")
	b.Final("Z")
	b.From("A").To("Z").On("E")
	return b
}

// reached declares a state that the chart enters, and leaves for Z.
func reached(b *Builder, name string, body ...func(*StateBuilder)) *StateBuilder {
	s := b.State(name, body...)
	b.From("A").To(name).On("F")
	b.From(name).To("Z").On("E")
	return s
}

func TestAChartWithoutMistakesHasNoFindings(t *testing.T) {
	b := sound()
	reached(b, "B")
	require.Empty(t, findings(b))
}
