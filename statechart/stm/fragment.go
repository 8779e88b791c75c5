package stm

import (
	"fmt"
	"strings"
	"time"

	"github.com/durachart/durachart/statechart"
)

// A fragment is expanded by reading its body again for every use, with arguments
// in the place of parameters (S96). Names in it are looked up in its own file and
// references in it end at its own compound, so nothing around a use is captured;
// arguments are resolved where they are written (S97).

type paramKind string

const (
	paramAction paramKind = "action"
	paramState  paramKind = "state"
	paramGuard  paramKind = "guard"
	paramValue  paramKind = "value"
	paramEvent  paramKind = "event"
)

type param struct {
	name string
	kind paramKind
	pos  statechart.Pos
	used bool
}

type fragment struct {
	name   string
	pos    statechart.Pos
	doc    string
	params []*param
	body   tokenRange
	unit   *unit
	used   bool
	calls  []fragmentUse // the uses in its body
}

type fragmentUse struct {
	of  *fragment
	pos statechart.Pos
}

// expansion is one use of a fragment, or, as a template, its body with every
// parameter standing for itself: so a fragment is checked once even if nothing
// uses it.
type expansion struct {
	of       *fragment
	args     map[string]*arg
	template bool
	around   *expansion
}

// arg is what a parameter stands for.
type arg struct {
	param    *param
	pos      statechart.Pos
	handler  string
	state    statechart.Ref
	event    statechart.NamePos
	guard    statechart.Pred
	value    any
	duration time.Duration
	isDelay  bool // the value is a Duration
}

// argument returns what name stands for if it is a parameter of that kind here.
func (p *parser) argument(name string, kind paramKind) *arg {
	if p.env == nil {
		return nil
	}
	a := p.env.args[name]
	if a == nil || a.param.kind != kind {
		return nil
	}
	a.param.used = a.param.used || p.env.template
	return a
}

// delay makes a Delay of a value argument for the place of t.
func (a *arg) delay(p *parser, t token) *statechart.Delay {
	d := &statechart.Delay{Pos: a.pos}
	seconds, isInt := a.value.(int64)
	switch {
	case a.isDelay:
		d.Duration = a.duration
	case p.env.template:
		d.Duration, d.Pos = time.Second, p.src.at(t)
	case isInt:
		text := fmt.Sprint(seconds)
		var ok bool
		if d.Duration, ok = duration(token{kind: tokInt, text: text}); !ok {
			d.Text = text
		}
	default:
		p.badArgument(a.pos, fmt.Sprintf("the argument %q is used as a delay, so it must be a number of seconds or a duration", a.param.name), "")
		d.Duration = time.Second
	}
	return d
}

// literal makes an input of a value argument.
func (a *arg) literal(p *parser) any {
	if a.isDelay {
		p.badArgument(a.pos, fmt.Sprintf("the argument %q is used as an input, so it cannot be a duration", a.param.name), "a text stands in quotes")
		return ""
	}
	return a.value
}

func (p *parser) badArgument(pos statechart.Pos, message, hint string) {
	p.lostFlow, p.lostStates = true, true
	p.problem(statechart.Error, "bad_argument", pos, message, hint)
}

// fragmentDecl reads the head of a fragment.
func (p *parser) fragmentDecl(t token) {
	f := &fragment{doc: p.doc(t), unit: p.unit}
	name := p.ref("the name of the fragment")
	f.name, f.pos = name.text, p.src.at(name)
	if p.punct("(") {
		for !p.punct(")") {
			if len(f.params) > 0 {
				p.want(",", "between the parameters")
			}
			p.param(f)
		}
	}
	f.body = p.skipBody(t, "after the head of the fragment")
	p.fragments = append(p.fragments, f)
	if !p.declare(kindFragment, f.name, f.pos, f) {
		f.used = true // said already what is wrong with it
	} else if !statechart.ValidName(f.name) {
		p.problem(statechart.Error, "bad_name", f.pos, fmt.Sprintf("%q cannot be the name of a fragment", f.name), "")
	}
}

func (p *parser) param(f *fragment) {
	t := p.name("the name of a parameter")
	p.want(":", "after the name of the parameter")
	kind := p.peek()
	switch paramKind(kind.text) {
	case paramAction, paramState, paramGuard, paramValue, paramEvent:
		if kind.kind == tokWord {
			p.next()
			break
		}
		fallthrough
	default:
		p.expected("action, state, guard, value or event")
	}
	for _, have := range f.params {
		if have.name == t.text {
			p.problem(statechart.Error, "duplicate", p.src.at(t), fmt.Sprintf("two parameters are called %q", t.text), "")
			return
		}
	}
	f.params = append(f.params, &param{name: t.text, kind: paramKind(kind.text), pos: p.src.at(t)})
}

