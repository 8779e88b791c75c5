package scxml

import (
	"errors"

	"github.com/durachart/durachart/statechart"
	"github.com/durachart/durachart/statechart/scxml/ecma"
)

// failing is an expression that fails whenever it is evaluated. It stands for a
// text that is no expression: by the Recommendation that is an error at run time.
const failing = "[0][1]"

func (r *reader) scope() ecma.Scope {
	return ecma.Scope{
		State: func(id string) (string, bool) { p, ok := r.paths[id]; return p, ok },
		Fixed: map[string]string{"_name": celText(r.def.Name), "_ioprocessors": `{"scxml": {"location": "scxml"}}`},
	}
}

// value translates an expression.
func (r *reader) value(src string, pos statechart.Pos) *statechart.Expr {
	return r.translated(src, pos, failing, ecma.Value)
}

// condition translates a condition.
func (r *reader) condition(src string, pos statechart.Pos) *statechart.Expr {
	return r.translated(src, pos, "[false][1]", ecma.Condition)
}

func (r *reader) translated(src string, pos statechart.Pos, broken string, f func(string, ecma.Scope) (string, error)) *statechart.Expr {
	cel, err := f(src, r.scope())
	switch {
	case errors.Is(err, ecma.ErrSyntax):
		cel = broken
	case err != nil:
		r.problem(pos, "unsupported", "expression %q: %v", src, err)
		cel = broken
	}
	return &statechart.Expr{Source: cel, Pos: pos}
}
