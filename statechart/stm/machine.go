package stm

import (
	"fmt"
	"maps"
	"slices"

	"github.com/durachart/durachart/statechart"
)

// machine is a definition that is being read. What fragments of other files bring
// into it keeps the meaning that its names have there: a name that means
// something else in the file of the machine gets another one in the chart.
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
	for _, b := range u.binds {
		m.bind(b)
	}
	for _, g := range u.guards {
		m.guards[g.Name] = g
		m.def.Guards = append(m.def.Guards, g)
	}
	for _, g := range u.guards {
		m.needGuards(g)
	}
	p := &parser{unit: u, pos: d.body.start, end: d.body.end, m: m}
	p.docs = u.toks.list[d.body.start].docs
	p.whole(d.def.Root, true)
}

// whole reads the body that is all of the range, and refuses what follows it.
func (p *parser) whole(d *statechart.StateDecl, machine bool) {
	p.guarded(func() {
		p.body(d, max(p.pos-2, 0), machine)
		if t := p.peek(); !p.done() && !p.lost {
			hint := hintFor(t)
			if t.is(tokPunct, "}") || itemKeywords[t.text] || t.text == "state" || t.text == "from" {
				hint = "there is one closing brace too many before this"
			}
			p.fail(t, fmt.Sprintf("expected a machine, fragment, event, guard, bind or import, not %s", p.src.show(t)), hint)
		}
	})
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
	if u != m.unit {
		c := *g
		c.Pred = eachNamed(g.Pred, func(n *statechart.NamedPred) *statechart.NamedPred {
			if name := m.guardName(u, n.Name); name != n.Name {
				return &statechart.NamedPred{Name: name, Pos: n.Pos}
			}
			return n
		})
		g = &c
	}
	m.guards[g.Name] = g
	m.def.Guards = append(m.def.Guards, g)
}

// needGuards brings in what a guard of the machine's own file names.
func (m *machine) needGuards(g *statechart.Guard) {
	eachNamed(g.Pred, func(n *statechart.NamedPred) *statechart.NamedPred {
		m.guardName(m.unit, n.Name)
		return n
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
		return name // a registered chart
	}
	key, u := name, p.m.unit
	if there, ok := u.find(kindMachine, name); !ok || there.what != d.what {
		key = d.unit.src.name + "#" + name
	}
	u.defs[key] = d.what.(*machineDecl).def
	return key
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
