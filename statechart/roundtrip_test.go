package statechart_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	. "github.com/durachart/durachart/statechart"
	"github.com/durachart/durachart/statechart/stm"
)

// S14, S101: reading the canonical text of a chart that the builder made gives an
// equal chart with the same findings.
func TestReadingTheTextOfARandomChartGivesAnEqualOne(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c, err := randomChart(t).Build()
		require.NoError(t, err, "the generator makes sound charts only")
		text := c.Text()

		f, err := stm.ParseText("random.stm", text)
		require.NoError(t, err, "\n%s", text)
		read := f.Charts[0]

		require.Equal(t, text, read.Text())
		require.True(t, c.Equal(read), "\n%s", text)
		require.Equal(t, c.Version(), read.Version())
		require.Equal(t, sortedFindings(c), sortedFindings(read), "\n%s", text)
	})
}

// sortedFindings leaves the order out: the text has the transitions elsewhere.
func sortedFindings(c *Chart) []string {
	var out []string
	for _, p := range c.Warnings() {
		out = append(out, strings.Join([]string{p.Severity.String(), p.Code, p.Path, p.Message, p.Hint}, "|"))
	}
	slices.Sort(out)
	return out
}

// chartGen draws a sound chart: names that want quotes or mean several states,
// all kinds, all clauses.
type chartGen struct {
	t      *rapid.T
	states []genState
}

type genState struct {
	path, root string // root: path of the execution root
	kind       Kind
	parent     int
	body       *StateBuilder
}

func randomChart(t *rapid.T) *Builder {
	g := &chartGen{t: t}
	b := New(g.name(0))
	if g.bool() {
		b.Version(g.pick("1", `a "b"`))
	}
	if g.bool() {
		b.Doc(g.pick("One line.", "Two\n\n  lines \\ \"quoted\"", "#"))
	}
	for _, e := range genEvents {
		b.Event(e, Required("n", Int), Optional("odd key", Any))
	}
	b.Guard("small", Compare("n", "<", 10)).GuardWhen("open", "context.open == true")
	b.Bind("f", "pkg.f")
	b.OnEnter(Call("f"), Call("a.b", "x", 1, "odd key", []string{"q"}))
	b.From("self").On("error").Where(Or(Named("small"), Named("open")))
	g.states = []genState{{kind: Compound, parent: -1}}
	g.children(0, g.int(1, 4), machineBody{b})
	g.transitions(b)
	return b
}

var genEvents = []string{"E", "E.x", "enter", "raise", "on.x", "odd event", "ü"}

func (g *chartGen) int(from, to int) int       { return rapid.IntRange(from, to).Draw(g.t, "n") }
func (g *chartGen) bool() bool                 { return rapid.Bool().Draw(g.t, "b") }
func (g *chartGen) pick(from ...string) string { return rapid.SampledFrom(from).Draw(g.t, "p") }

// name is the name of the i-th child: the same on all levels.
func (g *chartGen) name(i int) string {
	return []string{"A", "state", "my state", "enter", "x-1", "self", "ü", "no"}[i]
}

// bodyOf is what a machine and a state have in common.
type bodyOf interface {
	State(string, ...func(*StateBuilder)) *StateBuilder
	Parallel(string, ...func(*StateBuilder)) *StateBuilder
	Orthogonal(string, ...func(*StateBuilder)) *StateBuilder
	Final(string, ...string) *StateBuilder
	History(string) *HistoryBuilder
	start(string, ...Action)
}

type machineBody struct{ *Builder }

func (m machineBody) start(target string, do ...Action) { m.InitialDo(target, do...) }

type stateBody struct{ *StateBuilder }

func (s stateBody) start(target string, do ...Action) { s.InitialDo(target, do...) }

// children declares n children of state i, and an initial where there must be
// one.
func (g *chartGen) children(i, n int, body bodyOf) {
	in := g.states[i]
	for k := range n {
		name := g.name(k)
		kind := g.kind(in.kind, k, strings.Count(in.path, ".")+1)
		s := genState{path: strings.TrimPrefix(in.path+"."+name, "."), root: in.root, kind: kind, parent: i}
		if in.kind == Orthogonal {
			s.root = s.path
		}
		g.states = append(g.states, s)
		g.declare(len(g.states)-1, name, body)
	}
	if in.kind == Compound {
		body.start(g.name(0), g.actions(in.path)...)
	}
}

func (g *chartGen) kind(parent Kind, k, depth int) Kind {
	kinds := []Kind{Atomic}
	switch {
	case parent == Orthogonal:
		return Compound
	case parent == Parallel && depth > 3:
	case parent == Parallel:
		kinds = append(kinds, Compound, Compound, Orthogonal, Invoking)
	case depth <= 3:
		kinds = append(kinds, Compound, Parallel, Orthogonal, Invoking)
		fallthrough
	default:
		kinds = append(kinds, Final)
	}
	if k > 0 && parent != Orthogonal {
		kinds = append(kinds, History)
	}
	return rapid.SampledFrom(kinds).Draw(g.t, "kind")
}

func (g *chartGen) declare(i int, name string, body bodyOf) {
	s := &g.states[i]
	switch s.kind {
	case Final:
		f := body.Final(name, g.pick("", "no", "failed", "odd outcome"))
		if g.bool() {
			f.Carry("k", "odd key").OnEnter(g.actions(s.path)...)
		}
		return
	case History:
		h := body.History(name).To(g.name(0))
		if g.bool() {
			h.Deep()
		}
		h.Do(g.actions(g.states[s.parent].path)...)
		return
	case Parallel:
		s.body = body.Parallel(name)
	case Orthogonal:
		s.body = body.Orthogonal(name).Resting()
	default:
		s.body = body.State(name)
	}
	g.items(s)
	if s.kind == Compound || s.kind == Parallel || s.kind == Orthogonal {
		b := s.body
		g.children(i, g.int(1, 3), stateBody{b})
	}
}

