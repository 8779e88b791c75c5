package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/durachart/durachart/execution"
	"github.com/durachart/durachart/internal/jsonvalue"
	"github.com/durachart/durachart/statechart"
)

// compareChildren lists what is not as expected of the children.
func (p *play) compareChildren(want expectation, chart *statechart.Chart) []string {
	var faults []string
	fault := func(format string, args ...any) { faults = append(faults, fmt.Sprintf(format, args...)) }
	for _, c := range want.Children {
		s, err := p.child(c.Site, c.Item)
		if err != nil {
			fault("child %s: %v", c.Site, err)
			continue
		}
		if cut(chart, c.Site) || want.Regions != nil || left(want) {
			continue // what still ran was cancelled, sooner or later
		}
		if got := strings.ToLower(string(s.Status)); got != c.Status {
			fault("child %s is %s, not %s", c.Site, got, c.Status)
		}
		if got := strings.Join(s.Configuration, ","); got != c.Active {
			fault("child %s stands in %s, not %s", c.Site, got, c.Active)
		}
	}
	for region, place := range want.Regions {
		s, err := p.child(region, nil)
		if err != nil {
			fault("region %s: %v", region, err)
		} else if got := strings.Join(s.Configuration, ","); got != place {
			fault("region %s stands in %s, not %s", region, got, place)
		}
	}
	for region, trace := range want.RegionTraces {
		s, err := p.child(region, nil)
		if err != nil {
			fault("region %s: %v", region, err)
			continue
		}
		context, err := jsonvalue.DecodeObject(s.Context)
		if got := recorded(context); err != nil || !slices.Equal(got, trace) {
			fault("trace of region %s: %v, not %v", region, got, trace)
		}
	}
	return faults
}

// left reports whether the execution has left its children behind, where the
// other engine had it wait for ever: they are cancelled with us.
func left(want expectation) bool {
	n := len(want.Active)
	return n > 1 && want.Status == "done" && *want.Active[n-1] != *want.Active[n-2] && len(want.RegionTraces) == 0 && anyRunning(want)
}

func anyRunning(want expectation) bool {
	return slices.ContainsFunc(want.Children, func(c childExpectation) bool { return c.Status == "running" })
}

// cut reports whether the site decides before all its children have ended.
func cut(chart *statechart.Chart, site string) bool {
	for s := chart.State(site); s != nil; s = s.Parent {
		if s.Join != nil {
			return s.Join.Policy != statechart.JoinAll
		}
	}
	return false
}

// child returns the newest child of a site: of a region path, or of an invoke
// state and perhaps an item.
func (p *play) child(site string, item *int) (*execution.Snapshot, error) {
	ids, err := p.w.all()
	if err != nil {
		return nil, err
	}
	var newest *execution.Snapshot
	var seq int64 = -1
	for _, id := range ids {
		s, err := p.w.snapshot(id)
		if err != nil {
			return nil, err
		}
		ref := s.ParentSite
		if ref == nil || ref.Seq < seq || s.RootPath != site && ref.Path != site {
			continue
		}
		if s.RootPath != "" && s.RootPath != site || item != nil && ref.Index != int64(*item) {
			continue
		}
		newest, seq = s, ref.Seq
	}
	if newest == nil {
		return nil, fmt.Errorf("there is none")
	}
	return newest, nil
}
