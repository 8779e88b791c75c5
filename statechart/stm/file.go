package stm

import (
	"fmt"

	"github.com/durachart/durachart/statechart"
)

// file reads the declarations of a file. Of machines and fragments it reads only
// where their bodies are.
func (p *parser) file() {
	for !p.done() {
		start := p.pos
		if !p.guarded(p.declaration) {
			p.lostDecls = true
			p.skipDeclaration(start)
		}
	}
}

func (p *parser) declaration() {
	t := p.peek()
	switch {
	case p.word("import"):
		p.importDecl()
	case p.word("bind"):
		p.bindDecl()
	case p.word("guard"):
		p.guardDecl(t)
	case p.word("event"):
		p.eventDecl(t)
	case p.word("machine"):
		p.machineDecl(t)
	case p.word("fragment"):
		p.fragmentDecl(t)
	default:
		hint := hintFor(t)
		if t.is(tokPunct, "}") {
			hint = "there is one closing brace too many before this"
		} else if t.kind == tokWord {
			if near := nearKeyword(t.text, declKeywords); near != "" {
				hint = fmt.Sprintf("did you mean %q?", near)
			}
		}
		p.fail(t, fmt.Sprintf("expected a machine, fragment, event, guard, bind or import, not %s", p.src.show(t)), hint)
	}
}

// skipDeclaration goes on at the next declaration after an error in the one that
// began at start.
func (p *parser) skipDeclaration(start int) {
	if p.pos == start {
		p.next()
	}
	for !p.done() {
		t := p.peek()
		if p.beginsDecl() && (t.first || p.depth <= 0) || t.first && t.col == 1 && t.kind == tokWord && declKeywords[t.text] {
			break
		}
		p.next()
	}
	p.depth = 0
}

// beginsDecl reports whether a declaration of a file begins here. Inside a body
// that is a sign of a missing brace: the words begin no item, and as keys they
// are followed by something else.
func (p *parser) beginsDecl() bool {
	t, after, then := p.peek(), p.ahead(1), p.ahead(2)
	if t.kind != tokWord {
		return false
	}
	named := after.isName() || after.kind == tokStr
	switch t.text {
	case "machine":
		return named && then.is(tokPunct, "{")
	case "fragment":
		return named && (then.is(tokPunct, "{") || then.is(tokPunct, "("))
	case "import":
		return after.kind == tokStr
	case "bind":
		return after.is(tokPunct, "{")
	case "guard":
		return after.isName() && then.is(tokPunct, "=")
	case "event":
		return after.isPath() && then.is(tokPunct, "{")
	}
	return false
}

func (p *parser) importDecl() {
	imp := &importDecl{pos: p.src.at(p.peek())}
	imp.path = p.str("the path of a file in quotes")
	if p.word("as") {
		alias := p.name("an alias")
		imp.alias, imp.aliasPos = alias.text, p.src.at(alias)
	}
	p.imports = append(p.imports, imp)
}

func (p *parser) bindDecl() {
	p.want("{", `after "bind"`)
	for !p.punct("}") {
		t := p.peek()
		if t.kind != tokWord {
			p.expected("a name to bind")
		}
		p.next()
		p.want("=", "after the name to bind")
		b := statechart.Binding{Name: t.text, Handler: p.handlerToken().text, Pos: p.src.at(t)}
		p.punct(",")
		if p.declare(kindBind, b.Name, b.Pos, b) {
			p.binds = append(p.binds, b)
		}
	}
}

func (p *parser) guardDecl(t token) {
	doc := p.doc(t)
	name := p.name("the name of a guard")
	p.want("=", "after the name of the guard")
	g := &statechart.Guard{Name: name.text, Doc: doc, Pos: p.src.at(name)}
	if p.word("when") {
		g.Expr = p.expr()
	} else {
		g.Pred = p.pred()
	}
	if p.declare(kindGuard, g.Name, g.Pos, g) {
		p.guards = append(p.guards, g)
	}
}

func (p *parser) eventDecl(t token) {
	doc := p.doc(t)
	name := p.peek()
	e := statechart.EventDecl{Name: p.event("the name of an event").Name, Doc: doc, Pos: p.src.at(name)}
	p.want("{", "after the name of the event")
	for !p.punct("}") {
		e.Fields = append(e.Fields, p.field())
	}
	if p.declare(kindEvent, e.Name, e.Pos, e) {
		p.events = append(p.events, e)
	}
}

func (p *parser) field() statechart.Field {
	key := p.key("the name of a field")
	f := statechart.Field{Name: key.text, Pos: p.src.at(key)}
	p.want(":", "after the name of the field")
	switch t := p.peek(); t.text {
	case "string", "int", "float", "bool", "any":
		if t.kind != tokWord {
			p.expected("string, int, float, bool or any")
		}
		f.Type = statechart.FieldType(t.text)
		p.next()
	default:
		p.expected("string, int, float, bool or any")
	}
	f.Optional = p.punct("?")
	p.punct(",")
	return f
}

func (p *parser) machineDecl(t token) {
	doc := p.doc(t)
	name := p.ref("the name of the machine")
	m := &machineDecl{name: name.text, pos: p.src.at(name), doc: doc, unit: p.unit}
	m.body = p.skipBody(t, "after the name of the machine")
	m.def = &statechart.Definition{
		Name: m.name, Doc: doc, Pos: m.pos,
		Root:     &statechart.StateDecl{Kind: statechart.Compound, Pos: m.pos},
		Machines: make(map[string]*statechart.Definition),
	}
	p.machines = append(p.machines, m)
	p.declare(kindMachine, m.name, m.pos, m)
}

// skipBody goes over the body of the declaration that begins with owner. All up
// to the next one belongs to it: where exactly its braces end is seen when it is
// read.
func (p *parser) skipBody(owner token, where string) tokenRange {
	r := tokenRange{start: p.pos}
	if !p.isPunct("{") {
		p.expected(fmt.Sprintf("%q %s", "{", where))
	}
	p.next()
	for !p.done() {
		if t := p.peek(); (p.depth <= 0 || t.first && t.col <= owner.col) && p.beginsDecl() {
			break
		}
		p.next()
	}
	p.depth = 0
	r.end = p.pos
	p.docs = p.toks.list[p.pos-1].docs
	return r
}
