package statechart

import "strings"

// checkRouting reports transitions on an orthogonal state or around it whose
// event a region names: while that region lives, it gets the event instead
// (S56).
func (c *compiler) checkRouting() {
	sets := make(map[*State]*routed) // by state: what the regions at or below it name
	for _, s := range c.chart.states {
		if s.IsRegion() {
			c.collect(sets, s)
		}
	}
	if len(sets) == 0 {
		return
	}
	for _, m := range c.moves {
		set := sets[m.Source]
		if set == nil {
			continue
		}
		for _, d := range m.Events {
			if d.Exact || c.unrouted(d.Name) {
				continue
			}
			if name, region := set.common(d.Name); region != nil {
				c.warn("shadowed_event", or(d.Pos, m.Pos), m.Source, "the region %s names %q: while it lives, this transition does not see it", label(region), name)
				break
			}
		}
	}
}

// collect tells the orthogonal state of the region r, and all states around it
// in its execution, what r names.
func (c *compiler) collect(sets map[*State]*routed, r *State) {
	for s := r.Parent; s != nil; s = s.Parent {
		if sets[s] == nil {
			sets[s] = &routed{exact: make(map[string]*State), below: make(map[string]below)}
		}
		for name := range sortedKeys(r.named.names) {
			if !c.unrouted(name) {
				sets[s].add(name, r)
			}
		}
		if r.named.all && sets[s].all == nil {
			sets[s].all = r
		}
		if s == s.ExecutionRoot {
			return
		}
	}
}

// routed holds the descriptors that regions name, so that one that has an event
// in common with another is found by a look-up per token.
type routed struct {
	all   *State
	exact map[string]*State
	below map[string]below // by every proper prefix of tokens
}

type below struct {
	name   string
	region *State
}

func (r *routed) add(name string, region *State) {
	if r.exact[name] == nil {
		r.exact[name] = region
	}
	for i := range len(name) {
		if name[i] == '.' && r.below[name[:i]].region == nil {
			r.below[name[:i]] = below{name, region}
		}
	}
	if first := r.below[""]; first.region == nil {
		r.below[""] = below{name, region}
	}
}

// common returns a descriptor that has an event in common with d, and the region
// that names it.
func (r *routed) common(d string) (string, *State) {
	if r.all != nil {
		return "*", r.all
	}
	if d == "*" {
		b := r.below[""]
		return b.name, b.region
	}
	if b := r.below[d]; b.region != nil {
		return b.name, b.region
	}
	for name := d; ; {
		if region := r.exact[name]; region != nil {
			return name, region
		}
		dot := strings.LastIndexByte(name, '.')
		if dot < 0 {
			return "", nil
		}
		name = name[:dot]
	}
}
