package stm

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/durachart/durachart/statechart"
)

// declKind is a kind of declaration: each has names of its own.
type declKind uint8

const (
	kindMachine declKind = iota
	kindFragment
	kindGuard
	kindEvent
	kindBind
	declKinds
)

func (k declKind) String() string {
	return [...]string{"machine", "fragment", "guard", "event", "bind name"}[k]
}

// names holds declarations by kind and name: *machineDecl, *fragment,
// *statechart.Guard, statechart.EventDecl, statechart.Binding.
type names [declKinds]map[string]declared

type declared struct {
	what any
	unit *unit // where it is declared
}

func newNames() names {
	var n names
	for k := range n {
		n[k] = make(map[string]declared)
	}
	return n
}

// declare adds a declaration of this file, or reports that there is one of that
// name (S95).
func (u *unit) declare(k declKind, name string, pos statechart.Pos, what any) bool {
	if _, twice := u.own[k][name]; twice {
		u.problem(statechart.Error, "duplicate", pos, fmt.Sprintf("the %s %q is declared twice", k, name), "")
		return false
	}
	u.own[k][name] = declared{what, u}
	return true
}

// resolveNames works out what names mean here without an alias (S98): first what
// the file declares, then what its imports bring in. Two that bring in a name
// with different meanings are reported, unless the file declares it.
func (u *unit) resolveNames() {
	if u.scoped {
		return
	}
	u.scoped = true
	u.names = newNames()
	for k := range u.own {
		for name, d := range u.own[k] {
			u.names[k][name] = d
		}
	}
	for _, imp := range u.imports {
		if imp.unit == nil {
			continue
		}
		imp.unit.resolveNames()
		for k := range declKinds {
			if imp.alias == "" || k >= kindGuard {
				u.bringIn(k, imp)
			}
		}
	}
}

func (u *unit) bringIn(k declKind, imp *importDecl) {
	for _, name := range sortedKeys(imp.unit.names[k]) {
		d := imp.unit.names[k][name]
		have, taken := u.names[k][name]
		switch {
		case !taken:
			u.names[k][name] = d
		case have.unit != u && !sameMeaning(have.what, d.what):
			u.problem(statechart.Error, "duplicate", imp.pos,
				fmt.Sprintf("the %s %q means something else here than in an import before", k, name),
				"declare it in this file to decide, or import with an alias")
		}
	}
}

// sameMeaning reports whether two declarations of one name say the same, their
// places and doc comments aside. Machines and fragments are the same only as one.
func sameMeaning(a, b any) bool {
	switch a := a.(type) {
	case statechart.Binding:
		return a.Handler == b.(statechart.Binding).Handler
	case statechart.EventDecl:
		fields, others := a.Fields, b.(statechart.EventDecl).Fields
		if len(fields) != len(others) {
			return false
		}
		for i, f := range fields {
			f.Pos = others[i].Pos
			if f != others[i] {
				return false
			}
		}
		return true
	case *statechart.Guard:
		b := b.(*statechart.Guard)
		if a.Expr != nil && b.Expr != nil {
			return a.Expr.Source == b.Expr.Source
		}
		return a == b || a.Expr == nil && b.Expr == nil && reflect.DeepEqual(withoutPos(a.Pred), withoutPos(b.Pred))
	}
	return a == b
}

// find returns what a name means here: bare, or behind the alias of an import,
// whose own aliases follow; those of an import without an alias come in bare too.
func (u *unit) find(k declKind, name string) (declared, bool) {
	u.resolveNames()
	if d, ok := u.names[k][name]; ok {
		return d, true
	}
	if !strings.Contains(name, ".") {
		return declared{}, false
	}
	key := aliased{k, name}
	if d, ok := u.aliased[key]; ok {
		return d, d.what != nil
	}
	var d declared
	alias, rest, _ := strings.Cut(name, ".")
	for _, imp := range u.imports {
		if imp.unit == nil || d.what != nil {
			continue
		}
		switch imp.alias {
		case alias:
			d, _ = imp.unit.find(k, rest)
		case "":
			d, _ = imp.unit.find(k, name)
		}
	}
	if u.aliased == nil {
		u.aliased = make(map[aliased]declared)
	}
	u.aliased[key] = d
	return d, d.what != nil
}

// aliased is the key of the answers of find, which a web of imports would else
// look for again on every way.
type aliased struct {
	kind declKind
	name string
}
