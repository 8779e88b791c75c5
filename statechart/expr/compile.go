package expr

import (
	"fmt"
	"slices"
	"strings"

	"cel.dev/cel-go/cel"
	"cel.dev/cel-go/common"
	"cel.dev/cel-go/common/ast"
)

// Options say what is special about the place where an expression stands.
type Options struct {
	// Bool wants a boolean, as when does. What has no type before run time, such
	// as event.data.ok, is checked then.
	Bool bool
	// Var is the name of a loop variable, or empty.
	Var string
	// State resolves the argument of In to a number, which [Vars.In] gets. Its
	// error becomes an [Issue] with the error's text. Nil: In is an error.
	State func(name string) (int, error)
}

// Compile checks source and prepares it for evaluation. The error is always a
// [*CompileError].
func Compile(source string, o Options) (*Program, error) {
	env, checked, err := check(source, o)
	if err != nil {
		return nil, err
	}
	p := &Program{source: source, loopVar: o.Var, bool: o.Bool}
	if err := p.resolveStates(checked, o.State); err != nil {
		return nil, err
	}
	p.prog, err = env.Program(checked, cel.EvalOptions(cel.OptOptimize), cel.CostLimit(CostLimit))
	if err != nil { // a malformed literal regular expression, for example
		return nil, &CompileError{Source: source, Issues: []Issue{{Message: oneLine(err.Error())}}}
	}
	return p, nil
}

func check(source string, o Options) (*cel.Env, *cel.Ast, error) {
	env := baseEnv()
	if o.Var != "" {
		var err error
		if o.Var == "context" || o.Var == "event" {
			err = fmt.Errorf("a loop variable cannot be called %q in an expression", o.Var)
		} else {
			env, err = env.Extend(cel.Variable(o.Var, cel.DynType))
		}
		if err != nil {
			return nil, nil, &CompileError{Source: source, Issues: []Issue{{Message: oneLine(err.Error())}}}
		}
	}
	checked, issues := env.Compile(source)
	if issues.Err() != nil {
		return nil, nil, compileError(source, issues)
	}
	if t := checked.OutputType(); o.Bool && !t.IsAssignableType(cel.BoolType) && t != cel.DynType {
		return nil, nil, &CompileError{Source: source, Issues: []Issue{
			{Message: fmt.Sprintf("the condition is of type %s, not bool", t)}}}
	}
	return env, checked, nil
}

// resolveStates asks state for the number of each name in an In.
func (p *Program) resolveStates(checked *cel.Ast, state func(string) (int, error)) error {
	var issues []Issue
	rep := checked.NativeRep()
	inLookups(rep, func(name string, arg ast.Expr) {
		if slices.ContainsFunc(p.states, func(s stateRef) bool { return s.name == name }) {
			return
		}
		if state == nil {
			issues = append(issues, Issue{Offset: offsetOf(rep, arg), Message: "In cannot be used here"})
			return
		}
		n, err := state(name)
		if err != nil {
			issues = append(issues, Issue{Offset: offsetOf(rep, arg), Message: err.Error(), Err: err})
			return
		}
		p.states = append(p.states, stateRef{name, n})
	})
	if len(issues) == 0 {
		return nil
	}
	return &CompileError{Source: p.source, Issues: sortIssues(issues)}
}

func offsetOf(a *ast.AST, e ast.Expr) int {
	r, _ := a.SourceInfo().GetOffsetRange(e.ID())
	return int(r.Start)
}

func compileError(source string, issues *cel.Issues) *CompileError {
	out := &CompileError{Source: source}
	src := common.NewTextSource(source)
	for _, e := range issues.Errors() {
		offset := 0
		if o, ok := src.LocationOffset(e.Location); ok && o > 0 {
			offset = int(o)
		}
		out.Issues = append(out.Issues, Issue{Offset: offset, Message: oneLine(e.Message)})
	}
	out.Issues = sortIssues(out.Issues)
	return out
}

func sortIssues(issues []Issue) []Issue {
	slices.SortStableFunc(issues, func(a, b Issue) int { return a.Offset - b.Offset })
	return issues
}

// oneLine makes a message of cel-go fit for one line: it may contain an excerpt,
// the list of all tokens that would have been right, and an empty container.
func oneLine(message string) string {
	message, _, _ = strings.Cut(message, "\n")
	message, _, _ = strings.Cut(message, " expecting {")
	message = strings.ReplaceAll(message, " (in container '')", "")
	return strings.TrimSpace(message)
}
