package statechart

// Action is an item of an action list (S66): a *CallAction, *RaiseAction,
// *SendAction, *CancelAction, *SetAction or *LogAction. Make them with [Call],
// [Raise], [Send], [Cancel], [Set] and [Log].
type Action interface{ isAction() }

// CallAction calls the registered Go handler of that name with literal inputs.
type CallAction struct {
	Name   string
	Inputs []Input // order as written; keys are unique
	Pos    Pos
}

// Input is one input of a call. In a Chart its Value is a bool, int64, float64,
// string, or []any of those; a declared one may be of any Go type that Build can
// make one of these of.
type Input struct {
	Key   string
	Value any
	Pos   Pos
}

// RaiseAction appends an internal event.
type RaiseAction struct {
	Event string
	Data  []Pair
	Pos   Pos
}

// CancelAction drops the pending delayed send of that id (S50).
type CancelAction struct {
	ID  string
	Pos Pos
}

// SetAction writes the value of an expression into the context.
type SetAction struct {
	Path []string
	Expr *Expr
	Pos  Pos
}

// LogAction adds one trace line.
type LogAction struct {
	Text string
	Expr *Expr // or nil
	Pos  Pos
}

func (*CallAction) isAction()   {}
func (*RaiseAction) isAction()  {}
func (*SendAction) isAction()   {}
func (*CancelAction) isAction() {}
func (*SetAction) isAction()    {}
func (*LogAction) isAction()    {}

// Call calls the Go action registered under name. Inputs are pairs of a key and
// a literal: a text, a number, a boolean or a list of those.
func Call(name string, inputs ...any) *CallAction {
	return &CallAction{Name: name, Inputs: inputPairs(inputs)}
}

// Raise raises an internal event; it is handled in the same step.
func Raise(event string, data ...Pair) *RaiseAction {
	return &RaiseAction{Event: event, Data: data}
}

// Cancel drops the pending delayed send that was given this id.
func Cancel(id string) *CancelAction { return &CancelAction{ID: id} }

// Set writes the value of a CEL expression to a path of the context, names
// joined by ".".
func Set(path, expr string) *SetAction {
	return &SetAction{Path: splitPath(path), Expr: &Expr{Source: expr}}
}

// Log writes a line to the trace, with the value of a CEL expression if there
// is one.
func Log(text string, expr ...string) *LogAction {
	l := &LogAction{Text: text}
	if len(expr) > 0 {
		l.Expr = &Expr{Source: expr[0]}
	}
	return l
}
