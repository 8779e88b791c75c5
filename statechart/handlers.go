package statechart

// HandlerKind is what a Go handler is for (S72).
type HandlerKind uint8

// The kinds of handlers.
const (
	ActionHandler HandlerKind = iota
	GuardHandler
	SelectorHandler
)

// String returns "action", "guard" or "selector".
func (k HandlerKind) String() string {
	return [...]string{"action", "guard", "selector"}[k]
}

// HandlerUse is a Go handler that a chart needs, with the first place that calls
// it.
type HandlerUse struct {
	Kind    HandlerKind
	Name    string // in the chart
	Handler string // it is registered under
	State   *State
	Pos     Pos
}

// Handlers lists the Go handlers that the chart calls, each kind and name once,
// in document order. Those of inline charts are theirs.
func (c *Chart) Handlers() []HandlerUse {
	l := handlerList{chart: c, seen: make(map[HandlerUse]bool), guards: make(map[*Guard]bool)}
	for _, s := range c.states {
		l.at = s
		l.actions(s.OnEnter, s.OnExit, s.Finalize)
		for _, e := range []*Entry{s.Initial, s.Default} {
			if e != nil {
				l.actions(e.Do)
			}
		}
		for _, t := range s.Transitions {
			l.transition(t)
		}
	}
	return l.uses
}

type handlerList struct {
	chart  *Chart
	at     *State
	seen   map[HandlerUse]bool
	guards map[*Guard]bool // named ones that were looked into
	uses   []HandlerUse
}

func (l *handlerList) add(kind HandlerKind, name string, pos Pos) {
	id := HandlerUse{Kind: kind, Name: name}
	if l.seen[id] {
		return
	}
	l.seen[id] = true
	l.uses = append(l.uses, HandlerUse{kind, name, l.chart.Handler(name), l.at, pos})
}

func (l *handlerList) actions(lists ...[]Action) {
	for _, list := range lists {
		for _, a := range list {
			if call, ok := a.(*CallAction); ok {
				l.add(ActionHandler, call.Name, call.Pos)
			}
		}
	}
}

func (l *handlerList) transition(t *Transition) {
	for _, g := range t.Guards {
		l.pred(g.Pred)
	}
	if t.Choice != nil && t.Choice.Call != nil {
		l.add(SelectorHandler, t.Choice.Call.Name, t.Choice.Call.Pos)
	}
	l.actions(t.Do)
}

func (l *handlerList) pred(p Pred) {
	switch p := p.(type) {
	case AndPred:
		for _, q := range p {
			l.pred(q)
		}
	case OrPred:
		for _, q := range p {
			l.pred(q)
		}
	case NotPred:
		l.pred(p.X)
	case *NamedPred:
		if p.Guard == nil {
			l.add(GuardHandler, p.Name, p.Pos)
		} else if !l.guards[p.Guard] {
			l.guards[p.Guard] = true
			l.pred(p.Guard.Pred)
		}
	}
}
