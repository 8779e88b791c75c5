package execution_test

import (
	"fmt"
	"slices"
	"strings"

	"pgregory.net/rapid"

	"github.com/durachart/durachart/statechart"
)

// randomChart draws a chart of the kinds that the reference interpreter knows. A
// draft that the checks refuse is not used.
func randomChart(t *rapid.T) *statechart.Chart {
	for range 20 {
		d := drawer{t: t, b: statechart.New("random").Version("1")}
		if rapid.Bool().Draw(t, "scxml") {
			d.b.Profile(statechart.ProfileSCXML)
		}
		d.states()
		d.transitions()
		if c, err := d.b.Build(); err == nil {
			return c
		}
	}
	t.Skip("no draft was a chart")
	return nil
}

type drawer struct {
	t     *rapid.T
	b     *statechart.Builder
	paths []string // of all states but the root
	final map[string]bool
	hist  map[string]bool
	sides [][]string // paths of the regions of a parallel
	n     int
}

var alphabet = []string{"a", "b", "c", "a.x", "d"}

func (d *drawer) name(prefix string) string {
	d.n++
	return fmt.Sprintf("%s%d", prefix, d.n)
}

func (d *drawer) states() {
	d.final, d.hist = map[string]bool{}, map[string]bool{}
	var first string
	for i := range rapid.IntRange(2, 4).Draw(d.t, "children") {
		name := d.name("s")
		if i == 0 {
			first = name
		}
		d.state(d.b.State, d.b.Parallel, name, name, 1)
	}
	d.b.Initial(first)
	for range rapid.IntRange(0, 1).Draw(d.t, "finals") {
		name := d.name("f")
		d.b.Final(name, rapid.SampledFrom([]string{"success", "odd"}).Draw(d.t, "outcome"))
		d.add(name)
		d.final[name] = true
	}
}

func (d *drawer) add(path string) { d.paths = append(d.paths, path) }

type declare = func(string, ...func(*statechart.StateBuilder)) *statechart.StateBuilder

func (d *drawer) state(state, parallel declare, name, path string, depth int) {
	d.add(path)
	kind := rapid.IntRange(0, 4).Draw(d.t, "kind")
	if depth >= 4 || d.n > 18 {
		kind = 0
	}
	switch kind {
	case 0, 1:
		state(name, func(s *statechart.StateBuilder) {
			s.Resting()
			d.hooks(s)
		})
	case 2, 3:
		state(name, func(s *statechart.StateBuilder) {
			d.hooks(s)
			d.compound(s, path, depth)
		})
	default:
		parallel(name, func(s *statechart.StateBuilder) {
			d.hooks(s)
			var side []string
			for range rapid.IntRange(2, 3).Draw(d.t, "regions") {
				n := d.name("r")
				side = append(side, path+"."+n)
				d.state(s.State, s.Parallel, n, path+"."+n, depth+1)
			}
			d.sides = append(d.sides, side)
			d.history(s, path, "")
		})
	}
}

func (d *drawer) compound(s *statechart.StateBuilder, path string, depth int) {
	first := ""
	for i := range rapid.IntRange(1, 3).Draw(d.t, "children") {
		n := d.name("s")
		if i == 0 {
			first = n
		}
		d.state(s.State, s.Parallel, n, path+"."+n, depth+1)
	}
	s.Initial(first)
	if rapid.IntRange(0, 2).Draw(d.t, "final") > 0 {
		n := d.name("f")
		s.Final(n)
		d.add(path + "." + n)
		d.final[path+"."+n] = true
	}
	d.history(s, path, first)
}

func (d *drawer) history(s *statechart.StateBuilder, path, first string) {
	if rapid.IntRange(0, 2).Draw(d.t, "history") > 0 {
		return
	}
	n := d.name("h")
	h := s.History(n)
	if rapid.Bool().Draw(d.t, "deep") {
		h.Deep()
	}
	if first != "" && rapid.Bool().Draw(d.t, "to") {
		h.To(first)
	}
	d.add(path + "." + n)
	d.hist[path+"."+n] = true
}

func (d *drawer) hooks(s *statechart.StateBuilder) {
	if rapid.IntRange(0, 5).Draw(d.t, "enter") == 0 {
		s.OnEnter(statechart.Raise(rapid.SampledFrom(alphabet).Draw(d.t, "raise")))
	}
	if rapid.IntRange(0, 5).Draw(d.t, "exit") == 0 {
		s.OnExit(statechart.Raise(rapid.SampledFrom(alphabet).Draw(d.t, "raise")))
	}
	if rapid.IntRange(0, 4).Draw(d.t, "defer") == 0 {
		s.Defer(rapid.SampledFrom(alphabet).Draw(d.t, "deferred"))
	}
}

// transitions are drawn between any states; those that the checks refuse make the
// draft worthless, so most are of a kind that is always right.
func (d *drawer) transitions() {
	sources := slices.DeleteFunc(slices.Clone(d.paths), func(p string) bool { return d.final[p] || d.hist[p] })
	for range rapid.IntRange(3, 14).Draw(d.t, "transitions") {
		source := "." + rapid.SampledFrom(sources).Draw(d.t, "source")
		tr := d.b.From(source[1:])
		d.targets(tr)
		guarded := rapid.IntRange(0, 2).Draw(d.t, "guard") == 0
		switch rapid.IntRange(0, 9).Draw(d.t, "trigger") {
		case 0:
			tr.Always()
			guarded = true
		case 1:
			tr.On("done.state")
		case 2:
			tr.On("*")
		default:
			tr.On(rapid.SampledFrom(alphabet).Draw(d.t, "event"))
		}
		if guarded {
			tr.Where(statechart.Compare("n", "==", rapid.IntRange(0, 1).Draw(d.t, "n")))
		}
		if rapid.IntRange(0, 3).Draw(d.t, "internal") == 0 {
			tr.Internal()
		}
		if rapid.IntRange(0, 3).Draw(d.t, "do") == 0 {
			tr.Do(statechart.Raise(rapid.SampledFrom(alphabet).Draw(d.t, "raise")))
		}
	}
}

// targets gives a transition one target, several, none, or a choice.
func (d *drawer) targets(tr *statechart.TransitionBuilder) {
	target := func() string { return "." + rapid.SampledFrom(d.paths).Draw(d.t, "target") }
	switch kind := rapid.IntRange(0, 9).Draw(d.t, "targets"); {
	case kind == 0:
	case kind == 1:
		tr.SelectExpr("event.name").Branch("a", target()).Branch("b", target())
		if rapid.Bool().Draw(d.t, "else") {
			tr.Else(target())
		}
	case kind == 2 && len(d.sides) > 0:
		side := rapid.SampledFrom(d.sides).Draw(d.t, "side")
		tr.To("."+d.inside(side[0]), "."+d.inside(side[1]))
	default:
		tr.To(target())
	}
}

// inside draws a state in a region, or the region.
func (d *drawer) inside(region string) string {
	var in []string
	for _, p := range d.paths {
		if p == region || strings.HasPrefix(p, region+".") {
			in = append(in, p)
		}
	}
	return rapid.SampledFrom(in).Draw(d.t, "inside")
}
