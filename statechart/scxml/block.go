package scxml

import (
	"fmt"
	"time"

	"github.com/durachart/durachart/internal/jsonvalue"
	"github.com/durachart/durachart/statechart"
	"github.com/durachart/durachart/statechart/expr"
)

// Env is what a block works on. It is the scope of an untyped Go action, with In.
type Env interface {
	Context() map[string]any // the block changes it
	Event() (name string, data map[string]any, id string)
	In(path string) bool
	ID() string
	Raise(name string, data any) error
	Send(to, name string, data any) error
	SendAfter(d time.Duration, id, to, name string, data any) error
	CancelSend(id string)
	Log(text string)
}

// Block is executable content that a chart has no words for. It is immutable.
type Block struct{ items []item }

// Run executes the block. The first error ends it; what it did before stays done
// as far as env keeps it.
func (b *Block) Run(env Env) error { return runAll(b.items, env) }

func runAll(items []item, env Env) error {
	for _, it := range items {
		if err := it.run(env); err != nil {
			return err
		}
	}
	return nil
}

// item is an element of executable content. action returns it as a plain action,
// if a chart has words for it; run executes it in a block.
type item interface {
	action() (statechart.Action, bool)
	run(env Env) error
}

// program is a compiled expression with the states that it asks for.
type program struct {
	prog  *expr.Program
	paths []string
}

// compile compiles e for a block. What does not compile is a fault of the
// translation and is reported.
func (r *reader) compile(e *statechart.Expr) *program {
	p := &program{}
	prog, err := expr.Compile(e.Source, expr.Options{State: func(path string) (int, error) {
		p.paths = append(p.paths, path)
		return len(p.paths) - 1, nil
	}})
	if err != nil {
		r.problem(e.Pos, "unsupported", "expression written as %q: %v", e.Source, err)
		prog, _ = expr.Compile(failing, expr.Options{})
	}
	p.prog = prog
	return p
}

func (p *program) eval(env Env) (any, error) {
	name, data, id := env.Event()
	v, err := p.prog.Eval(&expr.Vars{
		Context: env.Context(),
		Event:   expr.Event{Name: name, Data: data, ID: id},
		In:      func(n int) bool { return env.In(p.paths[n]) },
	})
	return jsonvalue.Clone(v), err
}

func (p *program) text(env Env) (string, error) {
	v, err := p.eval(env)
	if err != nil {
		return "", err
	}
	s, ok := v.(string)
	if !ok {
		return "", fmt.Errorf("%q is no text", p.prog.Source())
	}
	return s, nil
}

type raiseItem struct {
	event    string
	internal bool // _event.type is looked at somewhere
	pos      statechart.Pos
}

func (i raiseItem) action() (statechart.Action, bool) {
	a := &statechart.RaiseAction{Event: i.event, Pos: i.pos}
	if i.internal {
		a.Data = []statechart.Pair{statechart.Eval("_type", `"internal"`)}
	}
	return a, true
}

func (i raiseItem) run(env Env) error {
	data := map[string]any{}
	if i.internal {
		data["_type"] = "internal"
	}
	return env.Raise(i.event, data)
}

type logItem struct {
	text string
	expr *statechart.Expr
	prog *program
	pos  statechart.Pos
}

func (i logItem) action() (statechart.Action, bool) {
	return &statechart.LogAction{Text: i.text, Expr: i.expr, Pos: i.pos}, true
}

func (i logItem) run(env Env) error {
	if i.prog == nil {
		env.Log(i.text)
		return nil
	}
	v, err := i.prog.eval(env)
	if err != nil {
		return err
	}
	encoded, err := jsonvalue.Encode(v)
	env.Log(i.text + " " + string(encoded))
	return err
}

type assignItem struct {
	path []string
	expr *statechart.Expr
	prog *program
	pos  statechart.Pos
}

func (i assignItem) action() (statechart.Action, bool) {
	return &statechart.SetAction{Path: i.path, Expr: i.expr, Pos: i.pos}, true
}

func (i assignItem) run(env Env) error {
	v, err := i.prog.eval(env)
	if err != nil {
		return err
	}
	return jsonvalue.Set(env.Context(), i.path, v)
}

type cancelItem struct {
	id   string
	expr *program
	pos  statechart.Pos
}

func (i cancelItem) action() (statechart.Action, bool) {
	return &statechart.CancelAction{ID: sendID(i.id), Pos: i.pos}, i.expr == nil
}

func (i cancelItem) run(env Env) error {
	id := i.id
	if i.expr != nil {
		var err error
		if id, err = i.expr.text(env); err != nil {
			return err
		}
	}
	env.CancelSend(sendID(id))
	return nil
}

type branch struct {
	cond *program // nil: else
	body []item
}

type ifItem struct{ branches []branch }

func (ifItem) action() (statechart.Action, bool) { return nil, false }

func (i ifItem) run(env Env) error {
	for _, b := range i.branches {
		if b.cond != nil {
			v, err := b.cond.eval(env)
			if err != nil {
				return err
			}
			if v != true {
				continue
			}
		}
		return runAll(b.body, env)
	}
	return nil
}

type foreachItem struct {
	array       *program
	item, index string
	body        []item
}

func (foreachItem) action() (statechart.Action, bool) { return nil, false }

// run loops over a copy of the list, as the Recommendation wants (section 4.6).
func (i foreachItem) run(env Env) error {
	v, err := i.array.eval(env)
	if err != nil {
		return err
	}
	list, ok := v.([]any)
	if !ok {
		return fmt.Errorf("foreach over %s, which is no list", jsonvalue.TypeName(v))
	}
	for n, x := range list {
		env.Context()[i.item] = x
		if i.index != "" {
			env.Context()[i.index] = int64(n)
		}
		if err := runAll(i.body, env); err != nil {
			return err
		}
	}
	return nil
}

// sessionItem puts the id of the execution where expressions find it.
type sessionItem struct{}

func (sessionItem) action() (statechart.Action, bool) { return nil, false }

func (sessionItem) run(env Env) error {
	env.Context()["_sessionid"] = env.ID()
	return nil
}
