package statechart_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	. "github.com/durachart/durachart/statechart"
	"github.com/durachart/durachart/statechart/stm"
)

// Whatever a front end declares, Build neither panics nor changes it, says the
// same each time, and what it accepts can be written as text and read back.
func TestBuildTakesAnything(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		def := wild{t, rapid.Bool().Draw(t, "mad")}.definition(2)
		c, err := def.Build()
		again, err2 := def.Build()
		require.Equal(t, err, err2)
		if err != nil {
			require.True(t, err.(Problems).HasErrors())
			return
		}
		require.True(t, c.Equal(again))
		f, err := stm.ParseText("wild.stm", c.Text())
		require.NoError(t, err, "\n%s", c.Text())
		require.True(t, c.Equal(f.Charts[0]), "\n%s", c.Text())
	})
}

// wild draws definitions without regard for the rules; if it is not mad, with
// some, so that a part of them is right.
type wild struct {
	t   *rapid.T
	mad bool
}

func (w wild) int(n int) int { return rapid.IntRange(0, n).Draw(w.t, "n") }
func (w wild) rare() bool    { return w.mad && rapid.IntRange(0, 7).Draw(w.t, "rare") == 7 }
func (w wild) seldom() bool  { return rapid.IntRange(0, 7).Draw(w.t, "seldom") == 7 }
func (w wild) bool() bool    { return rapid.Bool().Draw(w.t, "b") }

// pick takes the first half only, if w is not mad.
func pick[T any](w wild, from ...T) T {
	if !w.mad {
		from = from[:(len(from)+1)/2]
	}
	return rapid.SampledFrom(from).Draw(w.t, "p")
}

func many[T any](w wild, n int, f func() T) []T {
	var out []T
	for range w.int(n) {
		out = append(out, f())
	}
	return out
}

func (w wild) name() string {
	return pick(w, "A", "B", "a b", "on", "ü", "", "x.y", "$x", "\xff", "self")
}

func (w wild) ref() Ref {
	return Ref{Text: pick(w, "A", "A", "B", ".A", "A.A", "A.B", ".", "", "A..B", "self", "B.C"), Self: w.rare()}
}

func (w wild) event() string {
	return pick(w, "E", "E.x", "E.y", "E.*", "enter", "Cancel", "E", "a b", "E", "*", "timeout", "done.state.A", "done.state..A.B", "done.invoke.B",
		"error.invoke.C", "done", "Returned", "Timeout", "$x", "", "a|b", ".", "done.state.", "done.state.*")
}

func (w wild) expr() *Expr {
	return pick(w, &Expr{Source: "true"}, &Expr{Source: `In(""".A""") || In('A.A')`}, &Expr{Source: "context.x"}, &Expr{Source: "In(r'.A') // In('B')"},
		&Expr{Source: "1 +"}, &Expr{Source: "In('A')"}, &Expr{}, &Expr{Source: "\xff"})
}

func (w wild) pairs() []Pair {
	return many(w, 2, func() Pair {
		return pick(w, Pick("k", "a.b"), Eval("k", "1"), Pair{}, Pick("odd key", ""), Pair{Key: "x", Expr: w.expr()})
	})
}

func (w wild) delay() *Delay {
	return pick(w, nil, &Delay{Duration: time.Hour}, &Delay{Path: []string{"a", "b"}}, &Delay{Path: []string{"a"}, At: true}, &Delay{Duration: -1},
		&Delay{Text: "x"}, nil, &Delay{Duration: 1 << 62})
}

func (w wild) actions() []Action {
	return many(w, 2, func() Action {
		return pick[Action](w, Call("f", "x", 1), Raise("E", Pick("k", "a")), Set("a.b", "1"), Log("l", "1"), Cancel("a b"), Send("E").ToParent(), Call("g.h"), Raise("E"), Log("x"),
			Call("no name"), Call("g", "x"), Raise(w.event(), w.pairs()...), &SendAction{Event: w.event(), Delay: w.delay(), ID: w.name(), Dest: Dest{Kind: DestKind(w.int(6)), Ref: w.ref(), ID: "x", Path: []string{"p"}}},
			Cancel(w.name()), Set("", "x +"), &SetAction{}, nil, (*CallAction)(nil))
	})
}

func (w wild) pred(depth int) Pred {
	if depth == 0 {
		return pick[Pred](w, Compare("n", "==", 1), Named("k"), Compare("o.p", "in", []int{1}), Compare("ü", "<", 1.5), Named("g"), Named("h"), Named("on"), Compare("", "?", struct{}{}), nil, (*NamedPred)(nil))
	}
	return pick(w, Not(w.pred(depth-1)), And(many(w, 2, func() Pred { return w.pred(depth - 1) })...),
		Or(many(w, 2, func() Pred { return w.pred(depth - 1) })...), w.pred(0))
}

func (w wild) guard() *Guard {
	return pick(w, &Guard{Expr: w.expr()}, &Guard{Pred: w.pred(2)}, nil, &Guard{})
}

