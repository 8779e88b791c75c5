package statechart

import (
	"errors"

	"github.com/durachart/durachart/statechart/expr"
)

// scope is the place of an action, a guard or an expression.
type scope struct {
	state   *State // where references are resolved from, and whom problems are about
	pos     Pos    // for what has no place of its own
	loopVar string
	child   bool // a with that makes the context of a child
	bool    bool // a condition

	// where is the state from which references are resolved, if not state; print is
	// the one in whose body the canonical text puts this, if not the same.
	where, print *State
}

// stands is the state from which references are resolved.
func (sc scope) stands() *State {
	if sc.where != nil {
		return sc.where
	}
	return sc.state
}

// printed is the state in whose body the canonical text has it.
func (sc scope) printed() *State {
	if sc.print != nil {
		return sc.print
	}
	return sc.stands()
}

// expr compiles e, or reports every mistake in it.
func (c *compiler) expr(e *Expr, sc scope) *Expr {
	if e == nil {
		return nil
	}
	out := *e
	pos := or(e.Pos, sc.pos)
	c.text("expression", e.Source, pos, sc.state)
	options := expr.Options{
		Bool: sc.bool, Var: sc.loopVar,
		State: func(name string) (int, error) { return c.inState(name, sc) },
	}
	program, err := c.program(e.Source, options)
	var wrong *expr.CompileError
	if errors.As(err, &wrong) {
		for _, issue := range wrong.Issues {
			c.badExpression(issue, pos, sc.state)
		}
		return &out
	}
	out.program = program
	source := c.rooted(e.Source, sc.printed(), func(x string) *State {
		s, _ := c.completed(x, sc.stands())
		return s
	})
	if source != e.Source {
		options.State = func(name string) (int, error) { return c.plainState(name, sc.printed()) }
		if moved, err := expr.Compile(source, options); err == nil {
			out.Source, out.program = source, moved
		}
	}
	return &out
}

// plainState resolves an In that was made good for the canonical text. It fails
// only where names are malformed, which was reported.
func (c *compiler) plainState(name string, at *State) (int, error) {
	if s := c.chart.plain(at, name); s != nil {
		return s.Index, nil
	}
	return 0, &missedState{"unknown_state", name}
}

// programKey is all that the meaning of an expression without In depends on.
type programKey struct {
	source, loopVar string
	bool            bool
}

// program compiles source, but what stands in several places only once: fragments
// repeat their expressions, and compiling them takes most of the time of a build.
func (c *compiler) program(source string, o expr.Options) (*expr.Program, error) {
	key := programKey{source, o.Var, o.Bool}
	if p := c.programs[key]; p != nil {
		return p, nil
	}
	p, err := expr.Compile(source, o)
	if err == nil && len(p.States()) == 0 {
		c.programs[key] = p
	}
	return p, err
}

func (c *compiler) badExpression(issue expr.Issue, pos Pos, s *State) {
	var miss *missedState
	if errors.As(issue.Err, &miss) {
		c.fail(miss.code, pos, s, "In: %s", miss.message)
		return
	}
	c.fail("bad_expression", pos, s, "character %d: %s", issue.Offset+1, issue.Message)
}

// missedState says why a name in In or in a completion event means no state.
type missedState struct{ code, message string }

// Error implements error.
func (m *missedState) Error() string { return m.message }

// inState resolves the argument of In (S70, S94).
func (c *compiler) inState(name string, sc scope) (int, error) {
	s, miss := c.completed(name, sc.stands())
	if miss != nil {
		return 0, miss
	}
	if s.ExecutionRoot != sc.state.ExecutionRoot {
		return 0, &missedState{"crosses_region", label(s) + " lives in another execution, which In cannot see"}
	}
	return s.Index, nil
}

// completed resolves X of In("X") and of completion events: X is a full path, or
// resolved like a target; two different hits are ambiguous. In a fragment only
// the second way counts (S94).
func (c *compiler) completed(x string, at *State) (*State, *missedState) {
	near := c.find(at, x)
	full := c.chart.byPath[x]
	if x == "" || c.inFragment(at) {
		full = nil
	}
	switch {
	case near == nil && full == nil:
		return nil, &missedState{"unknown_state", `no state "` + x + `" can be reached from here`}
	case near != nil && full != nil && near != full:
		return nil, &missedState{"ambiguous_state", `"` + x + `" is both ` + label(full) + ` and ` + label(near) +
			`: write the one as ".` + full.Path + `" and the other as ".` + near.Path + `"`}
	case near != nil:
		return near, nil
	default:
		return full, nil
	}
}

func (c *compiler) inFragment(s *State) bool {
	for ; s.Parent != nil; s = s.Parent {
		if c.decls[s.Index].Fragment {
			return true
		}
	}
	return false
}
