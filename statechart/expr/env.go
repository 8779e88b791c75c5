package expr

import (
	"fmt"
	"sync"

	"cel.dev/cel-go/cel"
	"cel.dev/cel-go/common"
	"cel.dev/cel-go/common/ast"
	"cel.dev/cel-go/common/operators"
	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"
	"cel.dev/cel-go/ext"
	"cel.dev/cel-go/parser"
)

// CostLimit bounds one evaluation, in CEL's cost units (section 1 of the
// statechart specification).
const CostLimit = 10_000

// In("X") is expanded to a lookup of "X" in this variable, which CEL source
// cannot name: so the argument is known at compile time, and the answer at run
// time needs no function call with access to the variables.
const inVariable = "@in"

// baseEnv is what all expressions share. It is made once because that takes
// longer than compiling many expressions; it is immutable.
var baseEnv = sync.OnceValue(func() *cel.Env {
	env, err := newEnv()
	if err != nil {
		panic(fmt.Sprintf("expr: the CEL environment is wrong: %v", err))
	}
	return env
})

func newEnv() (*cel.Env, error) {
	registry, err := types.NewRegistry()
	if err != nil {
		return nil, err
	}
	env, err := cel.NewCustomEnv(
		cel.StdLib(),
		ext.Strings(), ext.Math(), ext.Lists(), ext.TwoVarComprehensions(),
		cel.CustomTypeProvider(provider{registry}),
		cel.CustomTypeAdapter(adapter{registry}),
		cel.CrossTypeNumericComparisons(true),
		cel.DefaultUTCTimeZone(true),
		cel.EnableIdentifierEscapeSyntax(),
		cel.Variable("context", jsonObject),
		cel.Variable("event", eventType),
		cel.Variable(inVariable, cel.MapType(cel.StringType, cel.BoolType)),
		sortedFunctionOption(),
	)
	if err != nil {
		return nil, err
	}
	macros := append(overSorted(env.Macros()), cel.GlobalMacro("In", 1, expandIn))
	return env.Extend(cel.ClearMacros(), cel.Macros(macros...))
}

func expandIn(h parser.ExprHelper, _ ast.Expr, args []ast.Expr) (ast.Expr, *common.Error) {
	if stateName(args[0]) == nil {
		return nil, h.NewError(args[0].ID(), "In takes one state name in quotes")
	}
	return h.NewCall(operators.Index, h.NewIdent(inVariable), args[0]), nil
}

// stateName returns the text of a literal, or nil.
func stateName(e ast.Expr) *string {
	if e.Kind() != ast.LiteralKind {
		return nil
	}
	s, ok := e.AsLiteral().(types.String)
	if !ok {
		return nil
	}
	name := string(s)
	return &name
}

// inLookups calls f for each In of the expression.
func inLookups(a *ast.AST, f func(name string, arg ast.Expr)) {
	ast.PostOrderVisit(a.Expr(), ast.NewExprVisitor(func(e ast.Expr) {
		if e.Kind() != ast.CallKind || e.AsCall().FunctionName() != operators.Index {
			return
		}
		args := e.AsCall().Args()
		if args[0].Kind() == ast.IdentKind && args[0].AsIdent() == inVariable {
			f(*stateName(args[1]), args[1])
		}
	}))
}

var _ ref.Val = eventValue{}