func (g *chartGen) items(s *genState) {
	b := s.body
	if g.bool() {
		b.Timeout(time.Duration(g.int(1, 100_000)) * time.Millisecond).OnExit(g.actions(s.path)...)
	}
	if g.bool() {
		b.Defer("odd event", "*").Doc("Has a comment.")
	}
	switch s.kind {
	case Atomic:
		b.Resting()
	case Compound:
		if g.states[s.parent].kind == Orthogonal {
			b.With(Pick("odd key", "a.b"), Eval("v", `context.x + "\n"`))
		}
	case Invoking:
		b.Resting().Autoforward().With(Pick("k", "v.x"), Eval("w", "v")).Finalize(g.actions(s.path)...)
		name := g.pick("", "child", "other.child", "odd chart")
		in := b.Invoke(name).Each("v", "list.of").Limit(g.int(1, 9))
		if g.bool() {
			in.Join(g.int(1, 3))
		}
		if name == "" {
			in.Body(inlineChart)
		} else {
			in.Version("3")
		}
	}
}

func inlineChart(m *StateBuilder) {
	m.Initial("A").OnEnter(Call("f")).Doc("Inline.")
	m.State("A").From("self").To("Z").On("E").When("In('A')").Where(Named("small"))
	m.Final("Z", "ok")
}

// actions draws a list; place is where names are resolved.
func (g *chartGen) actions(place string) []Action {
	all := []Action{
		Call("f", "x", -1.5, "when", true), Raise("E.x", Pick("a", "b.c"), Eval("d", "1")), Cancel("odd id"),
		Set("odd.a b", "event.data"), Log("say \"\\\n\t\x00"), Log("with", "context.x"),
		Send("ü").ToParent().After(90 * time.Second).As("t"), Send("enter").ToID(`"x"`), Send("E").ToContext("a.b"),
		Send("on.x", Pick("k", "v")).ToChildren().AtContext("when"), Send("raise").AfterContext("delay"),
	}
	var out []Action
	for range g.int(0, 3) {
		out = append(out, rapid.SampledFrom(all).Draw(g.t, "action"))
	}
	return out
}

func (g *chartGen) transitions(b *Builder) {
	for range g.int(0, 12) {
		from := g.states[g.int(1, len(g.states)-1)]
		if from.kind == Final || from.kind == History {
			continue
		}
		var t *TransitionBuilder
		if g.bool() && from.body != nil {
			t = from.body.From("self")
		} else {
			t = b.From(from.path)
		}
		g.clauses(t.Do(g.actions("")...), from)
	}
}

func (g *chartGen) clauses(t *TransitionBuilder, from genState) {
	if g.bool() {
		t.Doc("A move.")
	}
	if g.bool() {
		t.Internal()
	}
	if from.kind == Orthogonal && g.bool() {
		t.JoinAny().To(g.target(from)).Else(g.target(from))
		return
	}
	switch g.int(0, 4) {
	case 0:
		t.After(time.Duration(g.int(1, 5)) * time.Second)
	case 1:
		t.Always().When(fmt.Sprintf("context.x && In('%s')", g.target(from)))
	case 2:
		t.On("timeout", "done", "error.execution")
	case 3:
		if done := g.completion(from); done != "" {
			t.On(done)
			break
		}
		fallthrough
	default:
		t.On(g.pick(genEvents...), g.pick(genEvents...)).Where(g.pred(2))
	}
	switch g.int(0, 3) {
	case 0:
		t.To(g.target(from))
	case 1:
		t.Select("f", "k", "v").Returns("a", 1, false).Branch("a", g.target(from)).Branch(1, g.target(from)).Else(g.target(from))
	case 2:
		t.SelectExpr("context.x").Branch(2.5, g.target(from)).Branch("else", g.target(from)).When("event.name != '*'")
	}
}

// target is a state that from may go to, written from the root.
func (g *chartGen) target(from genState) string {
	var may []string
	for _, s := range g.states[1:] {
		if s.root == from.root && s.path != s.root {
			may = append(may, "."+s.path)
		}
	}
	return g.pick(may...)
}

// completion is the event of an invoke or orthogonal state in the execution.
func (g *chartGen) completion(from genState) string {
	var may []string
	for _, s := range g.states[1:] {
		switch {
		case s.root != from.root:
		case s.kind == Invoking:
			may = append(may, "done.invoke.."+s.path, "error.invoke.."+s.path)
		case s.kind == Orthogonal:
			may = append(may, "done.state.."+s.path)
		}
	}
	if len(may) == 0 {
		return ""
	}
	return g.pick(may...)
}

func (g *chartGen) pred(depth int) Pred {
	if depth == 0 || g.bool() {
		return rapid.SampledFrom([]Pred{
			Compare("n", ">=", 3), Compare("odd key.or", "==", "x"), Compare("n", "in", []any{1, 2}),
			Named("small"), Named("open"), Named("goGuard"),
		}).Draw(g.t, "pred")
	}
	switch g.int(0, 2) {
	case 0:
		return Not(g.pred(depth - 1))
	case 1:
		return And(g.pred(depth-1), g.pred(depth-1))
	default:
		return Or(g.pred(depth-1), g.pred(depth-1))
	}
}
