package execution_test

import (
	"fmt"
	"slices"
	"time"

	"pgregory.net/rapid"

	"github.com/durachart/durachart/statechart"
)

var familyEvents = []string{"a", "b", "c", "d", "cancel"}

// randomFamily draws a chart with everything in it: regions and invokes at any
// depth, joins, fan-outs, timers, sends, deferral, errors, Go code.
func randomFamily(t *rapid.T) *statechart.Chart {
	helper := statechart.New("helper").Version("1").Initial("H")
	helper.State("H").Resting().Timeout(40 * time.Second)
	helper.Final("Ok")
	helper.Final("Bad", "failed")
	helper.From("H").To("Ok").On("a")
	helper.From("H").To("Bad").On("b")
	helper.From("H").On("c").Do(statechart.Send("d").ToParent())
	helper.From("H").On("d").Do(statechart.Call("boom"))
	h, err := helper.Build()
	if err != nil {
		t.Fatal(err)
	}
	for range 20 {
		d := &familyDrawer{t: t, b: statechart.New("family").Version("1").Import(h)}
		d.draw()
		if c, err := d.b.Build(); err == nil {
			return c
		}
	}
	t.Skip("no draft was a chart")
	return nil
}

type familyDrawer struct {
	t *rapid.T
	b *statechart.Builder
	n int
	// names of the sibling states of each execution, to draw targets from: a
	// target lies in the execution of its source.
	levels []*level
}

// level is one execution: its root, or a region of an orthogonal state.
type level struct {
	sources []string
	targets []string
}

func (d *familyDrawer) name(prefix string) string {
	d.n++
	return fmt.Sprintf("%s%d", prefix, d.n)
}

func (d *familyDrawer) draw() {
	root := &level{}
	d.levels = append(d.levels, root)
	first := ""
	for range rapid.IntRange(2, 4).Draw(d.t, "children") {
		n := d.name("s")
		if first == "" {
			first = n
		}
		d.state(d.b.State, d.b.Parallel, d.b.Orthogonal, n, n, 1, root)
	}
	d.b.Initial(first)
	n := d.name("f")
	d.b.Final(n, rapid.SampledFrom([]string{"success", "odd"}).Draw(d.t, "outcome"))
	root.targets = append(root.targets, n)
	if rapid.Bool().Draw(d.t, "handles errors") {
		d.b.From("self").On("error").Do(statechart.Log("handled"))
	}
	for _, l := range d.levels {
		d.transitions(l)
	}
}

func (d *familyDrawer) state(state, parallel, orthogonal declare, name, path string, depth int, l *level) {
	l.sources = append(l.sources, path)
	l.targets = append(l.targets, path)
	kind := rapid.IntRange(0, 9).Draw(d.t, "kind")
	if depth >= 4 || d.n > 16 {
		kind %= 5
	}
	switch kind {
	case 0, 1, 2:
		state(name, func(s *statechart.StateBuilder) { s.Resting(); d.hooks(s) })
	case 3, 4:
		state(name, func(s *statechart.StateBuilder) { s.Resting(); d.hooks(s); d.invoke(s) })
	case 5, 6:
		state(name, func(s *statechart.StateBuilder) { d.hooks(s); d.children(s, path, depth, l) })
	case 7:
		parallel(name, func(s *statechart.StateBuilder) {
			d.hooks(s)
			for range 2 {
				n := d.name("r")
				d.state(s.State, s.Parallel, s.Orthogonal, n, path+"."+n, depth+1, l)
			}
		})
	default:
		orthogonal(name, func(s *statechart.StateBuilder) {
			s.Resting()
			d.hooks(s)
			for range rapid.IntRange(1, 3).Draw(d.t, "regions") {
				n := d.name("o")
				inner := &level{}
				d.levels = append(d.levels, inner)
				s.State(n, func(s *statechart.StateBuilder) {
					s.With(statechart.Pick("list", "list"), statechart.Pick("n", "n"))
					d.children(s, path+"."+n, depth+1, inner)
				})
			}
		})
		d.join(path)
	}
}

func (d *familyDrawer) join(path string) {
	switch rapid.IntRange(0, 3).Draw(d.t, "join") {
	case 0:
		d.b.From(path).On("done.state." + path).Do(statechart.Log("done"))
	case 1:
		d.b.From(path).JoinAny().To(path).Else(path)
	case 2:
		d.b.From(path).Join(1).To(path).Else(path)
	}
}

