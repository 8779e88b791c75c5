package actor

import (
	"fmt"

	"github.com/durachart/durachart/execution"
	"github.com/durachart/durachart/statechart"
)

// charts are the registered charts. It is immutable and implements
// [execution.Charts].
type charts map[string]*versions

// versions are those of one name.
type versions struct {
	newest *statechart.Chart // the one registered last
	all    map[string]*statechart.Chart
}

// register returns the charts with those that they bring along (S13), and every
// mistake: a nil chart, two different charts of one name and version, handlers
// that are missing (S72).
func register(given []*statechart.Chart, handlers execution.Handlers) (charts, []error) {
	c := make(charts)
	var wrong []error
	for i, chart := range given {
		if chart == nil {
			wrong = append(wrong, fmt.Errorf("chart %d of Charts is nil", i))
			continue
		}
		wrong = append(wrong, c.add(chart)...)
		if err := execution.Check(chart, handlers); err != nil {
			wrong = append(wrong, fmt.Errorf("chart %q: %w", chart.Name(), err))
		}
	}
	return c, wrong
}

// add registers chart after those that it brings along, so that of two versions
// of a name the one that was given itself is the newest.
func (c charts) add(chart *statechart.Chart) (wrong []error) {
	v := c[chart.Name()]
	if v != nil && v.all[chart.Version()].Equal(chart) {
		v.newest = chart
		return nil
	}
	for _, brought := range chart.Charts() {
		if brought != chart {
			wrong = append(wrong, c.add(brought)...)
		}
	}
	if v = c[chart.Name()]; v == nil {
		v = &versions{all: make(map[string]*statechart.Chart)}
		c[chart.Name()] = v
	}
	if other := v.all[chart.Version()]; other != nil && !other.Equal(chart) {
		return append(wrong, fmt.Errorf("two different charts %q have version %q", chart.Name(), chart.Version()))
	}
	v.all[chart.Version()], v.newest = chart, chart
	return wrong
}

// get returns a chart; the newest if version is empty. ErrUnknownChart.
func (c charts) get(name, version string) (*statechart.Chart, error) {
	v := c[name]
	if v == nil {
		return nil, &UnknownChartError{Chart: name, Version: version}
	}
	if version == "" {
		return v.newest, nil
	}
	if chart := v.all[version]; chart != nil {
		return chart, nil
	}
	return nil, &UnknownChartError{Chart: name, Version: version}
}

// Resolve implements [execution.Charts].
func (c charts) Resolve(name, version string) (string, bool) {
	chart, err := c.get(name, version)
	if err != nil {
		return "", false
	}
	return chart.Version(), true
}
