package scxml

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/durachart/durachart/statechart"
)

// bodyName is the region that holds the children of a state that also invokes.
const bodyName = "_body"

var stateElements = []string{"state", "parallel", "final", "history"}

// split reports whether the state has to become a parallel: an invoke state has
// no children, and one invoke.
func split(n *node) bool {
	invokes := len(n.all("invoke"))
	if n.name != "state" || invokes == 0 {
		return false
	}
	return invokes > 1 || slices.ContainsFunc(n.kids, func(k *node) bool { return slices.Contains(stateElements, k.name) })
}

// nameStates gives every state below n its name and path.
func (r *reader) nameStates(n *node, parent string) {
	taken := map[string]bool{bodyName: true}
	for i, k := range n.kids {
		if !slices.Contains(stateElements, k.name) {
			continue
		}
		id := k.attr("id")
		name := cleanName(id)
		if id == "" {
			name = "_" + k.name + strconv.Itoa(i)
		}
		for taken[name] {
			name += "_"
		}
		taken[name] = true
		r.names[k] = name
		path := join(parent, name)
		if id != "" {
			if _, twice := r.paths[id]; twice {
				r.problem(k.pos, "duplicate", "id %q is used twice", id)
			}
			r.paths[id], r.done[id], r.idOfPath[path] = path, path, id
		}
		inner := path
		if split(k) {
			inner = join(path, bodyName)
			if id != "" {
				r.done[id] = inner
			}
			if len(stateKids(k)) == 0 {
				r.idOfPath[inner] = id
			}
		}
		for j, inv := range k.all("invoke") {
			invokePath := path
			if split(k) || k.name == "parallel" {
				invokePath = join(path, invokeName(j))
			}
			if iid := inv.attr("id"); iid != "" {
				r.invokes[iid] = invokePath
			}
		}
		r.nameStates(k, inner)
	}
}

func stateKids(n *node) []*node {
	var out []*node
	for _, k := range n.kids {
		if slices.Contains(stateElements, k.name) && k.name != "history" {
			out = append(out, k)
		}
	}
	return out
}

// invokePrefix begins the names of regions that invoke.
const invokePrefix = "_invoke"

func invokeName(j int) string { return invokePrefix + strconv.Itoa(j) }

func join(parent, name string) string {
	if parent == "" {
		return name
	}
	return parent + "." + name
}

// body fills decl, and inner, the state that gets the children, from the
// elements inside n.
func (r *reader) body(n *node, decl, inner *statechart.StateDecl) {
	for _, k := range n.kids {
		switch k.name {
		case "onentry":
			decl.OnEnter = append(decl.OnEnter, r.content(k.kids)...)
		case "onexit":
			decl.OnExit = append(decl.OnExit, r.content(k.kids)...)
		case "transition":
			decl.Transitions = append(decl.Transitions, r.transition(k, n))
		case "state", "parallel":
			inner.Children = append(inner.Children, r.state(k))
		case "final":
			inner.Children = append(inner.Children, r.final(k))
		case "history":
			inner.Children = append(inner.Children, r.history(k))
		case "initial", "datamodel", "invoke":
		case "script":
			r.problem(k.pos, "unsupported", "element script")
		default:
			r.problem(k.pos, "unsupported", "element %s in %s", k.name, n.name)
		}
	}
}

func (r *reader) state(n *node) *statechart.StateDecl {
	decl := &statechart.StateDecl{Name: r.names[n], Kind: statechart.Compound, Pos: n.pos, Resting: true}
	inner := decl
	invokes := n.all("invoke")
	switch {
	case n.name == "parallel":
		decl.Kind, decl.Resting = statechart.Parallel, false
		if len(stateKids(n)) == 0 && len(invokes) == 0 { // a parallel without regions is a leaf
			decl.Kind, decl.Resting = statechart.Atomic, true
		}
	case split(n):
		decl.Kind, decl.Resting = statechart.Parallel, false
		inner = &statechart.StateDecl{Name: bodyName, Kind: statechart.Compound, Pos: n.pos}
		decl.Children = append(decl.Children, inner)
	}
	r.body(n, decl, inner)
	if len(stateKids(n)) > 0 {
		decl.Resting = false
		if n.name == "state" {
			inner.Initial = r.initial(n)
		}
	} else if inner.Kind == statechart.Compound {
		inner.Kind, inner.Resting = statechart.Atomic, true
	}
	for j, inv := range invokes {
		target := decl
		if decl.Kind == statechart.Parallel {
			target = &statechart.StateDecl{Name: invokeName(j), Pos: inv.pos}
			decl.Children = append(decl.Children, target)
		}
		target.Kind, target.Resting = statechart.Invoking, true
		r.invoke(inv, target)
	}
	return decl
}

