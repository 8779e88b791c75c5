package execution

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/durachart/durachart/internal/jsonvalue"
	"github.com/durachart/durachart/statechart"
)

// openSites opens the sites that were entered in this step and are still active,
// in document order (S53). It reports whether internal events wait now.
func (m *machine) openSites() bool {
	if len(m.opening) == 0 {
		return false
	}
	list := m.opening
	m.opening = nil
	slices.SortFunc(list, func(a, b *statechart.State) int { return a.Index - b.Index })
	for _, s := range list {
		var f *fault
		switch {
		case m.stopped():
			return false
		case s.Kind == statechart.Orthogonal:
			f = m.openRegions(s)
		case s.Invoke.Var != "":
			f = m.openEach(s)
		default:
			f = m.openInvoke(s)
		}
		if f != nil {
			m.raiseFault(f, s)
		}
	}
	return len(m.queue) > 0
}

// newSite takes the number of the opening and records the site.
func (m *machine) newSite(s *statechart.State, kind SiteKind, total int64) *Site {
	seq := m.takeSeq(s.Path)
	m.line("open", word(s.Path), decimal(seq))
	return m.addSite(Site{Path: s.Path, Kind: kind, Seq: seq, Total: total})
}

func (m *machine) takeSeq(path string) int64 {
	i, ok := slices.BinarySearchFunc(m.out.InvokeSeq, path, func(n NextSeq, p string) int {
		return strings.Compare(n.Path, p)
	})
	if !m.own.seqs {
		m.own.seqs = true
		m.out.InvokeSeq = slices.Clone(m.out.InvokeSeq)
	}
	if !ok {
		m.out.InvokeSeq = slices.Insert(m.out.InvokeSeq, i, NextSeq{Path: path})
	}
	seq := m.out.InvokeSeq[i].Next
	m.out.InvokeSeq[i].Next++
	return seq
}

// openRegions starts a child execution for each region of an orthogonal state.
func (m *machine) openRegions(s *statechart.State) *fault {
	contexts := make([]json.RawMessage, len(s.Children))
	for i, region := range s.Children {
		context, f := m.with(region.With, "", nil)
		if f != nil {
			return f
		}
		contexts[i] = context
	}
	site := *m.newSite(s, SiteRegions, int64(len(s.Children)))
	for i, region := range s.Children {
		id := m.regionID(region, site.Seq)
		m.addChild(Child{ID: id, RootPath: region.Path, Key: region.Path, Status: Running, Result: emptyObject})
		m.spawn(Spawn{
			Child: id, Chart: m.chart.Name(), Version: m.chart.Version(), RootPath: region.Path,
			Context: contexts[i], Site: SiteRef{Path: s.Path, Seq: site.Seq},
		})
	}
	return nil
}

// openInvoke starts the child of a single invoke.
func (m *machine) openInvoke(s *statechart.State) *fault {
	context, f := m.with(s.With, "", nil)
	if f != nil {
		return f
	}
	site := *m.newSite(s, SiteInvoke, 1)
	id := m.invokeID(&site)
	m.addChild(Child{ID: id, Submachine: true, Status: Running, Result: emptyObject})
	version, ok := m.resolveChart(s.Invoke)
	if !ok {
		m.recordUnstarted(s, 0, id)
		data := failedData(messageUnknownChart)
		m.enqueue(queued{
			Event: m.internal(s.ErrorEvent, data),
			kind:  kindInvoke, message: messageUnknownChart + " " + s.Invoke.Chart,
		})
		return nil
	}
	m.spawn(Spawn{
		Child: id, Chart: s.Invoke.Chart, Version: version, Context: context,
		Site: SiteRef{Path: s.Path, Seq: site.Seq},
	})
	return nil
}

