package statechart

import "strings"

// descriptorUse is where a descriptor stands.
type descriptorUse uint8

const (
	triggerUse descriptorUse = iota
	deferUse
)

// eventName checks the event of a raise or send.
func (c *compiler) eventName(name, verb string, sc scope) {
	if fault := eventFault(name); fault != "" {
		c.fail("bad_name", sc.pos, sc.state, "%s: the event name %q %s", verb, name, fault)
		return
	}
	if ReservedEvent(name, c.chart.profile) {
		c.fail("reserved_event", sc.pos, sc.state, "%s: %q is an event that only the step itself makes", verb, name)
		return
	}
	if name == "cancel" {
		return
	}
	if !c.declaresEvents() || c.events.named[name] != nil {
		return
	}
	c.unknownEvent(name, sc.pos, sc.state, "%s: no event %q is declared", verb, name)
}

// declaresEvents reports whether names of events can be checked, and remembers
// that one was asked for.
func (c *compiler) declaresEvents() bool {
	c.outermost().undeclared = len(c.chart.events) == 0
	return len(c.chart.events) > 0
}

func (c *compiler) unknownEvent(name string, pos Pos, s *State, format string, args ...any) {
	c.fail("unknown_event", pos, s, format, args...).Hint = c.didYouMean(name, func(yield func(string) bool) {
		for i := range c.chart.events {
			if !yield(c.chart.events[i].Name) {
				return
			}
		}
	})
}

// descriptor checks the event descriptor n of a trigger or defer of s. Of a
// completion event it resolves the state (S17, S94).
func (c *compiler) descriptor(n NamePos, use descriptorUse, s *State, fallback Pos) (Descriptor, bool) {
	pos := or(n.Pos, fallback)
	d := Descriptor{Name: n.Name, Pos: n.Pos}
	if n.Name == "*" {
		return d, true
	}
	d.Name = strings.TrimSuffix(n.Name, ".*")
	if fault := eventFault(d.Name); fault != "" {
		c.fail("bad_name", pos, s, "the event name %q %s", n.Name, fault)
		return d, false
	}
	if use == deferUse {
		if ReservedEvent(d.Name, c.chart.profile) {
			c.fail("reserved_event", pos, s, "%q cannot be deferred: only external events with other names can", n.Name)
			return d, false
		}
	} else if d.Name[0] == '$' {
		c.fail("reserved_event", pos, s, "no trigger sees the system event %q", n.Name)
		return d, false
	}
	if !c.ownEvent(d.Name) && c.declaresEvents() && len(c.events.matches(d.Name)) == 0 {
		c.unknownEvent(d.Name, pos, s, "no declared event matches %q", n.Name)
	}
	return d, true
}

// ownEvent reports whether a descriptor is for events that no chart declares.
func (c *compiler) ownEvent(descriptor string) bool {
	switch descriptor {
	case "cancel", "done", "error", "Cancel":
		return true
	}
	return ReservedEvent(descriptor, c.chart.profile)
}

// completion splits the name of a completion event: done.state.X, done.invoke.X
// and error.invoke.X.
func completion(name string) (prefix, x string, ok bool) {
	for _, p := range [...]string{"done.state.", "done.invoke.", "error.invoke."} {
		if x, ok := strings.CutPrefix(name, p); ok && x != "" {
			return p, x, true
		}
	}
	return "", "", false
}
