package statechart_test

import (
	"crypto/sha256"
	"encoding/hex"
	"testing"

	"github.com/stretchr/testify/require"

	. "github.com/durachart/durachart/statechart"
	"github.com/durachart/durachart/statechart/stm"
)

func waiting(doc string) *Builder {
	b := New("m").Doc(doc).Initial("A")
	b.State("A").Resting()
	return b
}

// S13: without a declared version it is the hash of the canonical text without
// doc comments.
func TestTheContentDecidesTheVersion(t *testing.T) {
	c := waiting("").MustBuild()
	sum := sha256.Sum256([]byte(c.Text()))
	require.Equal(t, hex.EncodeToString(sum[:])[:16], c.Version())

	commented := waiting("A comment.").MustBuild()
	require.Equal(t, c.Version(), commented.Version())
	require.False(t, c.Equal(commented), "the comment is a part of the chart")

	other := waiting("").OnEnter(Call("f")).MustBuild()
	require.NotEqual(t, c.Version(), other.Version())

	require.Equal(t, "2", waiting("").Version("2").MustBuild().Version())
}

const invokeEachOther = `
machine ping { initial A  state A { resting invoke pong }  state B { resting invoke leaf }  from A to B }
machine pong { initial A  state A { resting invoke ping } }
machine own { initial A  state A { resting invoke own } }
machine leaf { initial A  state A { resting } }
`

func parse(t *testing.T, text string) []*Chart {
	t.Helper()
	f, err := stm.ParseText("m.stm", text)
	require.NoError(t, err)
	return f.Charts
}

func TestAnInvokeStoresNameAndVersion(t *testing.T) {
	charts := parse(t, invokeEachOther)
	ping, pong, own, leaf := charts[0], charts[1], charts[2], charts[3]

	require.Equal(t, leaf.Version(), ping.State("B").Invoke.Version)
	require.Equal(t, []*Chart{pong, leaf}, ping.Charts())
	require.Equal(t, []*Chart{ping}, pong.Charts())
	require.Empty(t, own.Charts())
}

// Charts that invoke each other have versions all the same: each covers them all.
func TestVersionsOfChartsInACircle(t *testing.T) {
	before := parse(t, invokeEachOther)
	require.Equal(t, before[1].Version(), before[0].State("A").Invoke.Version)
	require.Equal(t, before[0].Version(), before[1].State("A").Invoke.Version)
	require.Equal(t, before[2].Version(), before[2].State("A").Invoke.Version)
	require.NotEqual(t, before[0].Version(), before[1].Version())

	after := parse(t, invokeEachOther+"\n"+`machine x { initial A state A { resting } }`)
	require.Equal(t, before[0].Version(), after[0].Version(), "a chart that it does not invoke is nothing to it")

	changed := parse(t, `
machine ping { initial A  state A { resting invoke pong }  state B { resting invoke leaf }  from A to B }
machine pong { initial A  on enter f  state A { resting invoke ping } }
machine leaf { initial A  state A { resting } }
`)
	require.NotEqual(t, before[0].Version(), changed[0].Version(), "what it invokes has changed")
	require.NotEqual(t, before[1].Version(), changed[1].Version())

	for _, c := range before {
		require.True(t, c.Equal(parse(t, c.Text())[0]), "\n%s", c.Text())
	}
}

// S63: a version that is asked for is that of a registered chart, unless the
// file has that very one.
func TestAnInvokeOfAnotherVersion(t *testing.T) {
	b := New("m").Initial("A").Import(child("c"))
	b.State("A").Resting().Invoke("c").Version("6")
	c := b.MustBuild()
	require.Equal(t, "6", c.State("A").Invoke.Version)
	require.Empty(t, c.Charts())
}

func TestAnInlineChartSharesTheVersion(t *testing.T) {
	b := New("m").Initial("A").Event("E").Guard("g", Compare("n", "==", 1))
	b.State("A", func(s *StateBuilder) {
		s.Resting().Invoke("").Body(func(m *StateBuilder) {
			m.Initial("I")
			m.State("I").From("self").To("Z").On("E").Where(Named("g"))
			m.Final("Z")
		})
	})
	require.Equal(t, []string{"error unknown_event_field A#I"}, findings(b))

	b = New("m").Initial("A").Event("E", Required("n", Int)).Guard("g", Compare("n", "==", 1))
	b.State("A").Resting().Invoke("").Body(func(m *StateBuilder) {
		m.Initial("I")
		m.State("I").From("self").To("Z").On("E").Where(Named("g"))
		m.Final("Z")
	})
	c := b.MustBuild()
	inline := c.State("A").Invoke.Inline
	require.Equal(t, "m#A", inline.Name())
	require.Equal(t, "m#A", c.State("A").Invoke.Chart)
	require.Equal(t, c.Version(), inline.Version())
	require.Equal(t, []*Chart{inline}, c.Charts())
	require.NotNil(t, inline.Guard("g"))
	require.NotNil(t, c.Guard("g"))
}

func TestEqualComparesEverything(t *testing.T) {
	build := func(change func(b *Builder, a *StateBuilder)) *Chart {
		b := New("m").Version("1").Initial("A").Event("E", Required("n", Int))
		a := b.State("A").Resting()
		change(b, a)
		return b.MustBuild()
	}
	base := build(func(*Builder, *StateBuilder) {})
	require.True(t, base.Equal(build(func(*Builder, *StateBuilder) {})))
	changes := map[string]func(b *Builder, a *StateBuilder){
		"doc":        func(b *Builder, a *StateBuilder) { a.Doc("x") },
		"hook":       func(b *Builder, a *StateBuilder) { a.OnEnter(Call("f")) },
		"input":      func(b *Builder, a *StateBuilder) { a.OnEnter(Call("f", "x", 1)) },
		"event":      func(b *Builder, a *StateBuilder) { b.Event("F") },
		"transition": func(b *Builder, a *StateBuilder) { a.From("self").To("A").On("E") },
		"guarded":    func(b *Builder, a *StateBuilder) { a.From("self").To("A").On("E").When("context.x") },
		"profile":    func(b *Builder, a *StateBuilder) { b.Profile(ProfileSCXML) },
		"bind":       func(b *Builder, a *StateBuilder) { b.Bind("f", "g"); a.OnEnter(Call("f")) },
	}
	charts := []*Chart{base}
	for name, change := range changes {
		c := build(change)
		for _, o := range charts {
			require.False(t, c.Equal(o), name)
		}
		charts = append(charts, c)
	}
	require.False(t, base.Equal(nil))
}
