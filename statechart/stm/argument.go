package stm

import (
	"fmt"

	"github.com/durachart/durachart/statechart"
)

// givenArg is an argument as it is written: what it means depends on the kind of
// the parameter.
type givenArg struct {
	name  token
	first token // of the argument itself
	arg
	isName  bool // a Name or Dotted
	isValue bool
}

// argList reads [ "(" [ Arg { "," Arg } ] ")" ] of a use in the body of d.
func (p *parser) argList(d *statechart.StateDecl) []givenArg {
	if !p.punct("(") {
		return nil
	}
	var list []givenArg
	for !p.punct(")") {
		if len(list) > 0 {
			p.want(",", "between the arguments")
		}
		g := givenArg{name: p.name("the name of a parameter")}
		p.want("=", "after the name of the parameter")
		g.first = p.peek()
		g.pos = p.src.at(g.first)
		p.argValue(&g, d)
		list = append(list, g)
	}
	return list
}

func (p *parser) argValue(g *givenArg, d *statechart.StateDecl) {
	t := g.first
	switch {
	case p.punct("("):
		g.guard = p.pred()
		p.want(")", "after the condition")
	case t.isHandler():
		p.next()
		g.isName = true
		g.state = statechart.Ref{Text: t.text, Base: d, Pos: g.pos}
		g.event = statechart.NamePos{Name: t.text, Base: d, Pos: g.pos}
	case t.kind == tokDuration:
		p.next()
		g.isDelay = true
		var ok bool
		if g.duration, ok = duration(t); !ok {
			p.fail(t, "the duration "+t.text+" is too long", "")
		}
	default:
		g.value, g.isValue = p.value(), true
		if t.kind == tokStr {
			g.state = statechart.Ref{Text: t.text, Base: d, Pos: g.pos}
			g.event = statechart.NamePos{Name: t.text, Base: d, Pos: g.pos}
		}
	}
}

// bindArgs gives each parameter of f its argument, or reports why not.
func (p *parser) bindArgs(f *fragment, given []givenArg, use token) (map[string]*arg, bool) {
	args := make(map[string]*arg, len(f.params))
	ok := true
	for i := range given {
		g := &given[i]
		q := f.param(g.name.text)
		switch {
		case q == nil:
			p.badArgument(p.src.at(g.name), fmt.Sprintf("the fragment %q has no parameter %q", f.name, g.name.text), f.signature())
			ok = false
		case args[q.name] != nil:
			p.problem(statechart.Error, "duplicate", p.src.at(g.name), fmt.Sprintf("the parameter %q gets two arguments", q.name), "")
		default:
			args[q.name] = p.bindArg(q, g)
			ok = args[q.name] != nil && ok
		}
	}
	for _, q := range f.params {
		if args[q.name] == nil && ok {
			p.badArgument(p.src.at(use), fmt.Sprintf("the parameter %q of the fragment %q gets no argument", q.name, f.name), f.signature())
			ok = false
		}
	}
	return args, ok
}

func (f *fragment) param(name string) *param {
	for _, q := range f.params {
		if q.name == name {
			return q
		}
	}
	return nil
}

func (f *fragment) signature() string {
	if len(f.params) == 0 {
		return fmt.Sprintf("%q has no parameters", f.name)
	}
	s := "its parameters are "
	for i, q := range f.params {
		if i > 0 {
			s += ", "
		}
		s += q.name + ": " + string(q.kind)
	}
	return s
}

// bindArg interprets an argument as the kind of q wants, nil if it cannot. A Name
// that is a parameter of the same kind of the fragment around passes on what that
// stands for.
func (p *parser) bindArg(q *param, g *givenArg) *arg {
	a := g.arg
	if g.isName {
		if outer := p.argument(g.first.text, q.kind); outer != nil && g.first.kind == tokWord {
			a = *outer
			a.param = q
			return &a
		}
	}
	a.param = q
	isText := g.first.kind == tokStr
	switch q.kind {
	case paramAction:
		if g.isName {
			a.handler = p.handlerName(g.first.text)
			return &a
		}
	case paramState, paramEvent:
		if g.isName || isText {
			return &a
		}
	case paramGuard:
		if g.guard != nil {
			return &a
		}
		if g.isName && g.first.kind == tokWord {
			a.guard = &statechart.NamedPred{Name: p.guardName(g.first.text), Pos: g.pos}
			return &a
		}
	case paramValue:
		if g.isValue || g.isDelay {
			return &a
		}
	}
	p.badArgument(g.pos, fmt.Sprintf("the argument of %q must be %s", q.name, q.wants()), "")
	return nil
}

func (q *param) wants() string {
	switch q.kind {
	case paramAction:
		return "the name of a handler"
	case paramState:
		return "a state"
	case paramEvent:
		return "the name of an event"
	case paramGuard:
		return "a condition in parentheses or the name of a guard"
	}
	return "a literal or a duration"
}
