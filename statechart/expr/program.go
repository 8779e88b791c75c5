package expr

import (
	"sync"

	"cel.dev/cel-go/cel"
	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"
	"cel.dev/cel-go/interpreter"
)

// Program is a compiled expression. It is immutable and safe for concurrent use.
type Program struct {
	source  string
	loopVar string
	bool    bool
	states  []stateRef
	prog    cel.Program
}

type stateRef struct {
	name string // as written in In
	n    int
}

// Source returns the text that was compiled.
func (p *Program) Source() string { return p.source }

// States returns the numbers of the states that the expression asks for with In,
// in the order of their first use.
func (p *Program) States() []int {
	var out []int
	for _, s := range p.states {
		out = append(out, s.n)
	}
	return out
}

// Vars are the values of the variables. Nothing in them is changed or kept.
type Vars struct {
	Context map[string]any // JSON values
	Event   Event
	Item    any                  // value of the loop variable
	In      func(state int) bool // answers In; needed if the program uses it
}

// Eval evaluates p and converts the result as S71 says. The result may share
// parts with vars: treat it as read-only, or clone it. Errors match
// [ErrExpression] or [ErrValue].
func (p *Program) Eval(vars *Vars) (any, error) {
	out, err := p.run(vars)
	if err != nil {
		return nil, err
	}
	v, err := toJSON(out)
	if err != nil {
		return nil, evalError(ErrValue, p.source, err)
	}
	return v, nil
}

// Test evaluates p, which must give a boolean. Errors match [ErrExpression].
func (p *Program) Test(vars *Vars) (bool, error) {
	out, err := p.run(vars)
	if err != nil {
		return false, err
	}
	b, ok := out.(types.Bool)
	if !ok {
		return false, evalError(ErrExpression, p.source, "the condition is of type "+out.Type().TypeName()+", not bool")
	}
	return bool(b), nil
}

func (p *Program) run(vars *Vars) (ref.Val, error) {
	a := activations.Get().(*activation)
	a.prog, a.vars = p, vars
	out, _, err := p.prog.Eval(a)
	a.prog, a.vars = nil, nil
	activations.Put(a)
	if err != nil {
		return nil, evalError(ErrExpression, p.source, oneLine(err.Error()))
	}
	return out, nil
}

// activation shows the variables to CEL.
type activation struct {
	prog *Program
	vars *Vars
}

var activations = sync.Pool{New: func() any { return new(activation) }}

// ResolveName implements interpreter.Activation.
func (a *activation) ResolveName(name string) (any, bool) {
	switch name {
	case "context":
		return a.vars.Context, true
	case "event":
		return &a.vars.Event, true
	case inVariable:
		return a, true
	}
	if name == a.prog.loopVar && name != "" {
		return a.vars.Item, true
	}
	return nil, false
}

// Parent implements interpreter.Activation.
func (a *activation) Parent() interpreter.Activation { return nil }

// FindStringKey answers In: CEL looks the state name up in the variable @in,
// which is the activation itself.
func (a *activation) FindStringKey(name string) (any, bool) {
	for _, s := range a.prog.states {
		if s.name == name {
			return a.vars.In(s.n), true
		}
	}
	return nil, false
}
