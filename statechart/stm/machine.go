package stm

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"github.com/durachart/durachart/statechart"
)

// machine is a definition that is being read. Of the declarations of its file and
// of imports it gets those that it uses. What fragments of other files bring into
// it keeps the meaning that its names have there: a name that means something
// else in the file of the machine gets another one in the chart.
type machine struct {
	unit  *unit
	def   *statechart.Definition
	order int // of the next transition

	guards  map[string]*statechart.Guard // in the chart, by their name there
	binds   map[string]string            // in the chart
	renamed map[renamedKey]string
}

type renamedKey struct {
	kind   declKind
	unit   *unit
	name   string
	target string
}

func newMachine(u *unit, def *statechart.Definition) *machine {
	return &machine{
		unit: u, def: def,
		guards:  make(map[string]*statechart.Guard),
		binds:   make(map[string]string),
		renamed: make(map[renamedKey]string),
	}
}

// read reads the body of a machine.
func (d *machineDecl) read() {
	u := d.unit
	m := newMachine(u, d.def)
	m.def.Events = u.eventsInScope()
	p := &parser{unit: u, pos: d.body.start, end: d.body.end, m: m}
	p.docs = u.toks.list[d.body.start].docs
	p.whole(d.def.Root, true)
	for _, g := range m.def.Guards {
		u.needed[g.Pos] = true
	}
	for _, b := range m.def.Bindings {
		u.needed[b.Pos] = true
	}
	if d == u.machines[len(u.machines)-1] {
		m.adopt()
	}
	m.inOrder()
}

// adopt gives to the last machine of a file the declarations of the file that no
// machine uses, so that the checks find them.
func (m *machine) adopt() {
	for _, g := range m.unit.guards {
		if !m.unit.needed[g.Pos] {
			m.needGuard(g, m.unit)
		}
	}
	for _, b := range m.unit.binds {
		if !m.unit.needed[b.Pos] {
			m.bind(b)
		}
	}
}

// inOrder puts the declarations of the file, in their order, before others.
func (m *machine) inOrder() {
	file := m.unit.src.name
	before := func(a, b statechart.Pos) int {
		if a.File != file || b.File != file {
			return boolOrder(b.File == file, a.File == file)
		}
		return cmp.Or(a.Line-b.Line, a.Column-b.Column)
	}
	slices.SortStableFunc(m.def.Guards, func(a, b *statechart.Guard) int { return before(a.Pos, b.Pos) })
	slices.SortStableFunc(m.def.Bindings, func(a, b statechart.Binding) int { return before(a.Pos, b.Pos) })
}

// boolOrder puts false before true.
func boolOrder(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}

// whole reads the body that is all of the range into d. What follows it is read
// as if its closing brace had not been there.
func (p *parser) whole(d *statechart.StateDecl, machine bool) {
	b := &bodyItems{decl: d, machine: machine}
	p.guarded(func() { p.bodyOf(b, max(p.pos-2, 0)) })
	if p.done() {
		return
	}
	t, hint := p.peek(), hintFor(p.peek())
	if t.is(tokPunct, "}") || p.beginsItem(t) {
		hint = "there is one closing brace too many before this"
	}
	p.syntax(t, fmt.Sprintf("expected a machine, fragment, event, guard, bind or import, not %s", p.src.show(t)), hint)
	for !p.done() {
		if p.depth = 1; p.beginsItem(p.peek()) {
			p.items(b)
		} else {
			p.next()
		}
	}
}

// eventsInScope lists the declared events: those of the file, then imported ones.
func (u *unit) eventsInScope() []statechart.EventDecl {
	if u.scope == nil {
		u.scope = slices.Clone(u.events)
		for _, name := range sortedKeys(u.names[kindEvent]) {
			if d := u.names[kindEvent][name]; d.unit != u {
				u.scope = append(u.scope, d.what.(statechart.EventDecl))
			}
		}
	}
	return u.scope
}

func (m *machine) bind(b statechart.Binding) {
	if _, ok := m.binds[b.Name]; !ok {
		m.binds[b.Name] = b.Handler
		m.def.Bindings = append(m.def.Bindings, b)
	}
}

