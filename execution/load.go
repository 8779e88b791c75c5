package execution

import (
	"fmt"
	"strings"

	"github.com/durachart/durachart/statechart"
)

// fits reports whether chart is the one of s and has the states that it names.
func fits(chart *statechart.Chart, s *Snapshot) error {
	if s == nil || s.Format > Format || !s.Status.valid() {
		return fmt.Errorf("%w: format or status", ErrInvalidSnapshot)
	}
	if chart.Name() != s.DefinitionID || chart.Version() != s.DefinitionVersion {
		return &ChartError{
			Chart: s.DefinitionID, Version: s.DefinitionVersion,
			Given: chart.Name() + "@" + chart.Version(),
		}
	}
	root := chart.State(s.RootPath)
	if root == nil || root.ExecutionRoot != root || root.Kind != statechart.Compound {
		return missing(s, []string{s.RootPath})
	}
	if len(s.History) > 0 || len(s.Sites) > 0 || len(s.Timers) > 0 {
		return lacking(chart, s)
	}
	return nil // the configuration is looked up when it is needed
}

// lacking reports all states that the snapshot names and the chart lacks.
func lacking(chart *statechart.Chart, s *Snapshot) error {
	root := chart.State(s.RootPath)
	var list []string
	need := func(path string) {
		if st := chart.State(path); st == nil || !root.Contains(st) {
			list = append(list, path)
		}
	}
	for _, path := range s.Configuration {
		need(path)
	}
	for i := range s.History {
		need(s.History[i].Path)
		for _, path := range s.History[i].States {
			need(path)
		}
	}
	for i := range s.Sites {
		need(s.Sites[i].Path)
	}
	for i := range s.Timers {
		if path, ok := timerState(s.Timers[i].Name); ok {
			need(path)
		}
	}
	if len(list) > 0 {
		return missing(s, list)
	}
	return nil
}

func missing(s *Snapshot, paths []string) error {
	return &ChartError{Chart: s.DefinitionID, Version: s.DefinitionVersion, Missing: paths}
}

// timerState returns the path of the state that a timer belongs to, false for a
// delayed send.
func timerState(name string) (string, bool) {
	if rest, ok := strings.CutPrefix(name, "timeout:"); ok {
		return rest, true
	}
	if rest, ok := strings.CutPrefix(name, "after:"); ok {
		if i := strings.LastIndexByte(rest, ':'); i >= 0 {
			return rest[:i], true
		}
		return rest, true
	}
	return "", false
}

// activate marks the states that the configuration of the snapshot stands for,
// and checks that it is a legal one.
func (m *machine) activate() error {
	for _, path := range m.in.Configuration {
		leaf := m.chart.State(path)
		if leaf == nil {
			return lacking(m.chart, m.in)
		}
		if !leaf.IsLeaf() || leaf.Kind == statechart.History || leaf.ExecutionRoot != m.root {
			return m.illegal(path)
		}
		for s := leaf; ; s = s.Parent {
			if m.active.has(s) {
				// Only the regions of a parallel are active side by side.
				if s.Kind != statechart.Parallel {
					return m.illegal(path)
				}
				break
			}
			m.active.add(s)
			if s == m.root {
				break
			}
		}
	}
	if len(m.in.Configuration) == 0 {
		return m.illegal("nothing")
	}
	return m.completeRegions()
}

// completeRegions checks that all regions of the active parallels are active.
func (m *machine) completeRegions() error {
	for i := m.active.next(0); i >= 0; i = m.active.next(i + 1) {
		s := m.chart.States()[i]
		if s.Kind != statechart.Parallel {
			continue
		}
		for _, c := range s.Children {
			if c.Kind != statechart.History && !m.active.has(c) {
				return m.illegal("no state of " + c.Path)
			}
		}
	}
	return nil
}

func (m *machine) illegal(what string) error {
	return fmt.Errorf("%w: configuration of %q: %s cannot be active so", ErrInvalidSnapshot, m.in.ID, what)
}
