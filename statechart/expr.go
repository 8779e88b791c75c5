package statechart

// Expr is a CEL expression (S70, S71). A declared one holds only its Source;
// Build compiles it and reports what does not compile as bad_expression.
type Expr struct {
	Source string
	Pos    Pos
}
