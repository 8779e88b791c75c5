package statechart

// What the constructors make has no place; a call of a builder gives it one. It
// goes to copies, since the caller may use one action in several places.

func (l *callLog) place(actions []Action) []Action {
	out := make([]Action, len(actions))
	for i, a := range actions {
		out[i] = placed(a, l.next())
	}
	return out
}

func placed(a Action, pos Pos) Action {
	switch a := a.(type) {
	case *CallAction:
		return withPos(a, func(c *CallAction) { c.Pos = pos })
	case *RaiseAction:
		return withPos(a, func(c *RaiseAction) { c.Pos = pos })
	case *SendAction:
		return withPos(a, func(c *SendAction) { c.Pos = pos })
	case *CancelAction:
		return withPos(a, func(c *CancelAction) { c.Pos = pos })
	case *SetAction:
		return withPos(a, func(c *SetAction) { c.Pos = pos })
	case *LogAction:
		return withPos(a, func(c *LogAction) { c.Pos = pos })
	default:
		return a
	}
}

// withPos returns a changed copy of *a, or nil for nil, which Build reports.
func withPos[T any, P interface {
	*T
	Action
}](a P, set func(P)) Action {
	if a == nil {
		return nil
	}
	c := *a
	set(&c)
	return P(&c)
}

func (l *callLog) refs(names []string) []Ref {
	out := make([]Ref, len(names))
	for i, n := range names {
		out[i] = Ref{Text: n, Pos: l.next()}
	}
	return out
}

func (l *callLog) names(names []string) []NamePos {
	out := make([]NamePos, len(names))
	for i, n := range names {
		out[i] = NamePos{Name: n, Pos: l.next()}
	}
	return out
}

func (l *callLog) pairs(pairs []Pair) []Pair {
	out := make([]Pair, len(pairs))
	for i, p := range pairs {
		p.Pos = l.next()
		out[i] = p
	}
	return out
}
