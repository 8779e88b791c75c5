package execution

import (
	"slices"
	"strings"

	"github.com/durachart/durachart/statechart"
)

// effective returns targets with each history state replaced by what it stands
// for now (S28).
func (m *machine) effective(targets []*statechart.State) []*statechart.State {
	for _, t := range targets {
		if t.Kind == statechart.History {
			return m.expand(nil, targets, 0)
		}
	}
	return targets
}

// maxExpand bounds the way through histories that stand for each other.
const maxExpand = 32

func (m *machine) expand(out, targets []*statechart.State, depth int) []*statechart.State {
	for _, t := range targets {
		switch {
		case t.Kind != statechart.History:
			out = append(out, t)
		case depth == maxExpand:
			out = append(out, firstChild(t.Parent))
		default:
			out = m.standsFor(out, t, depth)
		}
	}
	return out
}

// standsFor appends what a history state stands for (S10): the record, without
// one the states after "to", without these the parent's initial.
func (m *machine) standsFor(out []*statechart.State, h *statechart.State, depth int) []*statechart.State {
	if rec := m.recorded(h.Path); rec != nil {
		for _, path := range rec.States {
			if s := m.chart.State(path); s != nil {
				out = append(out, s)
			}
		}
		return out
	}
	if h.Default != nil {
		return m.expand(out, h.Default.Targets, depth+1)
	}
	if h.Parent.Initial != nil {
		return m.expand(out, h.Parent.Initial.Targets, depth+1)
	}
	for _, c := range h.Parent.Children { // a parallel: all its regions
		if c.Kind != statechart.History {
			out = append(out, c)
		}
	}
	return out
}

func firstChild(s *statechart.State) *statechart.State {
	for _, c := range s.Children {
		if c.Kind != statechart.History {
			return c
		}
	}
	return s
}

func (m *machine) recorded(path string) *Recorded {
	if i, ok := findRecorded(m.out.History, path); ok {
		return &m.out.History[i]
	}
	return nil
}

func findRecorded(list []Recorded, path string) (int, bool) {
	return slices.BinarySearchFunc(list, path, func(r Recorded, p string) int { return strings.Compare(r.Path, p) })
}

// record lets the history states of s, which is about to be exited, record what
// is active (S10).
func (m *machine) record(s *statechart.State) {
	for _, h := range s.Children {
		if h.Kind != statechart.History {
			continue
		}
		if m.complete(s) {
			m.forget(h.Path)
			continue
		}
		var paths []string
		if h.Deep {
			paths = m.deepRecord(nil, s)
		} else {
			for _, c := range s.Children {
				if m.active.has(c) {
					paths = append(paths, c.Path)
				}
			}
		}
		slices.Sort(paths)
		m.remember(h.Path, paths)
	}
}

// deepRecord collects the active leaves below s, but for a complete compound or
// parallel its own path, so that it is entered by default later.
func (m *machine) deepRecord(paths []string, s *statechart.State) []string {
	for _, c := range s.Children {
		switch {
		case !m.active.has(c):
		case c.IsLeaf() || m.complete(c):
			paths = append(paths, c.Path)
		default:
			paths = m.deepRecord(paths, c)
		}
	}
	return paths
}

func (m *machine) remember(path string, states []string) {
	m.ownHistory()
	i, ok := findRecorded(m.out.History, path)
	if ok {
		m.out.History[i].States = states
		return
	}
	m.out.History = slices.Insert(m.out.History, i, Recorded{Path: path, States: states})
}

func (m *machine) forget(path string) {
	if i, ok := findRecorded(m.out.History, path); ok {
		m.ownHistory()
		m.out.History = slices.Delete(m.out.History, i, i+1)
	}
}

func (m *machine) ownHistory() {
	if !m.own.history {
		m.own.history = true
		m.out.History = slices.Clone(m.out.History)
	}
}
