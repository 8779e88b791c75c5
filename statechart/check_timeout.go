package statechart

import "slices"

// checkTimeouts finds timeouts that nothing takes and transitions that wait for
// one that nothing arms.
func (c *compiler) checkTimeouts() {
	if c.chart.profile == ProfileSCXML {
		return // timeout is an ordinary name (S29)
	}
	timed, takes := c.newFlags(), c.newFlags()
	for i, s := range c.chart.states {
		timed[i] = s.Timeout != nil
		for _, t := range s.Transitions {
			takes[i] = takes[i] || slices.ContainsFunc(t.Events, func(d Descriptor) bool { return d.Matches("timeout") })
		}
	}
	timed.raise(c.chart.states)
	takes.inherit(c.chart.states)
	for i, s := range c.chart.states {
		if s.Timeout != nil && !takes[i] && s.Kind != Final && s.Kind != History {
			c.warn("timeout_unhandled", or(s.Timeout.Pos, s.Pos), s, "no transition of %s or around it takes its timeout", label(s))
		}
	}
	for _, m := range c.moves {
		for _, d := range m.Events {
			if d.Name == "timeout" && !timed[m.Source.Index] {
				c.warn("timeout_never", or(d.Pos, m.Pos), m.Source, "no state at or below %s has a timeout", label(m.Source))
			}
		}
	}
}