func (w wild) entry() *EntryDecl {
	if !w.mad {
		return &EntryDecl{Targets: []Ref{{Text: "A"}}, Do: w.actions()}
	}
	if w.bool() {
		return nil
	}
	return &EntryDecl{Targets: many(w, 2, w.ref), Do: w.actions()}
}

func (w wild) state(depth int) *StateDecl {
	if w.rare() {
		return nil
	}
	d := &StateDecl{Name: w.name(), Kind: pick(w, Atomic, Atomic, Parallel, Compound, Atomic, Orthogonal, Invoking, Final, History, 9), Fragment: w.seldom()}
	if depth > 0 {
		d.Children = many(w, 4, func() *StateDecl { return w.state(depth - 1) })
		d.Transitions = many(w, 3, w.transition)
	}
	if !w.mad {
		w.tame(d, depth)
	} else if w.bool() {
		d.Initial, d.Default, d.Resting = w.entry(), w.entry(), w.bool()
	}
	if w.bool() {
		d.OnEnter, d.OnExit, d.Timeout, d.Doc = w.actions(), w.actions(), w.delay(), pick(w, "", "doc", " a\r\n\n b ", "\xff")
	}
	if w.rare() {
		d.Defer = []NamePos{{Name: w.event()}}
		d.Carry = []NamePos{{Name: w.name()}}
		d.With, d.WithPos = w.pairs(), &Pos{}
		d.Finalize, d.Deep, d.Autoforward, d.Outcome = w.actions(), w.bool(), w.bool(), w.name()
		d.Invoke = w.invoke(depth)
	}
	return d
}

// tame gives the children of d different names, and an initial to d or, without
// children, leave to stay.
func (w wild) tame(d *StateDecl, depth int) {
	if depth == 2 && len(d.Children) == 0 {
		d.Children = []*StateDecl{{Resting: true}}
	}
	for i, k := range d.Children {
		k.Name = []string{"A", "B", "a b", "on"}[i]
	}
	switch {
	case len(d.Children) == 0:
		d.Kind, d.Resting = Atomic, true
	case d.Kind != Parallel:
		d.Initial = w.entry()
	}
}

func (w wild) invoke(depth int) *InvokeDecl {
	in := &InvokeDecl{Chart: pick(w, "", "c", "odd name"), Version: pick(w, "", "1"), Var: pick(w, "", "v", "in"), In: pick(w, nil, []string{"a"}, []string{""})}
	if w.rare() {
		in.Limit = pick(w, new(int))
		in.Join = &Join{Policy: JoinPolicy(w.int(3)), N: w.int(3) - 1}
	}
	if depth > 0 && w.rare() {
		in.Body = w.definition(depth - 1)
	}
	return in
}

func (w wild) transition() *TransitionDecl {
	if w.rare() {
		return nil
	}
	t := &TransitionDecl{Order: w.int(9), From: w.ref(), Targets: many(w, 1, w.ref), Internal: w.seldom(), Do: w.actions()}
	if w.bool() {
		t.Events = many(w, 2, func() NamePos { return NamePos{Name: w.event()} })
	}
	if len(t.Events) == 0 {
		t.After = w.delay()
		t.Always = t.After == nil || w.rare()
	}
	t.Guards = many(w, 1, w.guard)
	if w.rare() {
		t.Join = &JoinDecl{Join: Join{Policy: JoinPolicy(w.int(3)), N: w.int(4) - 1}, To: w.ref(), Else: w.ref()}
		t.Targets = nil
	}
	if w.rare() {
		t.Choice = &ChoiceDecl{
			Call: pick(w, nil, Call("f")), Expr: pick(w, nil, w.expr()), HasReturns: w.bool(), Returns: []any{1, "a", nil}[:w.int(3)],
			Branches: many(w, 2, func() BranchDecl { return BranchDecl{Value: pick[any](w, 1, "a", nil, 1.0), Target: w.ref()} }),
			Else:     pick(w, nil, &Ref{Text: "A"}),
		}
		t.Targets = nil
	}
	return t
}

func (w wild) definition(depth int) *Definition {
	d := &Definition{Name: w.name(), Profile: pick(w, ProfileNone, ProfileNone, ProfileSCXML, "x"), Root: w.state(depth)}
	if w.rare() {
		d.Events = many(w, 2, func() EventDecl {
			return EventDecl{Name: w.event(), Fields: []Field{Required(w.name(), pick(w, Int, "x")), Optional(w.name(), Any)}}
		})
	}
	d.Guards = []*Guard{{Name: "k", Expr: &Expr{Source: "context.k"}}, {Name: "g", Pred: w.pred(0)}}
	if w.mad && w.bool() {
		d.Guards = []*Guard{{Name: "g", Pred: w.pred(2)}, nil, {Name: w.name(), Expr: w.expr()}, {Name: "h", Pred: w.pred(1)}}
		d.Bindings = []Binding{{Name: w.name(), Handler: w.name()}}
	}
	d.Machines = map[string]*Definition{"c": d, "": nil}
	return d
}