// handlerName returns the name in the chart of the Go handler that the file of p
// calls name.
func (p *parser) handlerName(name string) string {
	m := p.m
	if m == nil {
		return name
	}
	here, bound := p.binding(name)
	there, boundThere := m.unit.binding(name)
	if here.Handler == there.Handler {
		if boundThere {
			m.bind(there)
		}
		return name
	}
	// The file of the fragment means another handler than that of the machine.
	if _, taken := m.unit.binding(here.Handler); !taken {
		return here.Handler
	}
	return m.rename(renamedKey{kindBind, nil, name, here.Handler}, func(alias string) {
		pos := here.Pos
		if !bound {
			pos = statechart.Pos{}
		}
		m.bind(statechart.Binding{Name: alias, Handler: here.Handler, Pos: pos})
	})
}

// binding returns what the file binds name to; without a bind it is the name.
func (u *unit) binding(name string) (statechart.Binding, bool) {
	if d, ok := u.names[kindBind][name]; ok {
		return d.what.(statechart.Binding), true
	}
	return statechart.Binding{Name: name, Handler: name}, false
}

// guardName returns the name in the chart of what the file of p calls name in a
// condition, and brings the declared guard into the chart.
func (p *parser) guardName(name string) string {
	if p.m == nil {
		return name // in the declaration of a guard: see needGuards
	}
	return p.m.guardName(p.unit, name)
}

func (m *machine) guardName(u *unit, name string) string {
	here, declared := u.names[kindGuard][name]
	there, declaredThere := m.unit.names[kindGuard][name]
	if declared {
		g := here.what.(*statechart.Guard)
		if declaredThere && sameMeaning(there.what, g) {
			m.needGuard(there.what.(*statechart.Guard), there.unit)
			return name
		}
		return m.rename(renamedKey{kindGuard, u, name, ""}, func(alias string) {
			c := *g
			c.Name = alias
			m.needGuard(&c, here.unit)
		})
	}
	p := &parser{unit: u, m: m}
	if !declaredThere {
		return p.handlerName(name)
	}
	// A Go guard whose name is that of a declared guard in the machine's file.
	target, _ := u.binding(name)
	return m.rename(renamedKey{kindBind, nil, name, target.Handler}, func(alias string) {
		m.bind(statechart.Binding{Name: alias, Handler: target.Handler})
	})
}

// needGuard puts a guard into the chart, with the guards that it names.
func (m *machine) needGuard(g *statechart.Guard, u *unit) {
	if m.guards[g.Name] != nil {
		return
	}
	c := *g
	m.guards[g.Name] = &c
	m.def.Guards = append(m.def.Guards, &c)
	c.Pred = eachNamed(g.Pred, func(n *statechart.NamedPred) *statechart.NamedPred {
		return &statechart.NamedPred{Name: m.guardName(u, n.Name), Pos: n.Pos}
	})
}

// rename gives what key means a name that means nothing else in the chart, once;
// add brings it in under that name.
func (m *machine) rename(key renamedKey, add func(alias string)) string {
	if alias, ok := m.renamed[key]; ok {
		return alias
	}
	for i := 2; ; i++ {
		alias := fmt.Sprintf("%s_%d", key.name, i)
		_, bound := m.unit.names[kindBind][alias]
		_, guard := m.unit.names[kindGuard][alias]
		if bound || guard || m.guards[alias] != nil || m.binds[alias] != "" {
			continue
		}
		m.renamed[key] = alias
		add(alias)
		return alias
	}
}

// machineName returns the key under which the definition knows the machine that
// the file of p calls name. One that the file of the machine calls otherwise gets
// a key that no text can write.
func (p *parser) machineName(name string) string {
	d, ok := p.find(kindMachine, name)
	if !ok {
		p.m.suggestMachines()
		return name // a registered chart
	}
	key := name
	if there, ok := p.m.unit.find(kindMachine, name); !ok || there.what != d.what {
		key = d.unit.src.name + "#" + name
	}
	p.m.def.Machines[key] = d.what.(*machineDecl).def
	return key
}

// suggestMachines makes the machines of the file known, for a hint, after a name
// that is not known; not of a file with very many.
func (m *machine) suggestMachines() {
	if len(m.unit.machines) > 100 {
		return
	}
	for _, d := range m.unit.machines {
		m.def.Machines[d.name] = d.def
	}
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
