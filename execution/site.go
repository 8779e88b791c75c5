package execution

import (
	"slices"
	"strings"

	"github.com/durachart/durachart/statechart"
)

func findSite(list []Site, path string) (int, bool) {
	return slices.BinarySearchFunc(list, path, func(s Site, p string) int { return strings.Compare(s.Path, p) })
}

// site returns the open site of a state, or nil. It is to be read only; see
// ownSite.
func (m *machine) site(path string) *Site {
	if i, ok := findSite(m.out.Sites, path); ok {
		return &m.out.Sites[i]
	}
	return nil
}

// ownSite returns the open site of a state for writing.
func (m *machine) ownSite(path string) *Site {
	if !m.own.sites {
		m.own.sites = true
		m.out.Sites = slices.Clone(m.out.Sites)
		for i := range m.out.Sites {
			m.out.Sites[i].Finished = slices.Clone(m.out.Sites[i].Finished)
			m.out.Sites[i].Results = slices.Clone(m.out.Sites[i].Results)
		}
	}
	return m.site(path)
}

func (m *machine) addSite(s Site) *Site {
	m.ownSite(s.Path)
	i, _ := findSite(m.out.Sites, s.Path)
	m.out.Sites = slices.Insert(m.out.Sites, i, s)
	return &m.out.Sites[i]
}

// forgetSite removes a site and its children (S62).
func (m *machine) forgetSite(path string) {
	site := m.site(path)
	if site == nil {
		return
	}
	ids := m.namedChildren(site)
	m.ownSite(path)
	i, _ := findSite(m.out.Sites, path)
	m.out.Sites = slices.Delete(m.out.Sites, i, i+1)
	if len(ids) > 0 {
		m.ownChildren()
		m.out.Children = slices.DeleteFunc(m.out.Children, func(c Child) bool { return slices.Contains(ids, c.ID) })
	}
}

// eachSite calls f for the open sites in document order.
func (m *machine) eachSite(f func(*Site)) {
	if len(m.out.Sites) == 1 {
		f(&m.out.Sites[0])
		return
	}
	states := make([]*statechart.State, 0, len(m.out.Sites))
	for i := range m.out.Sites {
		states = append(states, m.chart.State(m.out.Sites[i].Path))
	}
	slices.SortFunc(states, func(a, b *statechart.State) int { return a.Index - b.Index })
	for _, s := range states {
		f(m.site(s.Path))
	}
}

// dropSite closes the site of a state that is exited: its live children are
// cancelled (S62).
func (m *machine) dropSite(s *statechart.State, mode CancelMode) {
	if s.Kind != statechart.Orthogonal && s.Kind != statechart.Invoking {
		return
	}
	m.opening = slices.DeleteFunc(m.opening, func(o *statechart.State) bool { return o == s })
	if site := m.site(s.Path); site != nil {
		m.cancelLive(site, mode)
		m.forgetSite(s.Path)
	}
}

// cancelLive gives CancelChild for each live child of a site and returns how many
// there were.
func (m *machine) cancelLive(site *Site, mode CancelMode) int {
	live := m.liveChildren(site)
	for _, id := range live {
		m.effects.cancels = append(m.effects.cancels, CancelChild{Child: id, Mode: mode})
	}
	return len(live)
}
