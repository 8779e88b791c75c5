package statechart

import "strings"

// checkOrder finds transitions that an earlier one of their source hides:
// nondeterministic_automatic and shadowed_transition.
func (c *compiler) checkOrder() {
	for _, s := range c.chart.states {
		automatic := false
		var earlier coverage
		for _, t := range s.Transitions {
			switch {
			case t.Always && automatic && t.unguarded():
				c.fail("nondeterministic_automatic", t.Pos, s, "%s has an unguarded automatic transition already, so this one is never taken", label(s)).
					Hint = "give the earlier ones guards: the last may be without"
			case t.Always && automatic, len(t.Events) > 0 && earlier.covers(t.Events):
				c.warn("shadowed_transition", t.Pos, s, "an earlier transition of %s without a guard has the same or a wider trigger, so this one is never taken", label(s))
			}
			if t.unguarded() {
				automatic = automatic || t.Always
				earlier.add(t.Events)
			}
		}
	}
}

// coverage is a set of descriptors.
type coverage struct {
	wide  nameSet
	exact map[string]bool
}

func (v *coverage) add(ds []Descriptor) {
	for _, d := range ds {
		if !d.Exact {
			v.wide.add(d.Name)
			continue
		}
		if v.exact == nil {
			v.exact = make(map[string]bool)
		}
		v.exact[d.Name] = true
	}
}

// covers reports whether every event that one of ds matches is in v.
func (v *coverage) covers(ds []Descriptor) bool {
	for _, d := range ds {
		if !v.wide.covers(d.Name) && !(d.Exact && v.exact[d.Name]) {
			return false
		}
	}
	return true
}

// covers reports whether one descriptor in n matches all that descriptor does.
func (n *nameSet) covers(descriptor string) bool {
	if descriptor == "*" {
		return n.all
	}
	return n.matches(descriptor)
}

// checkInternal reports internal where it has no effect (S28): it needs a
// compound source that is no execution root, and targets that all lie below it.
func (c *compiler) checkInternal() {
	for _, m := range c.moves {
		if m.Internal && !m.internalMatters() && m.resolved() {
			c.warn("internal_ignored", m.Pos, m.Source, `"internal" has no effect here: it is for a state with children and targets inside it`)
		}
	}
}

// resolved reports whether no target was lost to an error.
func (m *move) resolved() bool {
	return len(m.Targets) == len(m.decl.Targets) || m.decl.Join != nil
}

func (m *move) internalMatters() bool {
	s := m.Source
	if s.Kind != Compound || s == s.ExecutionRoot {
		return false
	}
	if m.Choice != nil { // one branch that lies below is enough
		for _, t := range m.everyTarget() {
			if s.Above(t) {
				return true
			}
		}
		return false
	}
	for _, t := range m.Targets {
		if !s.Above(t) {
			return false
		}
	}
	return len(m.Targets) > 0
}

// unrouted reports whether a descriptor is for events that the step itself makes,
// which are never routed to regions. "done" and "error" are written for these.
func (c *compiler) unrouted(descriptor string) bool {
	return descriptor == "done" || descriptor == "error" ||
		ReservedEvent(descriptor, c.chart.profile) || strings.HasPrefix(descriptor, "$")
}
