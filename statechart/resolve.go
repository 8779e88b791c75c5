package statechart

import "strings"

// stand returns the state from which r is resolved: its Base, else where it
// stands (S97).
func (c *compiler) stand(at *State, base *StateDecl) *State {
	if s := c.state[base]; base != nil && s != nil {
		return s
	}
	return at
}

// boundary reports whether references from inside s look no further up.
func (c *compiler) boundary(s *State) bool { return s.Parent == nil || c.decls[s.Index].Fragment }

// find resolves a target from at (S93): down from there, else from its parent,
// and so on; the first hit counts. It returns nil if nothing is hit.
func (c *compiler) find(at *State, text string) *State {
	rest, rooted := strings.CutPrefix(text, ".")
	for s := at; ; s = s.Parent {
		edge := c.boundary(s)
		if !rooted || edge {
			if hit := c.down(s, rest); hit != nil || edge {
				return hit
			}
		}
	}
}

// source resolves the "from" of a transition that stands in the body of at.
func (c *compiler) source(at *State, r Ref) *State {
	switch {
	case r.Base != nil:
		s := c.stand(at, r.Base)
		if r.Self {
			return s
		}
		return c.find(s, r.Text)
	case r.Self:
		return at
	case strings.HasPrefix(r.Text, "."):
		return c.find(at, r.Text)
	default:
		return c.down(at, r.Text)
	}
}

// target resolves r or reports it under code. It does not ask whether a
// transition may go there.
func (c *compiler) target(code string, at *State, r Ref, about *State, pos Pos) *State {
	s := c.find(c.stand(at, r.Base), r.Text)
	if s == nil {
		c.unknown(code, r, at, about, pos)
	}
	return s
}

// inside resolves r for an initial or a history default of parent: it must hit
// below it.
func (c *compiler) inside(code string, parent *State, r Ref, about *State, pos Pos) *State {
	var s *State
	if r.Base != nil || strings.HasPrefix(r.Text, ".") {
		s = c.find(c.stand(parent, r.Base), r.Text)
	} else {
		s = c.down(parent, r.Text)
	}
	if s != nil && parent.Above(s) {
		return s
	}
	if s == nil && c.find(c.stand(parent, r.Base), r.Text) == nil {
		c.unknown(code, r, parent, about, pos)
		return nil
	}
	c.fail(code, or(r.Pos, pos), about, "%q lies outside %s", r.Text, label(parent))
	return nil
}

func (c *compiler) unknown(code string, r Ref, at, about *State, pos Pos) {
	p := c.fail(code, or(r.Pos, pos), about, "no state %q can be reached from here", r.Text)
	wanted := r.Text[strings.LastIndexByte(r.Text, '.')+1:]
	p.Hint = c.didYouMean(wanted, func(yield func(string) bool) {
		for _, s := range c.chart.states[1:] {
			if !yield(s.Name) {
				return
			}
		}
	})
	if p.Hint == `did you mean "`+wanted+`"?` {
		p.Hint = c.whereIs(wanted, at)
	}
}

// whereIs explains a name that exists, but not within reach.
func (c *compiler) whereIs(name string, at *State) string {
	for _, s := range c.chart.states[1:] {
		if s.Name != name {
			continue
		}
		if c.find(at, s.Path) == s {
			return "did you mean \"" + s.Path + "\"?"
		}
		return "there is \"" + s.Path + "\", which a reference from here cannot name"
	}
	return ""
}
