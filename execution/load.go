package execution

import (
	"fmt"
	"math/bits"
	"strings"

	"github.com/durachart/durachart/statechart"
)

// fits reports whether chart is the one of s and has the states that it names, all
// but those of the configuration, which are looked up when they are needed.
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
	return nil
}

// lacking reports all states that the snapshot names and the chart lacks.
func lacking(chart *statechart.Chart, s *Snapshot) error {
	root := chart.State(s.RootPath)
	var list []string
	need := func(path string) {
		if st := chart.State(path); st == nil || st.ExecutionRoot != root {
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

// activate marks the states that the configuration of the snapshot stands for, and
// checks that the snapshot is one that a step can have left.
func (m *machine) activate() error {
	for _, path := range m.in.Configuration {
		leaf := m.chart.State(path)
		if leaf == nil || leaf.ExecutionRoot != m.root {
			return lacking(m.chart, m.in)
		}
		if !leaf.IsLeaf() || leaf.Kind == statechart.History {
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
	if err := m.completeRegions(); err != nil {
		return err
	}
	return m.checkBooks()
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

// checkBooks checks what else refers to states: a document that was tampered with
// must not make a step panic or leave an illegal configuration.
func (m *machine) checkBooks() error {
	for i := range m.in.Timers {
		if path, ok := timerState(m.in.Timers[i].Name); ok && !m.active.has(m.chart.State(path)) {
			return m.corrupt("timer " + m.in.Timers[i].Name)
		}
	}
	for i := range m.in.Sites {
		site := &m.in.Sites[i]
		if s := m.chart.State(site.Path); !m.active.has(s) || site.Kind != kindOfSite(s) || !site.adds() {
			return m.corrupt("site " + site.Path)
		}
	}
	for i := range m.in.History {
		if !m.canRecord(&m.in.History[i]) {
			return m.corrupt("history " + m.in.History[i].Path)
		}
	}
	return nil
}

func (m *machine) corrupt(what string) error {
	return fmt.Errorf("%w: %q: %s", ErrInvalidSnapshot, m.in.ID, what)
}

// kindOfSite is the kind that an open site of a state has, empty if it has none.
func kindOfSite(s *statechart.State) SiteKind {
	switch {
	case s.Kind == statechart.Orthogonal:
		return SiteRegions
	case s.Kind != statechart.Invoking:
		return ""
	case s.Invoke.Var != "":
		return SiteEach
	}
	return SiteInvoke
}

// adds reports whether the counts of a site agree with its bitmap.
func (s *Site) adds() bool {
	if s.Kind != SiteEach {
		return true
	}
	n := int64(0)
	for _, b := range s.Finished {
		n += int64(bits.OnesCount8(b))
	}
	return n == s.over() && n <= s.Next
}

// canRecord reports whether r can be the record of its history state.
func (m *machine) canRecord(r *Recorded) bool {
	h := m.chart.State(r.Path)
	if h.Kind != statechart.History {
		return false
	}
	for i, path := range r.States {
		s := m.chart.State(path)
		if s.Kind == statechart.History || !h.Parent.Above(s) {
			return false
		}
		for _, other := range r.States[i+1:] {
			if !together(s, m.chart.State(other)) {
				return false
			}
		}
	}
	return len(r.States) > 0
}