func (d *familyDrawer) children(s *statechart.StateBuilder, path string, depth int, l *level) {
	first := ""
	for range rapid.IntRange(1, 3).Draw(d.t, "children") {
		n := d.name("s")
		if first == "" {
			first = n
		}
		d.state(s.State, s.Parallel, s.Orthogonal, n, path+"."+n, depth+1, l)
	}
	s.Initial(first)
	n := d.name("f")
	s.Final(n, rapid.SampledFrom([]string{"success", "odd"}).Draw(d.t, "outcome"))
	s.Carry("n")
	l.targets = append(l.targets, path+"."+n)
	if rapid.IntRange(0, 3).Draw(d.t, "history") == 0 {
		n := d.name("h")
		s.History(n).Deep()
		l.targets = append(l.targets, path+"."+n)
	}
}

func (d *familyDrawer) invoke(s *statechart.StateBuilder) {
	i := s.Invoke(rapid.SampledFrom([]string{"helper", "helper", "helper", "nobody"}).Draw(d.t, "chart"))
	if rapid.Bool().Draw(d.t, "each") {
		i.Each("v", "list").Limit(rapid.IntRange(1, 3).Draw(d.t, "limit"))
		if rapid.Bool().Draw(d.t, "any") {
			i.JoinAny()
		}
	}
	switch rapid.IntRange(0, 3).Draw(d.t, "with") {
	case 0:
		s.With(statechart.Eval("x", "context.n + 1"))
	case 1:
		s.With(statechart.Pick("n", "n"))
	}
	if rapid.IntRange(0, 3).Draw(d.t, "autoforward") == 0 {
		s.Autoforward()
	}
	if rapid.IntRange(0, 3).Draw(d.t, "finalize") == 0 {
		s.Finalize(d.action())
	}
}

func (d *familyDrawer) hooks(s *statechart.StateBuilder) {
	if rapid.IntRange(0, 4).Draw(d.t, "enter") == 0 {
		s.OnEnter(d.action())
	}
	if rapid.IntRange(0, 4).Draw(d.t, "exit") == 0 {
		s.OnExit(d.action())
	}
	if rapid.IntRange(0, 4).Draw(d.t, "timeout") == 0 {
		s.Timeout(time.Duration(rapid.IntRange(1, 60).Draw(d.t, "seconds")) * time.Second)
	}
	if rapid.IntRange(0, 4).Draw(d.t, "defer") == 0 {
		s.Defer(rapid.SampledFrom(familyEvents[:4]).Draw(d.t, "deferred"))
	}
}

func (d *familyDrawer) action() statechart.Action {
	event := rapid.SampledFrom(familyEvents[:4]).Draw(d.t, "event")
	switch rapid.IntRange(0, 12).Draw(d.t, "action") {
	case 0:
		return statechart.Raise(event, statechart.Eval("n", "1"))
	case 1:
		return statechart.Send(event)
	case 2:
		return statechart.Send(event).ToParent()
	case 3:
		return statechart.Send(event).ToChildren()
	case 4:
		return statechart.Send(event).After(20 * time.Second).As("later")
	case 5:
		return statechart.Send(event).ToChildren().After(10 * time.Second)
	case 6:
		return statechart.Cancel("later")
	case 7:
		return statechart.Set("n", "context.n + 1")
	case 8:
		return statechart.Call("boom")
	case 9:
		return statechart.Set("list", "[1]")
	case 10:
		return statechart.Send(event).ToID("f-1")
	case 11:
		return statechart.Call("undone")
	default:
		return statechart.Call("count", "by", 2)
	}
}

func (d *familyDrawer) transitions(l *level) {
	if len(l.sources) == 0 {
		return
	}
	for range rapid.IntRange(2, 8).Draw(d.t, "transitions") {
		source := rapid.SampledFrom(l.sources).Draw(d.t, "source")
		tr := d.b.From(source)
		if rapid.IntRange(0, 4).Draw(d.t, "targetless") > 0 {
			tr.To("." + rapid.SampledFrom(l.targets).Draw(d.t, "target"))
		}
		switch rapid.IntRange(0, 9).Draw(d.t, "trigger") {
		case 0:
			tr.On("timeout")
		case 1:
			tr.On("done")
		case 2:
			tr.On("error")
		case 3:
			tr.On("*")
		case 4:
			tr.After(time.Duration(rapid.IntRange(1, 60).Draw(d.t, "seconds")) * time.Second)
		case 5:
			tr.Always().When("event.name == 'a' && context.n < 5")
		default:
			tr.On(rapid.SampledFrom(familyEvents).Draw(d.t, "event"))
		}
		if rapid.IntRange(0, 3).Draw(d.t, "guard") == 0 {
			tr.When(rapid.SampledFrom([]string{"event.data.n > 0", "context.n % 2 == 0", "has(event.data.n)"}).Draw(d.t, "when"))
		}
		for range rapid.IntRange(0, 2).Draw(d.t, "actions") {
			tr.Do(d.action())
		}
	}
	slices.Sort(l.targets)
}
