package stm

import (
	"fmt"

	"github.com/durachart/durachart/statechart"
)

// actions reads Actions: one, or several in braces.
func (p *parser) actions() []statechart.Action {
	if !p.punct("{") {
		return []statechart.Action{p.action()}
	}
	list := []statechart.Action{}
	for !p.punct("}") {
		list = append(list, p.action())
		p.punct(";")
	}
	return list
}

// doClause reads [ Do ].
func (p *parser) doClause() []statechart.Action {
	if p.word("do") {
		return p.actions()
	}
	return nil
}

func (p *parser) action() statechart.Action {
	t := p.peek()
	pos := p.src.at(t)
	switch {
	case p.word("raise"):
		a := &statechart.RaiseAction{Pos: pos}
		a.Event = p.event("the event to raise").Name
		a.Data = p.withClause()
		return a
	case p.word("send"):
		return p.send(pos)
	case p.word("cancel"):
		return &statechart.CancelAction{ID: p.ref("the id of a delayed send").text, Pos: pos}
	case p.word("set"):
		a := &statechart.SetAction{Path: p.path("a path of the context"), Pos: pos}
		p.want("=", "after the path")
		a.Expr = p.expr()
		return a
	case p.word("log"):
		a := &statechart.LogAction{Text: p.str("the text to log, in quotes"), Pos: pos}
		if p.punct("=") {
			a.Expr = p.expr()
		}
		return a
	case t.isHandler():
		return p.call()
	}
	p.expected("an action")
	return nil
}

// withClause reads [ "with" Pairs ].
func (p *parser) withClause() []statechart.Pair {
	if p.word("with") {
		return p.pairs()
	}
	return nil
}

func (p *parser) send(pos statechart.Pos) statechart.Action {
	a := &statechart.SendAction{Pos: pos}
	a.Event = p.event("the event to send").Name
	if p.word("to") {
		a.Dest = p.dest()
	}
	if p.word("after") {
		a.Delay = p.delay()
	}
	if p.word("as") {
		a.ID = p.ref("an id for the delayed send").text
	}
	a.Data = p.withClause()
	return a
}

func (p *parser) dest() statechart.Dest {
	t := p.peek()
	switch {
	case p.word("self"):
		return statechart.Dest{Kind: statechart.ToSelf}
	case p.word("parent"):
		return statechart.Dest{Kind: statechart.ToParent}
	case p.word("children"):
		if p.word("of") {
			return statechart.Dest{Kind: statechart.ToChildrenOf, Ref: p.target()}
		}
		return statechart.Dest{Kind: statechart.ToChildren}
	case p.word("context"):
		return statechart.Dest{Kind: statechart.ToContext, Path: p.path("a path of the context")}
	case t.kind == tokStr:
		p.next()
		return statechart.Dest{Kind: statechart.ToID, ID: t.text}
	}
	p.expected(`self, parent, children, context and a path, or an id in quotes`)
	return statechart.Dest{}
}

// call reads a Call. A Name that is an action parameter stands for its argument.
func (p *parser) call() *statechart.CallAction {
	t := p.handlerToken()
	c := &statechart.CallAction{Pos: p.src.at(t)}
	if a := p.argument(t.text, paramAction); a != nil && t.kind == tokWord {
		c.Name = a.handler
	} else {
		c.Name = p.handlerName(t.text)
	}
	if !p.punct("(") {
		return c
	}
	for !p.punct(")") {
		if len(c.Inputs) > 0 {
			p.want(",", "between the inputs")
		}
		key := p.key("the name of an input")
		p.want(":", "after the name of the input")
		c.Inputs = append(c.Inputs, statechart.Input{Key: key.text, Value: p.input(), Pos: p.src.at(key)})
	}
	return c
}

// input reads the value of an input: a literal, or a value parameter.
func (p *parser) input() any {
	t := p.peek()
	if !t.isName() {
		return p.value()
	}
	p.next()
	if a := p.argument(t.text, paramValue); a != nil {
		return a.literal(p)
	}
	p.badArgument(p.src.at(t), fmt.Sprintf("there is no value parameter %q here", t.text), "a text stands in quotes")
	return ""
}
