package scxml

import (
	"slices"
	"strconv"
	"strings"

	"github.com/durachart/durachart/statechart"
	"github.com/durachart/durachart/statechart/scxml/ecma"
)

// content translates executable content. What all has words in a chart becomes
// plain actions, else the whole list becomes one block: an error must end all of
// it (section 4.10 of the Recommendation, S40).
func (r *reader) content(kids []*node) []statechart.Action {
	items := r.items(kids)
	actions := make([]statechart.Action, 0, len(items))
	for _, it := range items {
		a, ok := it.action()
		if !ok {
			return []statechart.Action{r.block(items, kids[0].pos)}
		}
		actions = append(actions, a)
	}
	return actions
}

func (r *reader) items(kids []*node) []item {
	var out []item
	for _, k := range kids {
		switch k.name {
		case "raise":
			out = append(out, raiseItem{event: k.attr("event"), pos: k.pos, internal: r.uses("_event.type")})
		case "log":
			out = append(out, r.logItem(k))
		case "assign":
			out = append(out, r.assignItem(k))
		case "cancel":
			out = append(out, r.cancelItem(k))
		case "send":
			if it, ok := r.sendItem(k); ok {
				out = append(out, it)
			}
		case "if":
			out = append(out, r.ifItem(k))
		case "foreach":
			out = append(out, r.foreachItem(k))
		default:
			r.problem(k.pos, "unsupported", "element %s in executable content", k.name)
		}
	}
	return out
}

// block registers items as a block and returns the call of it.
func (r *reader) block(items []item, pos statechart.Pos) *statechart.CallAction {
	name := "scxml_" + blockName(r.def.Name) + "_" + strconv.Itoa(len(r.blocks))
	b := &Block{items: items}
	r.blocks[name] = b
	return &statechart.CallAction{Name: name, Pos: pos}
}

func blockName(chart string) string {
	return strings.Map(func(c rune) rune {
		if c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' {
			return c
		}
		return '_'
	}, chart)
}

func (r *reader) logItem(k *node) item {
	it := logItem{text: k.attr("label"), pos: k.pos}
	if k.has("expr") {
		it.expr = r.value(k.attr("expr"), k.pos)
		it.prog = r.compile(it.expr)
	}
	return it
}

func (r *reader) assignItem(k *node) item {
	it := assignItem{pos: k.pos}
	var ok bool
	if it.path, ok = r.location(k.attr("location"), k.pos); !ok {
		it.path, it.expr = []string{dataKey}, &statechart.Expr{Source: failing, Pos: k.pos}
	} else if k.has("expr") {
		it.expr = r.value(k.attr("expr"), k.pos)
	} else {
		it.expr = r.contentValue(k)
	}
	it.prog = r.compile(it.expr)
	return it
}

func (r *reader) cancelItem(k *node) item {
	it := cancelItem{id: k.attr("sendid"), pos: k.pos}
	if k.has("sendidexpr") {
		if id, ok := ecma.Constant(k.attr("sendidexpr")); ok {
			it.id = id
		} else {
			it.expr = r.compile(r.value(k.attr("sendidexpr"), k.pos))
		}
	}
	return it
}

func (r *reader) ifItem(k *node) item {
	it := ifItem{}
	cond := r.compile(r.condition(k.attr("cond"), k.pos))
	start := 0
	for i, c := range k.kids {
		if c.name != "elseif" && c.name != "else" {
			continue
		}
		it.branches = append(it.branches, branch{cond, r.items(k.kids[start:i])})
		cond, start = nil, i+1
		if c.name == "elseif" {
			cond = r.compile(r.condition(c.attr("cond"), c.pos))
		}
	}
	it.branches = append(it.branches, branch{cond, r.items(k.kids[start:])})
	return it
}

func (r *reader) foreachItem(k *node) item {
	it := foreachItem{array: r.compile(r.value(k.attr("array"), k.pos)), item: k.attr("item"), index: k.attr("index")}
	if !isVariable(it.item) || (it.index != "" && !isVariable(it.index)) {
		return assignItem{path: []string{dataKey}, expr: &statechart.Expr{Source: failing, Pos: k.pos}, prog: r.compile(&statechart.Expr{Source: failing}), pos: k.pos}
	}
	it.body = r.items(k.kids)
	return it
}

func isVariable(name string) bool {
	return name != "" && !slices.Contains(systemVariables, name) && !strings.ContainsAny(name, `'" .[]()`)
}