// openEach starts the first children of a fan-out (S61).
func (m *machine) openEach(s *statechart.State) *fault {
	items, f := m.items(s)
	if f != nil {
		return f
	}
	if len(items) > m.limits.Children {
		return &fault{kind: kindCollection, action: "for", message: "more than " + itoa(m.limits.Children) + " items"}
	}
	total := int64(len(items))
	if decided, _ := decide(s.Join, &Site{Total: total}); decided {
		m.newSite(s, SiteEach, total)
		m.closeSite(s, true)
		return nil
	}
	// An error while opening leaves the site unopened, so the contexts of those
	// that start now are made first.
	n := min(total, m.limit(s))
	contexts := make([]json.RawMessage, n)
	for i := range contexts {
		if contexts[i], f = m.with(s.With, s.Invoke.Var, items[i]); f != nil {
			return f
		}
	}
	m.newSite(s, SiteEach, total)
	m.startChildren(s, contexts, true)
	return nil
}

// items reads the collection of a fan-out: a list; absent or null is an empty one.
func (m *machine) items(s *statechart.State) ([]any, *fault) {
	v, _ := jsonvalue.Get(m.context.value(), s.Invoke.In)
	if v == nil {
		return nil, nil
	}
	list, ok := v.([]any)
	if !ok {
		return nil, &fault{
			kind: kindCollection, action: "for",
			message: strings.Join(s.Invoke.In, ".") + " is " + jsonvalue.TypeName(v) + ", no list",
		}
	}
	return list, nil
}

// limit is how many children of a fan-out may be live at once.
func (m *machine) limit(s *statechart.State) int64 {
	n := m.limits.LiveChildren
	if s.Invoke.Limit > 0 {
		n = min(n, s.Invoke.Limit)
	}
	return int64(n)
}

// startChildren starts children of a fan-out until the limit of live ones is
// reached or the join is decided. made are the contexts of the first ones, if
// they are made already.
func (m *machine) startChildren(s *statechart.State, made []json.RawMessage, opening bool) {
	version, known := m.resolveChart(s.Invoke)
	limit := m.limit(s)
	for !m.stopped() {
		site := m.ownSite(s.Path)
		if decided, _ := decide(s.Join, site); decided {
			m.closeSite(s, opening)
			return
		}
		if site.Next == site.Total || site.liveCount() >= limit {
			return
		}
		index := site.Next
		site.Next++
		id := m.eachID(site, index)
		context, ok := m.childContext(s, made, index, opening)
		if !known || !ok {
			m.recordUnstarted(s, index, id)
			continue
		}
		m.spawn(Spawn{
			Child: id, Chart: s.Invoke.Chart, Version: version, Context: context,
			Site: SiteRef{Path: s.Path, Seq: site.Seq, Index: index},
		})
	}
}

// childContext makes the context of a child of a fan-out when it starts (S61).
func (m *machine) childContext(s *statechart.State, made []json.RawMessage, index int64, opening bool) (json.RawMessage, bool) {
	if index < int64(len(made)) {
		return made[index], true
	}
	items, f := m.items(s)
	if f == nil && index >= int64(len(items)) {
		f = &fault{kind: kindCollection, action: "for", message: "item " + decimal(index) + " is gone"}
	}
	var context json.RawMessage
	if f == nil {
		context, f = m.with(s.With, s.Invoke.Var, items[index])
	}
	if f != nil {
		m.raiseFault(f, s)
	}
	return context, f == nil
}

func (m *machine) spawn(s Spawn) {
	s.Parent, s.Priority = m.in.ID, m.in.Priority
	m.effects.spawns = append(m.effects.spawns, s)
}

const messageUnknownChart = "unknown chart"

// resolveChart names the version of the chart that an invoke runs (S63).
func (m *machine) resolveChart(inv *statechart.Invoke) (string, bool) {
	if inv.Inline != nil {
		return inv.Inline.Version(), true
	}
	if inv.Version != "" {
		if inv.Chart == m.chart.Name() && inv.Version == m.chart.Version() {
			return inv.Version, true
		}
		for _, c := range m.chart.Charts() {
			if c.Name() == inv.Chart && c.Version() == inv.Version {
				return inv.Version, true
			}
		}
	}
	if m.host.Charts == nil {
		return "", false
	}
	return m.host.Charts.Resolve(inv.Chart, inv.Version)
}
