package statechart

import "time"

// SendAction emits an external event, at once or after a delay (S66).
//
// The methods return a changed copy, so that a send may be shared.
type SendAction struct {
	Event string
	Dest  Dest
	Delay *Delay // or nil
	ID    string // send id, or empty
	Data  []Pair
	Pos   Pos
}

// Send sends an external event, to this execution unless a destination is given.
func Send(event string, data ...Pair) *SendAction {
	return &SendAction{Event: event, Data: data}
}

// ToParent sends to the execution that spawned this one.
func (a *SendAction) ToParent() *SendAction { return a.to(Dest{Kind: ToParent}) }

// ToChildren sends to the live children of all sites.
func (a *SendAction) ToChildren() *SendAction { return a.to(Dest{Kind: ToChildren}) }

// ToChildrenOf sends to the live children of one orthogonal or invoke state.
func (a *SendAction) ToChildrenOf(state string) *SendAction {
	return a.to(Dest{Kind: ToChildrenOf, Ref: Ref{Text: state}})
}

// ToID sends to the execution of that id.
func (a *SendAction) ToID(id string) *SendAction { return a.to(Dest{Kind: ToID, ID: id}) }

// ToContext sends to the execution whose id stands in the context.
func (a *SendAction) ToContext(path string) *SendAction {
	return a.to(Dest{Kind: ToContext, Path: splitPath(path)})
}

// After delays the send.
func (a *SendAction) After(d time.Duration) *SendAction { return a.after(Delay{Duration: d}) }

// AfterContext delays the send by what stands in the context (S48).
func (a *SendAction) AfterContext(path string) *SendAction {
	return a.after(Delay{Path: splitPath(path)})
}

// AtContext delays the send until the instant that stands in the context (S48).
func (a *SendAction) AtContext(path string) *SendAction {
	return a.after(Delay{Path: splitPath(path), At: true})
}

// As names the delayed send, so that [Cancel] or a later send can drop it.
func (a *SendAction) As(id string) *SendAction {
	c := *a
	c.ID = id
	return &c
}

func (a *SendAction) to(d Dest) *SendAction {
	c := *a
	c.Dest = d
	return &c
}

func (a *SendAction) after(d Delay) *SendAction {
	c := *a
	c.Delay = &d
	return &c
}

// Dest is where a send goes.
type Dest struct {
	Kind  DestKind
	ID    string   // ToID
	Path  []string // ToContext
	Ref   Ref      // ToChildrenOf, as written
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
// context (S54, S67). Make pairs with [Pick] and [Eval].
type Pair struct {
	Key  string
	Path []string
	Expr *Expr
	Pos  Pos
}

// Pick is the pair "key: path": it copies what stands at a path, names joined
// by ".".
func Pick(key, path string) Pair { return Pair{Key: key, Path: splitPath(path)} }

// Eval is the pair "key = expr": the value of a CEL expression.
func Eval(key, expr string) Pair { return Pair{Key: key, Expr: &Expr{Source: expr}} }
