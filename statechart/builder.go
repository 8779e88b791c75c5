package statechart

import (
	"maps"
	"time"
)

// Builder declares a chart in Go. Its calls never fail: [Builder.Build] reports
// every mistake at once.
//
// There is one call per construct of the text language, named after its keyword.
// The order of the calls is the order of declaration (S6). References to states
// are names joined by ".", resolved as in a text (S93), so a state may be named
// before it is declared.
//
// A Builder is for one goroutine. It may be built several times.
type Builder struct {
	def  Definition
	root *StateBuilder
}

// New begins a chart of that name.
func New(name string) *Builder {
	b := &Builder{def: Definition{Name: name, Charts: map[string]*Chart{}}}
	b.root = &StateBuilder{decl: &StateDecl{Kind: Compound}, log: &callLog{}}
	b.def.Root = b.root.decl
	b.def.Pos = b.root.log.next()
	b.def.Root.Pos = b.def.Pos
	return b
}

// Build checks what was declared and returns the chart, or a [Problems] as the
// error: all findings of all checks, warnings included. Warnings alone do not
// refuse a chart; see [Chart.Warnings].
func (b *Builder) Build() (*Chart, error) { return b.Definition().Build() }

// MustBuild is Build for charts that are known to be right, as in tests and
// examples. It panics if there is an error.
func (b *Builder) MustBuild() *Chart {
	c, err := b.Build()
	if err != nil {
		panic(err)
	}
	return c
}

// Definition returns what was declared so far. It shares memory with the Builder.
func (b *Builder) Definition() *Definition {
	def := b.def
	def.Charts = maps.Clone(b.def.Charts)
	return &def
}

// Version sets the version. Without it the content decides (S13).
func (b *Builder) Version(v string) *Builder {
	if _, ok := b.root.first("version"); ok {
		b.def.Version = v
	}
	return b
}

// Profile selects a variant of the semantics (S29).
func (b *Builder) Profile(p Profile) *Builder {
	if _, ok := b.root.first("profile"); ok {
		b.def.Profile = p
	}
	return b
}

// Doc sets the doc comment of the chart.
func (b *Builder) Doc(text string) *Builder {
	b.def.Doc = text
	return b
}

// Event declares an event and the fields of its data (S21). Once a chart
// declares an event, it must declare all that it uses.
func (b *Builder) Event(name string, fields ...Field) *Builder {
	b.def.Events = append(b.def.Events, EventDecl{Name: name, Fields: fields, Pos: b.root.log.next()})
	return b
}

// EventDoc sets the doc comment of a declared event.
func (b *Builder) EventDoc(name, text string) *Builder {
	for i := range b.def.Events {
		if b.def.Events[i].Name == name {
			b.def.Events[i].Doc = text
		}
	}
	return b
}

// Guard declares a named guard: a predicate over the event's data.
func (b *Builder) Guard(name string, p Pred) *Builder {
	b.def.Guards = append(b.def.Guards, &Guard{Name: name, Pred: p, Pos: b.root.log.next()})
	return b
}

// GuardWhen declares a named guard: a CEL expression.
func (b *Builder) GuardWhen(name, expr string) *Builder {
	b.def.Guards = append(b.def.Guards, &Guard{Name: name, Expr: &Expr{Source: expr}, Pos: b.root.log.next()})
	return b
}

// GuardDoc sets the doc comment of a declared guard.
func (b *Builder) GuardDoc(name, text string) *Builder {
	for _, g := range b.def.Guards {
		if g.Name == name {
			g.Doc = text
		}
	}
	return b
}

// Bind says that what the chart calls name is registered as handler (S72).
func (b *Builder) Bind(name, handler string) *Builder {
	b.def.Bindings = append(b.def.Bindings, Binding{Name: name, Handler: handler, Pos: b.root.log.next()})
	return b
}

// Import makes charts known that this one invokes: the version is then fixed at
// build, and registering the chart registers them (S13, S63).
func (b *Builder) Import(charts ...*Chart) *Builder {
	pos := b.root.log.next()
	for _, c := range charts {
		if c == nil {
			continue
		}
		if old, ok := b.def.Charts[c.Name()]; ok && old != c {
			b.root.decl.Duplicates = append(b.root.decl.Duplicates, Item{Name: "import " + c.Name(), Pos: pos})
			continue
		}
		b.def.Charts[c.Name()] = c
	}
	return b
}

// The calls below declare items of the machine's own body, its root state. They
// are those of [StateBuilder].

// Initial says where the chart starts.
func (b *Builder) Initial(targets ...string) *Builder {
	b.root.Initial(targets...)
	return b
}

// InitialDo is Initial with actions that run when it is used.
func (b *Builder) InitialDo(target string, do ...Action) *Builder {
	b.root.InitialDo(target, do...)
	return b
}

// OnEnter runs when the execution starts.
func (b *Builder) OnEnter(actions ...Action) *Builder {
	b.root.OnEnter(actions...)
	return b
}

// OnExit runs when the execution ends.
func (b *Builder) OnExit(actions ...Action) *Builder {
	b.root.OnExit(actions...)
	return b
}

// Timeout is [StateBuilder.Timeout] of the root: the timeout of the execution.
func (b *Builder) Timeout(d time.Duration) *Builder {
	b.root.Timeout(d)
	return b
}

// Defer is [StateBuilder.Defer] of the root.
func (b *Builder) Defer(events ...string) *Builder {
	b.root.Defer(events...)
	return b
}

// Carry is [StateBuilder.Carry] of the root.
func (b *Builder) Carry(keys ...string) *Builder {
	b.root.Carry(keys...)
	return b
}

// State declares a child of the root.
func (b *Builder) State(name string, body ...func(*StateBuilder)) *StateBuilder {
	return b.root.State(name, body...)
}

// Parallel declares a parallel child of the root.
func (b *Builder) Parallel(name string, body ...func(*StateBuilder)) *StateBuilder {
	return b.root.Parallel(name, body...)
}

// Orthogonal declares an orthogonal child of the root.
func (b *Builder) Orthogonal(name string, body ...func(*StateBuilder)) *StateBuilder {
	return b.root.Orthogonal(name, body...)
}

// Final declares an end of the execution.
func (b *Builder) Final(name string, outcome ...string) *StateBuilder {
	return b.root.Final(name, outcome...)
}

// History declares a history state of the root.
func (b *Builder) History(name string) *HistoryBuilder { return b.root.History(name) }

// From begins a transition.
func (b *Builder) From(source string) *TransitionBuilder { return b.root.From(source) }
