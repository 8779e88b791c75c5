package statechart

import (
	"fmt"
	"strings"
)

// body writes the items of s. "with" goes first: behind an action that sends it
// would be read as part of that.
func (p *printer) body(s *State) {
	if len(s.With) > 0 {
		p.line("with %s", pairs(s.With))
	}
	if s.Initial != nil {
		p.line("initial %s", p.entry(s.Initial, s))
	}
	if s.Timeout != nil {
		p.line("timeout %s", delay(s.Timeout))
	}
	p.hook("on enter", s.OnEnter, s)
	p.hook("on exit", s.OnExit, s)
	if len(s.Defer) > 0 {
		p.line("defer %s", descriptors(s.Defer, ", "))
	}
	if len(s.Carry) > 0 {
		p.line("carry %s", strings.Join(each(s.Carry, key), ", "))
	}
	if s.Autoforward {
		p.line("autoforward")
	}
	p.hook("finalize", s.Finalize, s)
	if s.Resting {
		p.line("resting")
	}
	for _, k := range s.Children {
		p.state(k)
	}
	for _, k := range s.Children {
		for _, t := range k.Transitions {
			p.transition(t, s)
		}
	}
	if s.Parent == nil {
		for _, t := range s.Transitions {
			p.transition(t, s)
		}
	}
}

func (p *printer) hook(head string, actions []Action, s *State) {
	if len(actions) > 0 {
		p.line("%s %s", head, p.actions(actions, s))
	}
}

// entry writes what stands behind initial, or behind the "to" of a history
// state: its targets lie below parent and are named from there.
func (p *printer) entry(e *Entry, parent *State) string {
	names := make([]string, len(e.Targets))
	for i, t := range e.Targets {
		names[i] = dotted(strings.TrimPrefix(strings.TrimPrefix(t.Path, parent.Path), "."))
	}
	text := strings.Join(names, ", ")
	if len(e.Do) > 0 {
		text += " do " + p.actions(e.Do, parent)
	}
	return text
}

// state writes s as an item of its parent.
func (p *printer) state(s *State) {
	p.doc(s.Doc)
	switch s.Kind {
	case History:
		p.history(s)
	case Final:
		head := "final " + ref(s.Name)
		if s.Outcome != "success" {
			head += " " + outcome(s.Outcome)
		}
		p.block(head, s, false)
	case Parallel, Orthogonal:
		p.block(s.Kind.String()+" "+ref(s.Name), s, true)
	case Invoking:
		p.open("state " + ref(s.Name))
		p.invoke(s)
		p.body(s)
		p.close()
	default:
		p.block("state "+ref(s.Name), s, true)
	}
}

// block writes a head with the body of s. An empty body is written only where
// there must be one.
func (p *printer) block(head string, s *State, must bool) {
	inner := &printer{chart: p.chart, docs: p.docs, indent: p.indent + 1}
	inner.body(s)
	switch {
	case inner.Len() > 0:
		p.line("%s {", head)
		p.WriteString(inner.String())
		p.line("}")
	case must:
		p.line("%s {}", head)
	default:
		p.line("%s", head)
	}
}

func (p *printer) history(s *State) {
	text := "history " + ref(s.Name)
	if s.Deep {
		text += " deep"
	}
	if s.Default != nil {
		text += " to " + p.entry(s.Default, s.Parent)
	}
	p.line("%s", text)
}

func (p *printer) invoke(s *State) {
	in := s.Invoke
	text := "invoke"
	if in.Inline == nil {
		text += " " + handler(in.Chart)
		if in.Version != "" {
			text += " version " + quote(in.Version)
		}
	}
	if in.Var != "" {
		text += fmt.Sprintf(" for %s in %s", in.Var, contextPath(in.In))
		if in.Limit > 0 {
			text += fmt.Sprintf(" limit %d", in.Limit)
		}
		if s.Join != nil && !joined(s) {
			text += " join " + count(s.Join)
		}
	}
	if in.Inline == nil {
		p.line("%s", text)
		return
	}
	outer := p.chart
	p.open(text)
	p.chart = in.Inline
	p.body(in.Inline.Root())
	p.chart = outer
	p.close()
}

// joined reports whether a transition of s names the policy of its join.
func joined(s *State) bool {
	for _, t := range s.Transitions {
		if t.JoinElse != nil {
			return true
		}
	}
	return false
}

func count(j *Join) string {
	switch j.Policy {
	case JoinAll:
		return "all"
	case JoinAny:
		return "any"
	default:
		return fmt.Sprint(j.N)
	}
}
