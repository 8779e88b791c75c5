package statechart

import (
	"slices"
	"strings"
	"time"
)

// Bounds of a literal delay (section 1).
const (
	minDelay = time.Millisecond
	maxDelay = 3650 * 24 * time.Hour
)

// states takes the items of all bodies over, but for transitions.
func (c *compiler) states() {
	for i := range c.chart.states {
		s, d := c.chart.states[i], c.decls[i]
		c.misplaced(s, d)
		c.hooks(s, d)
		c.entries(s, d)
		c.values(s, d)
		if d.Invoke != nil && s.Kind == Invoking {
			c.invoke(s, d)
		}
	}
}

func (c *compiler) hooks(s *State, d *StateDecl) {
	at := scope{state: s, pos: s.Pos}
	s.OnEnter = c.actions(d.OnEnter, at)
	s.OnExit = c.actions(d.OnExit, at)
	s.Finalize = c.actions(d.Finalize, at)
	s.Autoforward, s.Resting, s.Deep = d.Autoforward, d.Resting, d.Deep
	for _, n := range d.Defer {
		if desc, ok := c.descriptor(n, deferUse, s, s.Pos); ok {
			s.Defer = append(s.Defer, desc)
		}
	}
}

// entries resolves initial and the default of a history state.
func (c *compiler) entries(s *State, d *StateDecl) {
	switch {
	case s.Kind == History:
		if d.Default != nil && s.Parent != nil {
			s.Default = c.entry("unknown_state", s.Parent, d.Default, s)
		}
	case s.Kind != Compound:
	case s.Parent == nil && !hasStates(s):
		c.fail("empty_machine", c.def.Pos, s, "%s has no states", label(s))
	case d.Initial != nil:
		s.Initial = c.entry("initial_unresolved", s, d.Initial, s)
	default:
		c.fail("missing_initial", s.Pos, s, "%s has children but no initial", label(s)).
			Hint = `say "initial" and the child that is entered first`
		if first := firstState(s); first != nil && c.chart.profile == ProfileSCXML {
			s.Initial = &Entry{Targets: []*State{first}, Pos: s.Pos}
		}
	}
	if (s.Kind == Parallel || s.Kind == Orthogonal) && !hasStates(s) {
		c.fail("empty_machine", s.Pos, s, "%s has no regions", label(s))
	}
}

func firstState(s *State) *State {
	for _, k := range s.Children {
		if k.Kind != History {
			return k
		}
	}
	return nil
}

func hasStates(s *State) bool { return firstState(s) != nil }

// entry resolves the targets of an initial or history default below parent.
func (c *compiler) entry(code string, parent *State, d *EntryDecl, about *State) *Entry {
	e := &Entry{Pos: d.Pos, Do: c.actions(d.Do, scope{state: about, where: parent, pos: or(d.Pos, about.Pos)})}
	if len(d.Targets) == 0 {
		c.fail("syntax", or(d.Pos, about.Pos), about, "an initial or a history default needs a state")
	}
	for _, r := range d.Targets {
		t := c.inside(code, parent, r, about, d.Pos)
		if t == nil {
			continue
		}
		pos := or(r.Pos, d.Pos)
		switch {
		case t.ExecutionRoot != parent.ExecutionRoot:
			c.crosses(pos, about, t)
		case about.Kind == History && t.Kind == History:
			c.fail("bad_targets", pos, about, "a history state cannot stand for another one, %q", t.Path)
		default:
			e.Targets = append(e.Targets, t)
		}
	}
	c.together(e.Targets, or(d.Pos, about.Pos), about)
	return e
}

// values takes over what is neither an action nor a reference.
func (c *compiler) values(s *State, d *StateDecl) {
	if d.Timeout != nil {
		s.Timeout = c.delay(d.Timeout, s, s.Pos)
	}
	c.text("outcome", d.Outcome, or(d.OutcomePos, s.Pos), s)
	if s.Kind == Final {
		if s.Outcome = d.Outcome; s.Outcome == "" {
			s.Outcome = "success"
		}
	}
	for _, k := range d.Carry {
		c.text("key", k.Name, or(k.Pos, s.Pos), s)
		if k.Name == "outcome" || k.Name == "status" {
			c.fail("carry_reserved", or(k.Pos, s.Pos), s, "%q cannot be carried: completion data has its own", k.Name)
		}
		s.Carry = append(s.Carry, k.Name)
	}
	loopVar := ""
	if d.Invoke != nil {
		loopVar = d.Invoke.Var
	}
	s.With = c.pairs(d.With, scope{state: s, pos: s.Pos, loopVar: loopVar, child: true})
}

// delay checks a literal delay.
func (c *compiler) delay(d *Delay, s *State, fallback Pos) *Delay {
	out := *d
	pos := or(d.Pos, fallback)
	switch {
	case d.Text != "":
		c.fail("timeout_invalid", pos, s, "%q is no delay", d.Text).
			Hint = "write a number of seconds, or a number directly followed by ms, s, m, h or d"
	case d.Path != nil:
		out.Path = slices.Clone(d.Path)
		c.path(d.Path, pos, s)
	case d.Duration <= 0:
		c.fail("timeout_invalid", pos, s, "a delay must be positive")
	case d.Duration%minDelay != 0:
		c.fail("timeout_invalid", pos, s, "a delay is a whole number of milliseconds, not %s", d.Duration)
	case d.Duration > maxDelay:
		c.fail("timeout_invalid", pos, s, "a delay is at most 3650 days")
	}
	return &out
}

// path checks a path of the context.
func (c *compiler) path(path []string, pos Pos, s *State) {
	for _, part := range path {
		c.text("path", part, pos, s)
		if part == "" || strings.Contains(part, ".") {
			c.fail("syntax", pos, s, "%q is no path: it has an empty part", joinPath(path))
			return
		}
	}
	if len(path) == 0 {
		c.fail("syntax", pos, s, "a path is missing")
	}
}
