package execution

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/durachart/durachart/internal/jsonvalue"
	"github.com/durachart/durachart/statechart"
)

// decide tells whether a join is decided, and whether it passes (S59).
func decide(j *statechart.Join, s *Site) (decided, pass bool) {
	if j == nil || j.Policy == statechart.JoinAll {
		return s.over() == s.Total, s.Total > 0 && s.Passed == s.Total
	}
	n := int64(1)
	if j.Policy == statechart.JoinCount {
		n = int64(j.N)
	}
	pass = s.Passed >= n
	return pass || s.Passed+s.Total-s.over() < n, pass
}

// recordEnd records what a child reports of its end, and what follows from it
// (S58). It reports false if the report is stale.
func (m *machine) recordEnd(f *Finished) bool {
	site := m.site(f.Site.Path)
	if site == nil || site.Seq != f.Site.Seq {
		return false
	}
	if site.Kind == SiteEach {
		i := f.Site.Index
		if i < 0 || i >= site.Next || site.finished(i) || m.eachID(site, i) != f.Child {
			return false
		}
	} else if !m.isLive(f.Child) || !m.isChildOf(site, f.Child) {
		return false
	}
	s := m.chart.State(site.Path)
	m.note(s, f)
	if site.Kind == SiteInvoke {
		m.offerCompletion(s, f)
		return true
	}
	if decided, _ := decide(s.Join, m.site(s.Path)); decided {
		m.closeSite(s, false)
	} else if site.Kind == SiteEach {
		m.startChildren(s, nil, false)
	}
	return true
}

// note writes the end of a child into the snapshot.
func (m *machine) note(s *statechart.State, f *Finished) {
	m.line("record", word(f.Child), string(f.Status), word(f.Outcome))
	site := m.ownSite(s.Path)
	passed := f.Status == Done && f.Outcome == outcomeSuccess
	switch {
	case passed:
		site.Passed++
	case f.Status == Cancelled:
		site.Cancelled++
	default:
		site.Failed++
	}
	if site.Kind == SiteEach {
		site.markFinished(f.Site.Index)
		if !passed || string(f.Result) != "{}" {
			m.keep(site, f.Site.Index, completion(f.Outcome, string(f.Status), f.Result))
		}
		return
	}
	i, _ := findChild(m.out.Children, f.Child)
	m.ownChildren()
	c := &m.out.Children[i]
	c.Finished, c.Status, c.Outcome, c.Result = true, f.Status, f.Outcome, f.Result
}

// recordUnstarted records the end of a child that could not be started.
func (m *machine) recordUnstarted(s *statechart.State, index int64, id string) {
	m.note(s, &Finished{
		Child: id, Site: SiteRef{Index: index}, Status: Failed, Outcome: outcomeFailed, Result: emptyObject,
	})
}

// keep keeps the result of a child of a fan-out, up to the limit those of the
// lowest indexes (S60).
func (m *machine) keep(site *Site, index int64, data json.RawMessage) {
	i, _ := slices.BinarySearchFunc(site.Results, index, func(k Kept, i int64) int { return int(k.Index - i) })
	if i >= m.limits.Results {
		return
	}
	site.Results = slices.Insert(site.Results, i, Kept{Index: index, Data: data})
	if len(site.Results) > m.limits.Results {
		site.Results = site.Results[:m.limits.Results]
	}
}

// offerCompletion offers the completion of a single invoke.
func (m *machine) offerCompletion(s *statechart.State, f *Finished) {
	name, data := s.DoneEvent, completion(f.Outcome, string(f.Status), f.Result)
	if f.Status != Done {
		name, data = s.ErrorEvent, errorData(f)
	}
	m.offer(m.byOperation(name, data, f.Child))
}

func errorData(f *Finished) []byte {
	d := appendTextOrNull([]byte(`{"error":`), f.Error)
	d = append(d, `,"outcome":`...)
	d = jsonvalue.AppendText(d, f.Outcome)
	d = append(d, `,"status":`...)
	return append(jsonvalue.AppendText(d, string(f.Status)), '}')
}

func failedData(message string) []byte {
	return errorData(&Finished{Error: message, Outcome: outcomeFailed, Status: Failed})
}

// closeSite closes a site whose join is decided: the losers are cancelled, and
// the completion is offered, or raised if that happens while the site opens
// (S59).
func (m *machine) closeSite(s *statechart.State, opening bool) {
	site := m.ownSite(s.Path)
	_, pass := decide(s.Join, site)
	m.cancelLosers(site)
	data := m.joinData(s, site, pass)
	verdict := "fail"
	if pass {
		verdict = "pass"
	}
	m.line("close", word(s.Path), decimal(site.Seq), verdict)
	m.forgetSite(s.Path)
	if opening {
		m.raiseOwn(s.DoneEvent, data)
		return
	}
	e := m.byOperation(s.DoneEvent, data, "")
	m.see(e)
	m.run(s.Finalize, s) // S64: its completion included
	m.offer(e)
}

// cancelLosers cancels the live children of a site; they and those that were not
// started count as CANCELLED.
func (m *machine) cancelLosers(site *Site) {
	m.cancelLive(site, ModeStop)
	lost := completion(outcomeCancelled, string(Cancelled), emptyObject)
	if site.Kind == SiteEach {
		for i := int64(0); i < site.Next; i++ {
			if !site.finished(i) {
				m.keep(site, i, lost)
			}
		}
	} else {
		for _, id := range m.namedChildren(site) {
			if i, ok := findChild(m.out.Children, id); ok && !m.out.Children[i].Finished {
				m.ownChildren()
				c := &m.out.Children[i]
				c.Finished, c.Status, c.Outcome = true, Cancelled, outcomeCancelled
			}
		}
	}
	site.Cancelled += site.Total - site.over()
}

// joinData is the data of the completion of an orthogonal state or fan-out (S60).
func (m *machine) joinData(s *statechart.State, site *Site, pass bool) json.RawMessage {
	d := append([]byte(`{"cancelled":`), decimal(site.Cancelled)...)
	d = append(d, `,"failed":`...)
	d = append(d, decimal(site.Failed)...)
	d = append(d, `,"pass":`...)
	d = strconv.AppendBool(d, pass)
	d = append(d, `,"passed":`...)
	d = append(d, decimal(site.Passed)...)
	d = append(d, `,"results":{`...)
	for i, r := range m.results(s, site) {
		if i > 0 {
			d = append(d, ',')
		}
		d = jsonvalue.AppendText(d, r.key)
		d = append(d, ':')
		d = append(d, r.data...)
	}
	d = append(d, `},"total":`...)
	return append(append(d, decimal(site.Total)...), '}')
}

type keyed struct {
	key  string
	data json.RawMessage
}

// results are the results of a site in the order of canonical JSON: by region
// path, or by the decimal index.
func (m *machine) results(s *statechart.State, site *Site) []keyed {
	if site.Kind == SiteEach {
		return byText(site.Results)
	}
	var list []keyed
	for _, region := range s.Children {
		if i, ok := findChild(m.out.Children, m.regionID(region, site.Seq)); ok {
			c := &m.out.Children[i]
			list = append(list, keyed{region.Path, completion(c.Outcome, string(c.Status), c.Result)})
		}
	}
	slices.SortFunc(list, func(a, b keyed) int { return strings.Compare(a.key, b.key) })
	return list
}
