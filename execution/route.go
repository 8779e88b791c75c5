package execution

import "github.com/durachart/durachart/statechart"

// routing is which regions got an event, and whose transitions that blocks (S25).
type routing struct {
	to []string            // ids of the regions
	at []*statechart.State // their orthogonal states
}

// blocks reports whether the transitions of s are blocked.
func (r *routing) blocks(s *statechart.State) bool {
	if r == nil {
		return false
	}
	for _, o := range r.at {
		if s.Contains(o) {
			return true
		}
	}
	return false
}

// holds reports whether s itself forwarded the event.
func (r *routing) holds(s *statechart.State) bool {
	if r == nil {
		return false
	}
	for _, o := range r.at {
		if s == o {
			return true
		}
	}
	return false
}

// route emits e to all live regions that name it (S56).
func (m *machine) route(e Event, r *routing) {
	for i := m.active.next(0); i >= 0; i = m.active.next(i + 1) {
		s := m.chart.States()[i]
		if s.Kind != statechart.Orthogonal {
			continue
		}
		site := m.site(s.Path)
		if site == nil {
			continue
		}
		before := len(r.to)
		for _, region := range s.Children {
			if !region.Names(e.Name) {
				continue
			}
			if id := m.regionID(region, site.Seq); m.isLive(id) {
				r.to = append(r.to, id)
				m.emit(id, e)
			}
		}
		if len(r.to) > before {
			r.at = append(r.at, s)
		}
	}
}

// autoforward emits e to the live children of sites that want every external
// event, its origin excepted (S64).
func (m *machine) autoforward(e Event) {
	for i := range m.out.Sites {
		site := &m.out.Sites[i]
		if s := m.chart.State(site.Path); !s.Autoforward {
			continue
		}
		for _, id := range m.liveChildren(site) {
			if id != e.Origin {
				m.emit(id, e)
			}
		}
	}
}

// finalize runs the finalize actions of the sites that e comes from (S64).
func (m *machine) finalize(e Event) {
	if e.Origin == "" {
		return
	}
	for i := range m.out.Sites {
		s := m.chart.State(m.out.Sites[i].Path)
		if len(s.Finalize) > 0 && m.isChildOf(&m.out.Sites[i], e.Origin) {
			m.run(s.Finalize, s)
		}
	}
}
