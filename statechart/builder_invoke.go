package statechart

// InvokeBuilder declares what an invoke state runs.
type InvokeBuilder struct {
	decl  *InvokeDecl
	state *StateBuilder
}

// Version pins the version of a chart that is neither imported nor inline.
func (i *InvokeBuilder) Version(v string) *InvokeBuilder {
	if _, ok := i.state.first("version of the invoke"); ok {
		i.decl.Version = v
	}
	return i
}

// Each makes it a fan-out: one child per item of the list at a context path,
// which with can read under the name v (S61).
func (i *InvokeBuilder) Each(v, path string) *InvokeBuilder {
	if _, ok := i.state.first("for"); ok {
		i.decl.Var, i.decl.In = v, splitPath(path)
	}
	return i
}

// Limit keeps at most n children of a fan-out live.
func (i *InvokeBuilder) Limit(n int) *InvokeBuilder {
	if _, ok := i.state.first("limit"); ok {
		i.decl.Limit = &n
	}
	return i
}

// Join decides a fan-out as soon as n children have passed, or too few are left.
func (i *InvokeBuilder) Join(n int) *InvokeBuilder { return i.join(Join{Policy: JoinCount, N: n}) }

// JoinAny is Join(1).
func (i *InvokeBuilder) JoinAny() *InvokeBuilder { return i.join(Join{Policy: JoinAny}) }

// JoinAll decides a fan-out when every child has finished, which is the default.
func (i *InvokeBuilder) JoinAll() *InvokeBuilder { return i.join(Join{Policy: JoinAll}) }

func (i *InvokeBuilder) join(j Join) *InvokeBuilder {
	if pos, ok := i.state.first("join"); ok {
		j.Pos = pos
		i.decl.Join = &j
	}
	return i
}

// Body declares an inline chart.
func (i *InvokeBuilder) Body(body func(*StateBuilder)) *InvokeBuilder {
	pos, ok := i.state.first("inline body")
	if !ok {
		return i
	}
	root := &StateBuilder{log: i.state.log, decl: &StateDecl{Kind: Compound, Pos: pos}}
	i.decl.Body = &Definition{Root: root.decl, Pos: root.decl.Pos}
	if body != nil {
		body(root)
	}
	return i
}
