package statechart

import (
	"fmt"
	"slices"
)

// actions resolves and compiles an action list.
func (c *compiler) actions(list []Action, sc scope) []Action {
	var out []Action
	for _, a := range list {
		if lowered := c.action(a, sc); lowered != nil {
			out = append(out, lowered)
		} else {
			c.fail("syntax", sc.pos, sc.state, "an action list of %s holds an action that is nil", label(sc.state))
		}
	}
	return out
}

// action returns a copy of a with what it needs at run time, or nil for nil.
func (c *compiler) action(a Action, sc scope) Action {
	switch a := a.(type) {
	case *CallAction:
		if a != nil {
			return c.call(a, sc)
		}
	case *RaiseAction:
		if a != nil {
			sc.pos = or(a.Pos, sc.pos)
			c.eventName(a.Event, "raise", sc)
			return &RaiseAction{Event: a.Event, Data: c.pairs(a.Data, sc), Pos: a.Pos}
		}
	case *SendAction:
		if a != nil {
			return c.send(a, sc)
		}
	case *CancelAction:
		if a != nil {
			c.checkName("delayed send", a.ID, or(a.Pos, sc.pos), sc.state)
			return &CancelAction{ID: a.ID, Pos: a.Pos}
		}
	case *SetAction:
		if a != nil {
			return c.set(a, sc)
		}
	case *LogAction:
		if a != nil {
			sc.pos = or(a.Pos, sc.pos)
			c.text("text", a.Text, sc.pos, sc.state)
			return &LogAction{Text: a.Text, Expr: c.expr(a.Expr, sc), Pos: a.Pos}
		}
	}
	return nil
}

func (c *compiler) set(a *SetAction, sc scope) Action {
	sc.pos = or(a.Pos, sc.pos)
	c.path(a.Path, sc.pos, sc.state)
	e := a.Expr
	if e == nil {
		e = &Expr{}
	}
	return &SetAction{Path: slices.Clone(a.Path), Expr: c.expr(e, sc), Pos: a.Pos}
}

// call checks the call of a Go handler and makes its inputs literals.
func (c *compiler) call(a *CallAction, sc scope) *CallAction {
	pos := or(a.Pos, sc.pos)
	c.handler(a.Name, pos, sc.state)
	out := &CallAction{Name: a.Name, Pos: a.Pos}
	seen := make(map[string]bool, len(a.Inputs))
	for _, in := range a.Inputs {
		at := or(in.Pos, pos)
		c.text("key", in.Key, at, sc.state)
		if seen[in.Key] {
			c.fail("duplicate", at, sc.state, "the input %q of %q is given twice", in.Key, a.Name)
		}
		seen[in.Key] = true
		in.Value = c.literal(in.Value, fmt.Sprintf("the input %q", in.Key), at, sc.state)
		out.Inputs = append(out.Inputs, in)
	}
	return out
}

// handler checks the name of a Go handler and counts it as a use of its binding.
func (c *compiler) handler(name string, pos Pos, s *State) {
	if !isHandler(name) {
		p := c.fail("bad_name", pos, s, "the handler name %q must be words joined by dots", name)
		if isReservedWord(name) {
			p.Message = fmt.Sprintf("the handler name %q is a reserved word", name)
		}
	}
	c.useBinding(name)
}

// literal makes v a literal or reports it.
func (c *compiler) literal(v any, what string, pos Pos, s *State) any {
	l, ok := literal(v)
	if !ok {
		c.fail("syntax", pos, s, "%s must be a text, a number, a boolean or a list of those", what)
	}
	return l
}

func (c *compiler) send(a *SendAction, sc scope) *SendAction {
	sc.pos = or(a.Pos, sc.pos)
	c.eventName(a.Event, "send", sc)
	out := *a
	out.Data = c.pairs(a.Data, sc)
	if a.Delay != nil {
		out.Delay = c.delay(a.Delay, sc.state, sc.pos)
	}
	if a.ID != "" {
		c.checkName("delayed send", a.ID, sc.pos, sc.state)
	}
	c.dest(&out.Dest, sc)
	return &out
}

func (c *compiler) dest(d *Dest, sc scope) {
	switch d.Kind {
	case ToID:
		c.text("execution id", d.ID, sc.pos, sc.state)
	case ToContext:
		d.Path = slices.Clone(d.Path)
		c.path(d.Path, sc.pos, sc.state)
	case ToChildrenOf:
		pos := or(d.Ref.Pos, sc.pos)
		t := c.target("unknown_state", sc.stands(), d.Ref, sc.state, sc.pos)
		switch {
		case t == nil:
		case t.ExecutionRoot != sc.state.ExecutionRoot:
			c.crosses(pos, sc.state, t)
		case t.Kind != Orthogonal && t.Kind != Invoking:
			c.fail("unknown_state", pos, sc.state, "%s has no children to send to: it is %s state", label(t), article(t.Kind))
		}
		d.State = t
	}
}

// pairs compiles the pairs of a with.
func (c *compiler) pairs(pairs []Pair, sc scope) []Pair {
	var out []Pair
	seen := make(map[string]bool, len(pairs))
	for _, p := range pairs {
		at := sc
		at.pos = or(p.Pos, sc.pos)
		c.text("key", p.Key, at.pos, sc.state)
		if seen[p.Key] {
			c.fail("duplicate", at.pos, sc.state, "the key %q is given twice", p.Key)
		}
		seen[p.Key] = true
		if p.Expr != nil {
			p.Expr, p.Path = c.expr(p.Expr, at), nil
		} else {
			p.Path = slices.Clone(p.Path)
			c.path(p.Path, at.pos, sc.state)
		}
		out = append(out, p)
	}
	return out
}
