package statechart

import "time"

// Pos is a place in a source text; the zero Pos means that there is none.
// Columns count characters from 1.
type Pos struct {
	File   string
	Line   int
	Column int
}

// Action is an item of an action list (S66): a *Call, *Raise, *Send, *CancelSend,
// *Set or *Log.
type Action interface{ isAction() }

// Call calls the registered Go handler of that name with literal inputs.
type Call struct {
	Name   string
	Inputs []Input // order as written; keys are unique
	Pos    Pos
}

// Input is one input of a call. Value is a JSON value: nil, bool, int64,
// float64, string, []any.
type Input struct {
	Key   string
	Value any
}

// Raise appends an internal event.
type Raise struct {
	Event string
	With  []Pair
	Pos   Pos
}

// Send emits an external event, at once or after a delay.
type Send struct {
	Event string
	To    Dest
	After *Delay // or nil
	As    string // send id, or empty
	With  []Pair
	Pos   Pos
}

// CancelSend drops the pending delayed send of that id.
type CancelSend struct {
	ID  string
	Pos Pos
}

// Set writes the value of an expression into the context.
type Set struct {
	Path []string
	Expr *Expr
	Pos  Pos
}

// Log adds one trace line.
type Log struct {
	Text string
	Expr *Expr // or nil
	Pos  Pos
}

func (*Call) isAction()       {}
func (*Raise) isAction()      {}
func (*Send) isAction()       {}
func (*CancelSend) isAction() {}
func (*Set) isAction()        {}
func (*Log) isAction()        {}

// Dest is where a send goes.
type Dest struct {
	Kind  DestKind
	ID    string   // ToID
	Path  []string // ToContext
	Ref   string   // ToChildrenOf, as written
	State *State   // ToChildrenOf, resolved by Build
}

// DestKind is the kind of a destination.
type DestKind uint8

// The destinations.
const (
	ToSelf DestKind = iota
	ToParent
	ToChildren
	ToChildrenOf
	ToID
	ToContext
)

// Delay is a duration that is written, or found in the context (S48).
type Delay struct {
	Duration time.Duration // when Path is nil
	Path     []string      // context path
	At       bool          // the context holds an instant
	Text     string        // as written when it is malformed, else empty
	Pos      Pos
}

// Pair is one member of a with: Key from a path, or from an expression. Exactly
// one of Path and Expr is set. What a path reads depends on the place: of a
// region or invoke the parent's context or the loop item, of an event the
// context (S54, S67).
type Pair struct {
	Key  string
	Path []string
	Expr *Expr
	Pos  Pos
}

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

// Pred is a where predicate (S69): And, Or, Not, *Compare or *GuardCall.
type Pred interface{ isPred() }

// And holds when all hold.
type And []Pred

// Or holds when one holds.
type Or []Pred

// Not holds when X does not.
type Not struct{ X Pred }

// Compare compares a field of the event's data with a literal.
type Compare struct {
	Field []string
	Op    string // == != < <= > >= in
	Value any
	Pos   Pos
}

// GuardCall is a bare name: a named guard of the chart, else a Go guard.
type GuardCall struct {
	Name string
	Pos  Pos
}

func (And) isPred()        {}
func (Or) isPred()         {}
func (Not) isPred()        {}
func (*Compare) isPred()   {}
func (*GuardCall) isPred() {}

// EventDecl declares an event and the fields of its data (S21).
type EventDecl struct {
	Name   string
	Fields []Field
	Doc    string
	Pos    Pos
}

// Field is a declared field of an event.
type Field struct {
	Name     string
	Type     string // string, int, float, bool, any
	Optional bool
	Pos      Pos
}
