package statechart

import "slices"

// triggers takes over the event descriptors of a trigger: the peer's spellings
// are replaced (S18), completion events resolved (S94).
func (c *compiler) triggers(events []NamePos, src *State, sc scope) []Descriptor {
	var out []Descriptor
	for _, n := range events {
		if peer := c.peer(n, src, events, sc); peer != nil {
			out = append(out, peer...)
			continue
		}
		if prefix, x, ok := completion(trimAll(n.Name)); ok {
			out = append(out, c.completionTrigger(n, prefix, x, sc)...)
			continue
		}
		if d, ok := c.descriptor(n, triggerUse, sc.state, sc.pos); ok {
			out = append(out, d)
		}
	}
	return out
}

// peer reads the three spellings of the peer (S18). Where the chart declares an
// event of the name, that one is meant as well and nothing is said.
func (c *compiler) peer(n NamePos, src *State, events []NamePos, sc scope) []Descriptor {
	var meant []Descriptor
	switch n.Name {
	case "Timeout":
		meant = []Descriptor{{Name: "timeout", Pos: n.Pos}}
	case "Returned":
		meant = []Descriptor{{Name: "done.invoke", Pos: n.Pos}}
		if src != nil {
			meant = []Descriptor{{Name: "done.invoke." + src.Path, Exact: true, State: src, Pos: n.Pos}}
		}
	case "Cancel":
		if slices.ContainsFunc(events, func(o NamePos) bool { return o.Name == "cancel" }) {
			return nil // both are there: this one means itself
		}
		meant = []Descriptor{{Name: "cancel", Pos: n.Pos}, {Name: "Cancel", Pos: n.Pos}}
	default:
		return nil
	}
	if c.events.named[n.Name] != nil {
		if n.Name != "Cancel" {
			meant = append(meant, Descriptor{Name: n.Name, Pos: n.Pos})
		}
		return meant
	}
	c.warn("peer_spelling", or(n.Pos, sc.pos), sc.state, "%q is read as %s", n.Name, spelled(meant)).
		Hint = "write it that way"
	return meant
}

func spelled(ds []Descriptor) string {
	text := ""
	for i, d := range ds {
		if i > 0 {
			text += " | "
		}
		text += d.Name
	}
	return `"` + text + `"`
}

// completionTrigger resolves the state of a completion event.
func (c *compiler) completionTrigger(n NamePos, prefix, x string, sc scope) []Descriptor {
	pos := or(n.Pos, sc.pos)
	at := c.stand(sc.stands(), n.Base)
	s, miss := c.completed(x, at)
	switch {
	case miss != nil && miss.code == "unknown_state":
		c.unknown("unknown_state", Ref{Text: x, Base: n.Base, Pos: n.Pos}, at, sc.state, pos)
		return nil
	case miss != nil:
		c.fail(miss.code, pos, sc.state, "%s", miss.message)
		return nil
	case s.ExecutionRoot != sc.state.ExecutionRoot && !s.IsRegion():
		c.crosses(pos, sc.state, s)
		return nil
	}
	return []Descriptor{{Name: prefix + s.Path, Exact: true, State: s, Pos: n.Pos}}
}
