package statechart

import "strings"

// Limits of section 1. Beyond the hard ones a tree is not even walked.
const (
	maxDepth  = 32
	maxStates = 10_000

	hardDepth  = 256
	hardStates = 100_000
)

// tree makes the states: document order, paths, kinds, and what kinds of
// children a kind can have (S4). It reports false if the tree is so large that
// nothing else can be checked.
func (c *compiler) tree() bool {
	whole := c.grow(c.def.Root, nil)
	c.chart.byPath = make(map[string]*State, len(c.chart.states))
	for _, s := range c.chart.states {
		if c.chart.byPath[s.Path] == nil {
			c.chart.byPath[s.Path] = s
		}
	}
	if n := len(c.chart.states); n > maxStates {
		c.fail("too_large", c.def.Pos, nil, "the chart has more than %d states", maxStates)
	}
	return whole
}

func (c *compiler) grow(d *StateDecl, parent *State) bool {
	s := &State{
		Index: len(c.chart.states), Name: d.Name, Kind: kindOf(d, parent),
		Parent: parent, Doc: docText(d.Doc), Pos: d.Pos,
	}
	c.chart.states = append(c.chart.states, s)
	c.decls = append(c.decls, d)
	c.state[d] = s
	c.adopt(s)
	whole := s.Depth < hardDepth && len(c.chart.states) <= hardStates
	for _, child := range d.Children {
		if whole && child != nil {
			whole = c.grow(child, s)
		}
	}
	s.Last = len(c.chart.states) - 1
	return whole
}

func kindOf(d *StateDecl, parent *State) Kind {
	switch {
	case parent == nil:
		return Compound
	case d.Kind != Atomic && d.Kind != Compound && d.Kind != Invoking:
		return d.Kind
	case d.Invoke != nil:
		return Invoking
	case len(d.Children) > 0:
		return Compound
	default:
		return Atomic
	}
}

// adopt makes s a child of its parent.
func (c *compiler) adopt(s *State) {
	p := s.Parent
	if p == nil {
		s.Name, s.Doc, s.ExecutionRoot = "", "", s // the comment is that of the chart
		return
	}
	s.Depth = p.Depth + 1
	s.Path = s.Name
	if p.Path != "" {
		s.Path = p.Path + "." + s.Name
	}
	s.ExecutionRoot = p.ExecutionRoot
	if p.Kind == Orthogonal {
		s.ExecutionRoot = s
	}
	s.DoneEvent = "done.state." + s.Path
	s.TimerName = "timeout:" + s.Path
	if s.Kind == Invoking {
		s.DoneEvent = "done.invoke." + s.Path
		s.ErrorEvent = "error.invoke." + s.Path
	}
	p.Children = append(p.Children, s)
	if s.Depth == maxDepth+1 {
		c.fail("too_large", s.Pos, s, "states are nested more than %d deep", maxDepth)
	}
	c.checkName("state", s.Name, s.Pos, s)
	key := childKey{p, s.Name}
	if c.kids[key] != nil {
		c.fail("duplicate", s.Pos, s, "%s has two children called %q", label(p), s.Name)
		c.twins = append(c.twins, s)
	} else {
		c.kids[key] = s
	}
	c.checkChild(s, p)
}

// checkChild checks that p can have a child of the kind of s (S4).
func (c *compiler) checkChild(s, p *State) {
	switch {
	case p.Kind == Orthogonal && s.Kind != Compound:
		c.fail("region_shape", s.Pos, s, "a region of an orthogonal state must be a state with children, not %s state", article(s.Kind))
	case p.Kind == Parallel && s.Kind == Final:
		c.fail("region_shape", s.Pos, s, "a final state cannot be a region of a parallel state").
			Hint = "put it into a region: the parallel state is done when all its regions are"
	case p.Kind == Final, p.Kind == History:
		c.fail("item_misplaced", s.Pos, s, "%s state cannot have children", article(p.Kind))
	case p.Kind == Invoking && len(p.Children) == 1:
		c.fail("invoke_on_composite", p.Pos, p, "%s runs a child chart and has child states", label(p)).
			Hint = "put the invoke into a child state of its own, or the states into its inline body"
	}
}

func article(k Kind) string {
	if strings.ContainsRune("aeio", rune(k.String()[0])) {
		return "an " + k.String()
	}
	return "a " + k.String()
}

// down walks from s to a descendant, child by child; names are joined by ".".
func (c *compiler) down(s *State, names string) *State {
	for s != nil {
		name, rest, more := strings.Cut(names, ".")
		s = c.kids[childKey{s, name}]
		if !more {
			return s
		}
		names = rest
	}
	return nil
}
