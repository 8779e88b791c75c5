package statechart

// Guard is one condition of a transition: a predicate over the event's data, or
// a CEL expression. Exactly one of Pred and Expr is set. A declared guard has a
// Name.
type Guard struct {
	Name string
	Pred Pred
	Expr *Expr
	Doc  string
	Pos  Pos
}

// Pred is a where predicate (S69): AndPred, OrPred, NotPred, *ComparePred or
// *NamedPred. Make them with [And], [Or], [Not], [Compare] and [Named].
type Pred interface{ isPred() }

// AndPred holds when all hold.
type AndPred []Pred

// OrPred holds when one holds.
type OrPred []Pred

// NotPred holds when X does not.
type NotPred struct{ X Pred }

// ComparePred compares a field of the event's data with a literal.
type ComparePred struct {
	Field []string
	Op    string // == != < <= > >= in
	Value any    // as in Input
	Pos   Pos
}

// NamedPred is a bare name: a named guard of the chart, else a Go guard.
type NamedPred struct {
	Name string
	Pos  Pos

	// Guard is what the chart declares under Name, set by Build; nil means the Go
	// guard of that name.
	Guard *Guard
}

func (AndPred) isPred()      {}
func (OrPred) isPred()       {}
func (NotPred) isPred()      {}
func (*ComparePred) isPred() {}
func (*NamedPred) isPred()   {}

// And holds when all of ps hold.
func And(ps ...Pred) Pred { return AndPred(ps) }

// Or holds when one of ps holds.
func Or(ps ...Pred) Pred { return OrPred(ps) }

// Not holds when p does not.
func Not(p Pred) Pred { return NotPred{p} }

// Compare compares a field of the event's data, names joined by ".", with a
// literal. Op is one of == != < <= > >= in.
func Compare(field, op string, value any) Pred {
	return &ComparePred{Field: splitPath(field), Op: op, Value: value}
}

// Named is the guard of that name: one that the chart declares, else the Go
// guard registered under it.
func Named(name string) Pred { return &NamedPred{Name: name} }
