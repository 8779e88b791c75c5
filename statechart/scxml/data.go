package scxml

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/durachart/durachart/statechart"
	"github.com/durachart/durachart/statechart/scxml/ecma"
)

// dataKey is the context key and data member of a payload that is no object.
const dataKey = ecma.Data

// systemVariables cannot be assigned (section 5.10).
var systemVariables = []string{"_sessionid", "_name", "_ioprocessors", "_event", "_x"}

// dataElements are all data elements of the document: with early binding it does
// not matter where they stand.
func (r *reader) dataElements() []*node {
	var out []*node
	r.root.walk(func(n *node) {
		if n.name == "datamodel" {
			out = append(out, n.all("data")...)
		}
	})
	return out
}

func (r *reader) declareData() {
	for _, d := range r.dataElements() {
		r.declared[d.attr("id")] = true
	}
	r.root.walk(func(n *node) { // foreach declares its variables (section 4.6)
		if n.name == "foreach" {
			r.declared[n.attr("item")] = true
			r.declared[n.attr("index")] = true
		}
		if n.name == "send" || n.name == "invoke" {
			if loc := n.attr("idlocation"); loc != "" {
				r.declared[loc] = true
			}
		}
	})
	delete(r.declared, "")
}

// dataActions give the variables their first values when the root is entered. A
// value that cannot be computed comes last, so that it does not keep the others
// from theirs: an error ends its list of actions (S40).
func (r *reader) dataActions() []statechart.Action {
	var sets, broken []statechart.Action
	if r.uses("_sessionid") {
		sets = append(sets, r.block([]item{sessionItem{}}, r.root.pos))
	}
	for _, d := range r.dataElements() {
		id := d.attr("id")
		e := r.dataValue(d)
		if e.Source == failing {
			sets = append(sets, r.set(id, "null", d.pos))
			broken = append(broken, r.set(id, failing, d.pos))
			continue
		}
		source := e.Source
		if r.child { // a value that came with the invoke wins (section 6.4)
			source = fmt.Sprintf("(%s in context ? dyn(%s) : dyn(%s))", celText(id), contextKey(id), source)
		}
		sets = append(sets, r.set(id, source, d.pos))
	}
	return append(sets, broken...)
}

func (r *reader) uses(name string) bool {
	found := false
	r.root.walk(func(n *node) {
		for _, v := range n.attrs {
			found = found || strings.Contains(v, name)
		}
	})
	return found
}

func (r *reader) set(id, source string, pos statechart.Pos) *statechart.SetAction {
	return &statechart.SetAction{Path: []string{id}, Expr: &statechart.Expr{Source: source, Pos: pos}, Pos: pos}
}

func (r *reader) dataValue(d *node) *statechart.Expr {
	switch {
	case d.has("expr"):
		return r.value(d.attr("expr"), d.pos)
	case d.has("src"):
		name := r.fileOf(d.attr("src"), d.pos)
		content, err := fs.ReadFile(r.fsys, name)
		if err != nil {
			r.problem(d.pos, "import_missing", "read %q: %v", name, err)
			return &statechart.Expr{Source: "null", Pos: d.pos}
		}
		return r.inline(string(content), d.pos)
	case len(d.kids) > 0:
		r.problem(d.pos, "unsupported", "XML as data")
		return &statechart.Expr{Source: "null", Pos: d.pos}
	case strings.TrimSpace(d.text) != "":
		return r.inline(d.text, d.pos)
	}
	return &statechart.Expr{Source: "null", Pos: d.pos}
}

// inline is the value of text content: an expression or JSON where it is one,
// else the text with its white space normalised.
func (r *reader) inline(content string, pos statechart.Pos) *statechart.Expr {
	content = strings.TrimSpace(content)
	var v any
	if json.Unmarshal([]byte(content), &v) == nil || strings.HasPrefix(content, "[") || strings.HasPrefix(content, "{") {
		if cel, err := ecma.Value(content, r.scope()); err == nil {
			return &statechart.Expr{Source: cel, Pos: pos}
		}
	}
	return &statechart.Expr{Source: celText(words(content)), Pos: pos}
}

// fileOf turns a src attribute into a path of the file system.
func (r *reader) fileOf(src string, pos statechart.Pos) string {
	name := strings.TrimPrefix(strings.TrimPrefix(src, "file:"), "//")
	return path.Join(path.Dir(pos.File), name)
}

// location translates the location of an assignment. It reports false where the
// assignment must fail at run time: the variable is not declared, is a system
// variable, or the text is no location.
func (r *reader) location(src string, pos statechart.Pos) ([]string, bool) {
	parts := strings.Split(src, ".")
	if strings.ContainsAny(src, "[](") {
		r.problem(pos, "unsupported", "location %q", src)
		return nil, false
	}
	if !r.declared[parts[0]] || slices.Contains(systemVariables, parts[0]) || slices.Contains(parts, "") {
		return nil, false
	}
	return parts, true
}

func (r *reader) doneData(n *node) []statechart.Action {
	if c := n.first("content"); c != nil {
		return []statechart.Action{&statechart.SetAction{Path: []string{dataKey}, Expr: r.contentValue(c), Pos: c.pos}}
	}
	actions := []statechart.Action{r.set(dataKey, "{}", n.pos)}
	for _, p := range n.all("param") {
		actions = append(actions, &statechart.SetAction{
			Path: []string{dataKey, p.attr("name")}, Expr: r.paramValue(p), Pos: p.pos,
		})
	}
	return actions
}

// contentValue is the value of a content element.
func (r *reader) contentValue(c *node) *statechart.Expr {
	if c.has("expr") {
		return r.value(c.attr("expr"), c.pos)
	}
	if len(c.kids) > 0 {
		r.problem(c.pos, "unsupported", "XML as content")
	}
	return r.inline(c.text, c.pos)
}

func (r *reader) paramValue(p *node) *statechart.Expr {
	if p.has("location") {
		return r.value(p.attr("location"), p.pos)
	}
	return r.value(p.attr("expr"), p.pos)
}

// pairs are the members of a namelist and of param elements.
func (r *reader) pairs(n *node) []statechart.Pair {
	var out []statechart.Pair
	add := func(p statechart.Pair) {
		out = slices.DeleteFunc(out, func(o statechart.Pair) bool { return o.Key == p.Key })
		out = append(out, p)
	}
	for _, name := range strings.Fields(n.attr("namelist")) {
		add(statechart.Pair{Key: name, Expr: r.value(name, n.pos), Pos: n.pos})
	}
	for _, p := range n.all("param") {
		add(statechart.Pair{Key: p.attr("name"), Expr: r.paramValue(p), Pos: p.pos})
	}
	return out
}

func celText(s string) string { return strconv.Quote(s) }

func contextKey(name string) string { return "context[" + celText(name) + "]" }
