package statechart

import (
	"fmt"
	"slices"
)

// fail reports an error at pos, about the state s; a pos that is not set means
// that of s. Under profile scxml some errors are warnings (S29).
func (c *compiler) fail(code string, pos Pos, s *State, format string, args ...any) *Problem {
	severity := Error
	if c.chart.profile == ProfileSCXML && slices.Contains(scxmlWarnings(), code) {
		severity = Warning
	}
	return c.report(severity, code, pos, s, fmt.Sprintf(format, args...))
}

// warn reports a warning.
func (c *compiler) warn(code string, pos Pos, s *State, format string, args ...any) *Problem {
	return c.report(Warning, code, pos, s, fmt.Sprintf(format, args...))
}

func scxmlWarnings() []string {
	return []string{
		"dead_end", "missing_initial", "nondeterministic_automatic",
		"invoke_no_exit", "unknown_event", "eventless_cycle",
	}
}

// report adds a finding. The result is for adding a hint at once.
func (c *compiler) report(severity Severity, code string, pos Pos, s *State, message string) *Problem {
	p := Problem{Code: code, Severity: severity, Pos: pos, Path: c.prefix, Message: message}
	if s != nil {
		p.Path += s.Path
		if p.Pos == (Pos{}) {
			p.Pos = s.Pos
		}
	}
	if p.Pos == (Pos{}) {
		p.Pos = c.def.Pos
	}
	top := c.outermost()
	top.problems = append(top.problems, p)
	return &top.problems[len(top.problems)-1]
}

// or returns the first of the places that is set.
func or(places ...Pos) Pos {
	for _, p := range places {
		if p != (Pos{}) {
			return p
		}
	}
	return Pos{}
}

// label is how messages call a state.
func label(s *State) string {
	if s.Parent == nil {
		return "the machine"
	}
	return fmt.Sprintf("%q", s.Path)
}
