package execution

import (
	"slices"
	"strconv"
	"strings"

	"github.com/durachart/durachart/statechart"
)

// Ids of children (S52).

func (m *machine) regionID(region *statechart.State, seq int64) string {
	return DerivedID(m.in.ID, region.Path, decimal(seq))
}

func (m *machine) invokeID(site *Site) string {
	return DerivedID(m.in.ID, site.Path, decimal(site.Seq))
}

func (m *machine) eachID(site *Site, index int64) string {
	return DerivedID(m.in.ID, site.Path, decimal(site.Seq), decimal(index))
}

// namedChildren returns the ids of the children of a site that have an entry in
// the snapshot: regions in document order, or the one invoked chart.
func (m *machine) namedChildren(site *Site) []string {
	switch site.Kind {
	case SiteRegions:
		s := m.chart.State(site.Path)
		ids := make([]string, 0, len(s.Children))
		for _, region := range s.Children {
			ids = append(ids, m.regionID(region, site.Seq))
		}
		return ids
	case SiteInvoke:
		return []string{m.invokeID(site)}
	}
	return nil
}

// liveChildren returns the ids of the live children of a site (S55).
func (m *machine) liveChildren(site *Site) []string {
	if site.Kind != SiteEach {
		return slices.DeleteFunc(m.namedChildren(site), func(id string) bool { return !m.isLive(id) })
	}
	ids := make([]string, 0, site.liveCount())
	for i := int64(0); i < site.Next; i++ {
		if !site.finished(i) {
			ids = append(ids, m.eachID(site, i))
		}
	}
	return ids
}

// childrenOf returns the live children of the site of a state, or of all sites if
// path is empty.
func (m *machine) childrenOf(path string) []string {
	var ids []string
	m.eachSite(func(site *Site) {
		if path == "" || site.Path == path {
			ids = append(ids, m.liveChildren(site)...)
		}
	})
	return ids
}

// isChildOf reports whether id is a child of the site, live or not.
func (m *machine) isChildOf(site *Site, id string) bool {
	if site.Kind != SiteEach {
		return slices.Contains(m.namedChildren(site), id)
	}
	if strings.HasPrefix(id, "~") {
		for i := int64(0); i < site.Next; i++ {
			if m.eachID(site, i) == id {
				return true
			}
		}
		return false
	}
	rest, ok := strings.CutPrefix(id, m.invokeID(site)+":")
	if !ok {
		return false
	}
	i, err := strconv.ParseInt(rest, 10, 64)
	return err == nil && i >= 0 && i < site.Next && decimal(i) == rest
}

func findChild(list []Child, id string) (int, bool) {
	return slices.BinarySearchFunc(list, id, func(c Child, id string) int { return strings.Compare(c.ID, id) })
}

// isLive reports whether a region or single invoke has started and not finished.
func (m *machine) isLive(id string) bool {
	i, ok := findChild(m.out.Children, id)
	return ok && !m.out.Children[i].Finished
}

func (m *machine) ownChildren() {
	if !m.own.children {
		m.own.children = true
		m.out.Children = slices.Clone(m.out.Children)
	}
}

func (m *machine) addChild(c Child) {
	m.ownChildren()
	i, ok := findChild(m.out.Children, c.ID)
	if ok {
		m.out.Children[i] = c
		return
	}
	m.out.Children = slices.Insert(m.out.Children, i, c)
}

// over is how many children of the site have finished.
func (s *Site) over() int64 { return s.Passed + s.Failed + s.Cancelled }

func (s *Site) liveCount() int64 { return s.Next - s.over() }

// finished reports whether the child of that index of a fan-out has finished.
func (s *Site) finished(index int64) bool {
	return int(index>>3) < len(s.Finished) && s.Finished[index>>3]&(1<<(index&7)) != 0
}

func (s *Site) markFinished(index int64) {
	for int(index>>3) >= len(s.Finished) {
		s.Finished = append(s.Finished, 0)
	}
	s.Finished[index>>3] |= 1 << (index & 7)
}