func (r *reader) final(n *node) *statechart.StateDecl {
	decl := &statechart.StateDecl{Name: r.names[n], Kind: statechart.Final, Pos: n.pos}
	for _, k := range n.kids {
		switch k.name {
		case "onentry":
			decl.OnEnter = append(decl.OnEnter, r.content(k.kids)...)
		case "onexit":
			decl.OnExit = append(decl.OnExit, r.content(k.kids)...)
		case "donedata":
			decl.OnEnter = append(decl.OnEnter, r.doneData(k)...)
			decl.Carry = []statechart.NamePos{{Name: dataKey, Pos: k.pos}}
		default:
			r.problem(k.pos, "unsupported", "element %s in final", k.name)
		}
	}
	return decl
}

func (r *reader) history(n *node) *statechart.StateDecl {
	decl := &statechart.StateDecl{Name: r.names[n], Kind: statechart.History, Pos: n.pos, Deep: n.attr("type") == "deep"}
	if t := n.first("transition"); t != nil {
		decl.Default = r.entry(t)
	}
	return decl
}

// initial returns where a compound starts: its attribute, its element, else its
// first child.
func (r *reader) initial(n *node) *statechart.EntryDecl {
	if n.has("initial") {
		return &statechart.EntryDecl{Targets: r.refs(n.attr("initial"), n.pos), Pos: n.pos}
	}
	if i := n.first("initial"); i != nil {
		if t := i.first("transition"); t != nil {
			return r.entry(t)
		}
		r.problem(i.pos, "syntax", "initial without a transition")
		return nil
	}
	for _, k := range stateKids(n) {
		return &statechart.EntryDecl{Targets: []statechart.Ref{r.pathRef(r.statePath(k), k.pos)}, Pos: k.pos}
	}
	return nil
}

// statePath returns the path of a state element, with or without an id.
func (r *reader) statePath(n *node) string {
	if id := n.attr("id"); id != "" {
		return r.paths[id]
	}
	var find func(at *node, parent string) string
	find = func(at *node, parent string) string {
		for _, k := range at.kids {
			name, ok := r.names[k]
			if !ok {
				continue
			}
			path := join(parent, name)
			if k == n {
				return path
			}
			if split(k) {
				path = join(path, bodyName)
			}
			if found := find(k, path); found != "" {
				return found
			}
		}
		return ""
	}
	return find(r.root, "")
}

func (r *reader) entry(t *node) *statechart.EntryDecl {
	return &statechart.EntryDecl{Targets: r.refs(t.attr("target"), t.pos), Do: r.content(t.kids), Pos: t.pos}
}

// refs turns a list of ids into references from the root.
func (r *reader) refs(ids string, pos statechart.Pos) []statechart.Ref {
	var out []statechart.Ref
	for _, id := range strings.Fields(ids) {
		path, ok := r.paths[id]
		if !ok {
			r.problem(pos, "unknown_state", "no state with the id %q", id)
			continue
		}
		out = append(out, r.pathRef(path, pos))
	}
	return out
}

func (r *reader) pathRef(path string, pos statechart.Pos) statechart.Ref {
	return statechart.Ref{Text: "." + path, Pos: pos}
}

func (r *reader) transition(n, source *node) *statechart.TransitionDecl {
	r.order++
	t := &statechart.TransitionDecl{
		Order: r.order, From: statechart.Ref{Self: true, Pos: n.pos}, Pos: n.pos,
		Targets: r.refs(n.attr("target"), n.pos), Internal: n.attr("type") == "internal",
	}
	for _, d := range strings.Fields(n.attr("event")) {
		t.Events = append(t.Events, statechart.NamePos{Name: r.descriptor(d), Pos: n.pos})
	}
	t.Always = len(t.Events) == 0
	if n.has("cond") {
		t.Guards = []*statechart.Guard{{Expr: r.condition(n.attr("cond"), n.pos), Pos: n.pos}}
	}
	if t.Always && len(t.Guards) == 0 && source.first("invoke") != nil {
		// The Recommendation allows to leave an invoking state at once; our check
		// takes that for a mistake, unless there is a guard (invoke_automatic_exit).
		t.Guards = []*statechart.Guard{{Expr: &statechart.Expr{Source: "true", Pos: n.pos}, Pos: n.pos}}
	}
	t.Do = r.content(n.kids)
	return t
}

// descriptor writes an event descriptor with the ids of states and invokes in it
// as paths (S17).
func (r *reader) descriptor(d string) string {
	d = strings.TrimSuffix(strings.TrimSuffix(d, "*"), ".")
	if d == "" {
		return "*"
	}
	if id, ok := strings.CutPrefix(d, "done.state."); ok {
		if path, ok := r.done[id]; ok {
			return "done.state." + path
		}
	}
	for _, prefix := range []string{"done.invoke.", "error.invoke."} {
		if id, ok := strings.CutPrefix(d, prefix); ok {
			if path, ok := r.invokes[id]; ok {
				return fmt.Sprint(prefix, path)
			}
		}
	}
	return d
}