// check reads the body as a template.
func (f *fragment) check() {
	env := &expansion{of: f, template: true, args: make(map[string]*arg)}
	for _, q := range f.params {
		env.args[q.name] = &arg{
			param: q, pos: q.pos, handler: q.name, value: q.name,
			state: statechart.Ref{Text: q.name, Pos: q.pos},
			event: statechart.NamePos{Name: q.name, Pos: q.pos},
			guard: &statechart.NamedPred{Name: q.name, Pos: q.pos},
		}
	}
	scratch := newMachine(f.unit, &statechart.Definition{Machines: make(map[string]*statechart.Definition)})
	f.read(&statechart.StateDecl{}, scratch, env)
}

// read reads the body into d.
func (f *fragment) read(d *statechart.StateDecl, m *machine, env *expansion) {
	p := &parser{unit: f.unit, pos: f.body.start, end: f.body.end, m: m, env: env}
	p.docs = f.unit.toks.list[f.body.start].docs
	p.whole(d, false)
}

// use reads the item "use" and puts the expansion into d.
func (p *parser) use(d *statechart.StateDecl) {
	t := p.peek()
	doc := p.doc(t)
	p.next()
	name := p.handlerToken()
	c := &statechart.StateDecl{Kind: statechart.Compound, Fragment: true, Doc: doc, Pos: p.src.at(name)}
	args := p.argList(d)
	c.Name = name.text[strings.LastIndexByte(name.text, '.')+1:]
	if p.word("as") {
		as := p.ref("the name of the state")
		c.Name, c.Pos = as.text, p.src.at(as)
	}
	d.Children = append(d.Children, c)
	f := p.fragment(name)
	if f == nil {
		p.lostFlow, p.lostStates = true, true
		return
	}
	if c.Doc == "" {
		c.Doc = f.doc
	}
	env := &expansion{of: f, around: p.env}
	var ok bool
	if env.args, ok = p.bindArgs(f, args, name); !ok {
		return
	}
	if p.env != nil && p.env.template {
		p.env.of.calls = append(p.env.of.calls, fragmentUse{f, p.src.at(name)})
		return
	}
	if p.mayExpand(f, name) {
		f.read(c, p.m, env)
	}
}

// fragment finds the fragment that is used, or reports that there is none.
func (p *parser) fragment(name token) *fragment {
	if d, ok := p.find(kindFragment, name.text); ok {
		f := d.what.(*fragment)
		f.used = true
		return f
	}
	if p.lostDecls { // it may have been in what could not be read
		return nil
	}
	hint := ""
	if near := nearKeyword(name.text, p.fragmentNames()); near != "" {
		hint = fmt.Sprintf("did you mean %q?", near)
	}
	p.problem(statechart.Error, "unknown_fragment", p.src.at(name), fmt.Sprintf("there is no fragment %q", name.text), hint)
	return nil
}

func (u *unit) fragmentNames() map[string]bool {
	set := make(map[string]bool)
	for name := range u.names[kindFragment] {
		set[name] = true
	}
	return set
}

// Bounds of all expansions of one call of Parse: charts beyond them would have
// too many states anyway, but fragments that use each other twice reach them with
// a few lines.
const (
	maxUses   = 10_000
	maxReread = 5_000_000 // tokens
)

// mayExpand reports whether f can be expanded here: not in itself, and not
// without end.
func (p *parser) mayExpand(f *fragment, name token) bool {
	for env := p.env; env != nil; env = env.around {
		if env.of == f {
			return false // reported when the fragment was checked
		}
	}
	p.uses++
	p.reread += f.body.end - f.body.start
	if p.uses > maxUses || p.reread > maxReread {
		p.lostFlow, p.lostStates = true, true
		if !p.exhausted {
			p.exhausted = true
			p.problem(statechart.Error, "too_large", p.src.at(name), "the fragments expand to too much", "")
		}
		return false
	}
	return true
}

// checkRecursion reports the uses by which a fragment reaches itself.
func (r *reader) checkRecursion(fragments []*fragment) {
	const (
		open = 1
		done = 2
	)
	state := make(map[*fragment]int)
	var visit func(f *fragment)
	visit = func(f *fragment) {
		state[f] = open
		for _, c := range f.calls {
			switch state[c.of] {
			case open:
				f.unit.lostFlow, f.unit.lostStates = true, true
				r.problem(statechart.Error, "fragment_recursion", c.pos,
					fmt.Sprintf("the fragment %q uses itself here, over others or at once", c.of.name), "")
			case 0:
				visit(c.of)
			}
		}
		state[f] = done
	}
	for _, f := range fragments {
		if state[f] == 0 {
			visit(f)
		}
	}
}
