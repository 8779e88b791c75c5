package statechart

import (
	"cmp"
	"slices"
)

// checkCycles reports automatic transitions that lead back to themselves:
// eventless_cycle, an error if no guard can end the run, else a warning.
//
// It looks for circles in a graph of what follows what. A node "entered" leads
// to what is entered by default, down to the leaves; from there "tried" nodes
// lead up, for the automatic transitions of a leaf are tried before those around
// it, and an unguarded one ends the search; each automatic transition leads to
// its targets.
func (c *compiler) checkCycles() {
	if !slices.ContainsFunc(c.moves, func(m *move) bool { return m.Always }) {
		return
	}
	g := &cycles{chart: c.chart, moves: c.moves}
	g.build()
	hot := make(map[*move]bool)
	for _, circle := range g.circles(true) {
		for _, m := range circle {
			hot[m] = true
		}
		c.fail("eventless_cycle", circle[0].Pos, circle[0].Source, "automatic transitions lead back to %s without a guard: the step would never end", label(circle[0].Source))
	}
	for _, circle := range g.circles(false) {
		if !slices.ContainsFunc(circle, func(m *move) bool { return hot[m] }) {
			c.warn("eventless_cycle", circle[0].Pos, circle[0].Source, "automatic transitions lead back to %s: only their guards end the step", label(circle[0].Source))
		}
	}
}

// cycles is the graph. Node 2i is "state i is entered", 2i+1 "the automatic
// transitions of state i are tried", and behind them there is one for each
// transition.
type cycles struct {
	chart *Chart
	moves []*move
	next  [][]int
	base  int // number of the first transition
}

func (g *cycles) build() {
	g.base = 2 * len(g.chart.states)
	g.next = make([][]int, g.base+len(g.moves))
	blocks := make(flags, len(g.chart.states)) // has an unguarded one
	for i, m := range g.moves {
		if !m.Always {
			continue
		}
		tried := 2*m.Source.Index + 1
		g.next[tried] = append(g.next[tried], g.base+i)
		blocks[m.Source.Index] = blocks[m.Source.Index] || certain(m)
		for _, t := range m.everyTarget() {
			g.next[g.base+i] = append(g.next[g.base+i], 2*t.Index)
		}
		if !m.leads() {
			g.next[g.base+i] = append(g.next[g.base+i], tried)
		}
	}
	for i, s := range g.chart.states {
		g.next[2*i] = append(g.next[2*i], g.entered(s)...)
		if s != s.ExecutionRoot && !blocks[i] && !(s.Kind == Final && s.Parent == s.ExecutionRoot) {
			g.next[2*i+1] = append(g.next[2*i+1], 2*s.Parent.Index+1)
		}
	}
}

// entered lists what is entered with s by default, or tried once s is.
func (g *cycles) entered(s *State) []int {
	var out []int
	add := func(e *Entry) {
		if e != nil {
			for _, t := range e.Targets {
				out = append(out, 2*t.Index)
			}
		}
	}
	switch s.Kind {
	case Compound:
		add(s.Initial)
	case History:
		if add(s.Default); s.Default == nil && s.Parent != nil {
			add(s.Parent.Initial)
		}
	case Parallel:
		for _, k := range s.Children {
			if k.Kind != History {
				out = append(out, 2*k.Index)
			}
		}
	default:
		out = append(out, 2*s.Index+1)
	}
	return out
}

// certain reports whether m is taken whenever it is tried; a choice counts as
// guarded.
func certain(m *move) bool { return len(m.Guards) == 0 && m.Choice == nil }

// unavoidable reports whether m is taken whenever its source is reached: it is
// certain, and no automatic transition with a guard stands before it, which could
// be the way out.
func unavoidable(m *move) bool {
	return certain(m) && !slices.ContainsFunc(m.Source.Transitions[:m.Index], func(t *Transition) bool { return t.Always })
}

// circles returns the automatic transitions of each strongly connected part that
// has one, in document order; if onlyCertain, guarded ones are left out of the
// graph. It is Tarjan's algorithm with a stack of its own, since paths are as
// long as the chart.
func (g *cycles) circles(onlyCertain bool) [][]*move {
	var out [][]*move
	t := tarjan{next: func(v int) []int {
		if v >= g.base && onlyCertain && !unavoidable(g.moves[v-g.base]) {
			return nil
		}
		return g.next[v]
	}}
	t.run(len(g.next), func(part []int) {
		if len(part) == 1 { // every circle passes through a state as well
			return
		}
		var circle []*move
		for _, v := range part {
			if v >= g.base {
				circle = append(circle, g.moves[v-g.base])
			}
		}
		if len(circle) > 0 {
			slices.SortFunc(circle, inDocumentOrder)
			out = append(out, circle)
		}
	})
	slices.SortFunc(out, func(a, b []*move) int { return inDocumentOrder(a[0], b[0]) })
	return out
}

func inDocumentOrder(a, b *move) int {
	return cmp.Or(cmp.Compare(a.Source.Index, b.Source.Index), cmp.Compare(a.Index, b.Index))
}
