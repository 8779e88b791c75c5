package statechart

import "github.com/durachart/durachart/statechart/expr"

// Expr is a CEL expression (S70, S71). A declared one holds only its Source;
// Build compiles it and reports what does not compile as bad_expression.
type Expr struct {
	Source string
	Pos    Pos

	program *expr.Program
}

// Program returns the compiled expression. In of its variables gets the Index of
// a state. It is nil in a definition.
func (e *Expr) Program() *expr.Program { return e.program }
