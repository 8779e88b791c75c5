package executiontest

import "github.com/durachart/durachart/statechart"

// Registry holds charts by name and version. It is the execution.Charts of a
// World.
type Registry struct {
	charts map[[2]string]*statechart.Chart
	newest map[string]string
}

// NewRegistry makes an empty registry.
func NewRegistry() *Registry {
	return &Registry{charts: map[[2]string]*statechart.Chart{}, newest: map[string]string{}}
}

// Add registers a chart as the newest of its name, after the charts that it brings
// along.
func (r *Registry) Add(c *statechart.Chart) {
	key := [2]string{c.Name(), c.Version()}
	if r.charts[key] == c {
		r.newest[c.Name()] = c.Version()
		return
	}
	r.charts[key] = c
	for _, inner := range c.Charts() {
		r.Add(inner)
	}
	r.newest[c.Name()] = c.Version()
}

// Chart returns a registered chart, or nil.
func (r *Registry) Chart(name, version string) *statechart.Chart {
	return r.charts[[2]string{name, version}]
}

// Newest returns the newest registered chart of that name, or nil.
func (r *Registry) Newest(name string) *statechart.Chart { return r.Chart(name, r.newest[name]) }

// Resolve implements execution.Charts.
func (r *Registry) Resolve(name, version string) (string, bool) {
	if version == "" {
		version = r.newest[name]
	}
	return version, r.Chart(name, version) != nil
}
