package statechart

import "time"

// TransitionBuilder declares one transition.
type TransitionBuilder struct {
	decl *TransitionDecl
	log  *callLog
	said map[string]bool

	to     []Ref
	orElse *Ref
	join   *Join
}

func (t *TransitionBuilder) first(clause string) (Pos, bool) {
	pos := t.log.next()
	if t.said[clause] {
		t.decl.Duplicates = append(t.decl.Duplicates, Item{Name: clause, Pos: pos})
		return pos, false
	}
	if t.said == nil {
		t.said = make(map[string]bool)
	}
	t.said[clause] = true
	return pos, true
}

// Doc sets the doc comment of the transition.
func (t *TransitionBuilder) Doc(text string) *TransitionBuilder {
	t.decl.Doc = text
	return t
}

// Internal keeps a compound source active when all targets lie inside it (S28).
func (t *TransitionBuilder) Internal() *TransitionBuilder {
	if _, ok := t.first("internal"); ok {
		t.decl.Internal = true
	}
	return t
}

// To names the target, or several that can be active together (S9).
func (t *TransitionBuilder) To(targets ...string) *TransitionBuilder {
	if _, ok := t.first("to"); ok {
		t.to = t.log.refs(targets)
	}
	return t.settle()
}

// On takes the transition on an event that one of the descriptors matches (S17).
func (t *TransitionBuilder) On(events ...string) *TransitionBuilder {
	if _, ok := t.first("trigger"); ok {
		t.decl.Events = t.log.names(events)
	}
	return t
}

// After takes the transition a while after each entry of its source.
func (t *TransitionBuilder) After(d time.Duration) *TransitionBuilder {
	return t.after(Delay{Duration: d})
}

// AfterContext is After with a delay that stands in the context (S48).
func (t *TransitionBuilder) AfterContext(path string) *TransitionBuilder {
	return t.after(Delay{Path: splitPath(path)})
}

// AtContext takes the transition at the instant that stands in the context.
func (t *TransitionBuilder) AtContext(path string) *TransitionBuilder {
	return t.after(Delay{Path: splitPath(path), At: true})
}

func (t *TransitionBuilder) after(d Delay) *TransitionBuilder {
	if pos, ok := t.first("trigger"); ok {
		d.Pos = pos
		t.decl.After = &d
	}
	return t
}

// Always takes the transition without an event, as soon as its guards hold.
func (t *TransitionBuilder) Always() *TransitionBuilder {
	if _, ok := t.first("trigger"); ok {
		t.decl.Always = true
	}
	return t
}

// When adds a CEL condition (S70). All conditions must hold.
func (t *TransitionBuilder) When(expr string) *TransitionBuilder {
	t.decl.Guards = append(t.decl.Guards, &Guard{Expr: &Expr{Source: expr}, Pos: t.log.next()})
	return t
}

// Where adds a condition over the data of the event, or a named guard (S69). All
// conditions must hold.
func (t *TransitionBuilder) Where(p Pred) *TransitionBuilder {
	t.decl.Guards = append(t.decl.Guards, &Guard{Pred: p, Pos: t.log.next()})
	return t
}

// Do runs actions between the exits and the entries.
func (t *TransitionBuilder) Do(actions ...Action) *TransitionBuilder {
	if _, ok := t.first("do"); ok {
		t.decl.Do = t.log.place(actions)
	}
	return t
}

// Select picks the target by the Go selector of that name, called with inputs as
// in [Call]; the branches follow (S12).
func (t *TransitionBuilder) Select(name string, inputs ...any) *TransitionBuilder {
	if pos, ok := t.first("select"); ok {
		c := t.choice()
		c.Call, c.Pos = &CallAction{Name: name, Inputs: inputPairs(inputs), Pos: pos}, pos
	}
	return t
}

// SelectExpr picks the target by the value of a CEL expression.
func (t *TransitionBuilder) SelectExpr(expr string) *TransitionBuilder {
	if pos, ok := t.first("select"); ok {
		c := t.choice()
		c.Expr, c.Pos = &Expr{Source: expr, Pos: pos}, pos
	}
	return t
}

// Returns lists all values that the selector can give, so that Build can check
// the branches.
func (t *TransitionBuilder) Returns(values ...any) *TransitionBuilder {
	if _, ok := t.first("returns"); ok {
		c := t.choice()
		c.Returns, c.HasReturns = values, true
	}
	return t
}

// Branch is the way out for one value of the selector.
func (t *TransitionBuilder) Branch(value any, target string) *TransitionBuilder {
	pos := t.log.next()
	c := t.choice()
	c.Branches = append(c.Branches, BranchDecl{Value: value, Target: Ref{Text: target, Pos: pos}, Pos: pos})
	return t
}

// Else is the way out of Select for every other value, and of Join when the join
// does not pass.
func (t *TransitionBuilder) Else(target string) *TransitionBuilder {
	if pos, ok := t.first("else"); ok {
		t.orElse = &Ref{Text: target, Pos: pos}
	}
	return t.settle()
}

// Join takes the transition when the join of an orthogonal or fan-out state is
// decided: to To when at least n children passed, otherwise to Else (S59).
func (t *TransitionBuilder) Join(n int) *TransitionBuilder {
	return t.joined(Join{Policy: JoinCount, N: n})
}

// JoinAny is Join(1).
func (t *TransitionBuilder) JoinAny() *TransitionBuilder { return t.joined(Join{Policy: JoinAny}) }

// JoinAll is Join with all children.
func (t *TransitionBuilder) JoinAll() *TransitionBuilder { return t.joined(Join{Policy: JoinAll}) }

func (t *TransitionBuilder) joined(j Join) *TransitionBuilder {
	if pos, ok := t.first("join"); ok {
		j.Pos = pos
		t.join = &j
	}
	return t.settle()
}

func (t *TransitionBuilder) choice() *ChoiceDecl {
	if t.decl.Choice == nil {
		t.decl.Choice = &ChoiceDecl{Pos: t.decl.Pos}
		t.settle()
	}
	return t.decl.Choice
}

// settle puts To and Else where they belong, whatever the order of the calls.
func (t *TransitionBuilder) settle() *TransitionBuilder {
	t.decl.Targets = t.to
	if t.join != nil {
		t.decl.Join = &JoinDecl{Join: *t.join}
		if len(t.to) > 0 {
			t.decl.Join.To, t.decl.Targets = t.to[0], t.to[1:]
		}
		if t.orElse != nil {
			t.decl.Join.Else = *t.orElse
		}
		return t
	}
	if t.decl.Choice != nil {
		t.decl.Choice.Else = t.orElse
	} else if t.orElse != nil {
		t.decl.Choice = &ChoiceDecl{Pos: t.decl.Pos, Else: t.orElse}
	}
	return t
}
