package statechart

import (
	"strings"
)

// transition writes t in the body of at, the parent of its source.
func (p *printer) transition(t *Transition, at *State) {
	p.doc(t.Doc)
	words := []string{"from", "self"}
	if t.Source != at {
		words[1] = ref(t.Source.Name)
	}
	if t.Internal {
		words = append(words, "internal")
	}
	switch {
	case t.JoinElse != nil:
		words = append(words, "join", count(t.Source.Join),
			"to", p.target(t.Targets[0], at), "else", "to", p.target(t.JoinElse, at))
	case t.Choice != nil:
		words = append(words, p.selector(t.Choice, at)...)
		words = append(words, p.condition(t, at)...)
		words = append(words, p.ways(t.Choice, at))
	default:
		if len(t.Targets) > 0 {
			targets := each(t.Targets, func(s *State) string { return p.target(s, at) })
			words = append(words, "to", strings.Join(targets, ", "))
		}
		words = append(words, p.condition(t, at)...)
	}
	if len(t.Do) > 0 {
		words = append(words, "do", p.actions(t.Do, at))
	}
	p.line("%s", strings.Join(words, " "))
}

// condition writes trigger and guards.
func (p *printer) condition(t *Transition, at *State) []string {
	var words []string
	switch {
	case t.Always:
		words = append(words, "always")
	case t.After != nil:
		words = append(words, "after", delay(t.After))
	default:
		words = append(words, "on", strings.Join(each(t.Events, func(d Descriptor) string {
			return p.trigger(d, at)
		}), " | "))
	}
	for _, g := range t.Guards {
		if g.Expr != nil {
			words = append(words, "when", quote(g.Expr.Source))
		} else {
			words = append(words, "where", predicate(g.Pred, 0))
		}
	}
	return words
}

func (p *printer) selector(c *Choice, at *State) []string {
	words := []string{"select"}
	if c.Call != nil {
		words = append(words, p.action(c.Call, at))
	} else {
		words = append(words, quote(c.Expr.Source))
	}
	if len(c.Returns) > 0 {
		words = append(words, "returns", braces(each(c.Returns, value), ", "))
	}
	return words
}

func (p *printer) ways(c *Choice, at *State) string {
	ways := each(c.Branches, func(b Branch) string { return value(b.Value) + " to " + p.target(b.Target, at) })
	if c.Else != nil {
		ways = append(ways, "else to "+p.target(c.Else, at))
	}
	return braces(ways, "  ")
}

// trigger writes a descriptor. The state of a completion event is named so that
// it means the same state here (S94).
func (p *printer) trigger(d Descriptor, at *State) string {
	if !d.Exact {
		return event(d.Name)
	}
	prefix := strings.TrimSuffix(d.Name, d.State.Path)
	return event(prefix + p.chart.reference(d.State, at, true))
}

// target writes a reference to s from the body of at.
func (p *printer) target(s, at *State) string { return dotted(p.chart.reference(s, at, false)) }

// reference returns the shortest end of the path of s that means s when it
// stands in the body of at. Where a full path counts as well (S94), it must not
// be another state's. A path from the root always works.
func (c *Chart) reference(s, at *State, full bool) string {
	for from := len(s.Path); from > 0; {
		from = strings.LastIndexByte(s.Path[:from], '.') + 1
		name := s.Path[from:]
		other := c.byPath[name]
		if c.near(at, name) == s && (!full || other == nil || other == s) {
			return name
		}
		if from--; from < 0 {
			break
		}
	}
	return "." + s.Path
}

// near resolves a reference as S93 does where there are no fragments.
func (c *Chart) near(at *State, name string) *State {
	for s := at; s != nil; s = s.Parent {
		path := name
		if s.Path != "" {
			path = s.Path + "." + name
		}
		if hit := c.byPath[path]; hit != nil {
			return hit
		}
	}
	return nil
}
