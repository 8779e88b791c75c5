package stm

import (
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/durachart/durachart/statechart"
)

// The smallest pieces of the grammar. Each reads one or fails.

func (p *parser) str(what string) string {
	t := p.peek()
	if t.kind != tokStr {
		p.expected(what)
	}
	p.next()
	return t.text
}

func (p *parser) name(what string) token {
	t := p.peek()
	if !t.isName() {
		p.expectedName(what)
	}
	return p.next()
}

// ref reads a Ref: a Name or a Str.
func (p *parser) ref(what string) token {
	t := p.peek()
	if !t.isName() && t.kind != tokStr {
		p.expectedName(what)
	}
	return p.next()
}

func (p *parser) key(what string) token {
	t := p.peek()
	if !t.isKey() {
		p.expected(what)
	}
	return p.next()
}

func (p *parser) handlerToken() token {
	t := p.peek()
	if !t.isHandler() {
		p.expectedName("the name of a handler")
	}
	return p.next()
}

func (p *parser) path(what string) []string {
	t := p.peek()
	if !t.isPath() {
		p.expected(what)
	}
	p.next()
	return strings.Split(t.text, ".")
}

func (p *parser) expr() *statechart.Expr {
	pos := p.src.at(p.peek())
	return &statechart.Expr{Source: p.str("an expression in quotes"), Pos: pos}
}

// target reads a Target. A Name that is a state parameter stands for its
// argument.
func (p *parser) target() statechart.Ref {
	t := p.peek()
	rooted := p.punct(".")
	n := p.peek()
	switch {
	case n.kind == tokStr && !rooted, n.kind == tokDotted, n.isName():
		p.next()
	default:
		p.expectedName("the name of a state")
	}
	if n.kind == tokWord && !rooted {
		if a := p.argument(n.text, paramState); a != nil {
			return a.state
		}
	}
	r := statechart.Ref{Text: n.text, Pos: p.src.at(t)}
	if rooted {
		r.Text = "." + r.Text
	}
	return r
}

func (p *parser) targets() []statechart.Ref {
	list := []statechart.Ref{p.target()}
	for p.punct(",") {
		list = append(list, p.target())
	}
	return list
}

// event reads an Event. A Word that is an event parameter stands for its
// argument.
func (p *parser) event(what string) statechart.NamePos {
	t := p.peek()
	n := statechart.NamePos{Name: t.text, Pos: p.src.at(t)}
	switch {
	case t.is(tokPunct, "*"), t.kind == tokStr:
		p.next()
		return n
	case t.kind == tokWord, t.kind == tokDotted:
		p.next()
	default:
		p.expected(what)
	}
	if t.kind == tokWord {
		if a := p.argument(t.text, paramEvent); a != nil {
			n = a.event
		}
	}
	if p.isPunct(".") && p.ahead(1).is(tokPunct, "*") {
		p.next()
		p.next()
		n.Name += ".*"
	}
	return n
}

// value reads a literal.
func (p *parser) value() any {
	t := p.peek()
	switch {
	case t.kind == tokStr:
		p.next()
		return t.text
	case t.kind == tokInt:
		n, err := strconv.ParseInt(t.text, 10, 64)
		if err != nil {
			p.fail(t, "the integer "+t.text+" does not fit into 64 bits", "")
		}
		p.next()
		return n
	case t.kind == tokFloat:
		f, err := strconv.ParseFloat(t.text, 64)
		if err != nil || math.IsInf(f, 0) {
			p.fail(t, "the number "+t.text+" is too large", "")
		}
		p.next()
		return f
	case p.word("true"):
		return true
	case p.word("false"):
		return false
	case p.isPunct("["):
		return p.list()
	}
	p.expected("a literal: a text, a number, true, false or a list")
	return nil
}

func (p *parser) list() any {
	p.deeper()
	defer p.shallower()
	p.want("[", "")
	list := []any{}
	for !p.punct("]") {
		if len(list) > 0 {
			p.want(",", "between the elements of a list")
		}
		list = append(list, p.value())
	}
	return list
}

// delay reads a Delay. What is no delay is left for the checks to report.
func (p *parser) delay() *statechart.Delay {
	t := p.peek()
	d := &statechart.Delay{Pos: p.src.at(t)}
	if p.word("at") {
		d.At = true
		p.wantWord("context", `after "at"`)
		d.Path = p.path("a path of the context")
		return d
	}
	switch {
	case t.kind == tokInt || t.kind == tokDuration || t.kind == tokFloat || t.kind == tokOther:
		p.next()
		var ok bool
		if d.Duration, ok = duration(t); !ok {
			d.Text = t.text
		}
	case t.is(tokWord, "context") && p.ahead(1).isPath():
		p.next()
		d.Path = p.path("a path of the context")
	case t.isName():
		p.next()
		if a := p.argument(t.text, paramValue); a != nil {
			return a.delay(p, t)
		}
		d.Text = t.text
	default:
		p.expected("a delay")
	}
	return d
}

// duration converts an Int, which counts seconds, or a Duration.
func duration(t token) (time.Duration, bool) {
	digits, unit := t.text, time.Second
	switch t.kind {
	case tokInt:
	case tokDuration:
		name := strings.TrimLeft(t.text, "0123456789")
		digits = strings.TrimSuffix(t.text, name)
		unit = map[string]time.Duration{
			"ms": time.Millisecond, "s": time.Second, "m": time.Minute, "h": time.Hour, "d": 24 * time.Hour,
		}[name]
	default:
		return 0, false
	}
	n, err := strconv.ParseInt(digits, 10, 64)
	if err != nil || n > int64(math.MaxInt64/unit) || n < -int64(math.MaxInt64/unit) {
		return 0, false
	}
	return time.Duration(n) * unit, true
}

// pairs reads Pairs.
func (p *parser) pairs() []statechart.Pair {
	p.want("{", `after "with"`)
	list := []statechart.Pair{}
	for !p.punct("}") {
		key := p.key("a key")
		pair := statechart.Pair{Key: key.text, Pos: p.src.at(key)}
		switch {
		case p.punct(":"):
			pair.Path = p.path("a path of the context")
		case p.punct("="):
			pair.Expr = p.expr()
		default:
			p.expected(`":" and a path, or "=" and an expression`)
		}
		p.punct(",")
		list = append(list, pair)
	}
	return list
}
