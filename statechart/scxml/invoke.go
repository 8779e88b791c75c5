package scxml

import (
	"io/fs"
	"slices"

	"github.com/durachart/durachart/statechart"
	"github.com/durachart/durachart/statechart/scxml/ecma"
)

var invokeTypes = []string{"", "scxml", "http://www.w3.org/TR/scxml", "http://www.w3.org/TR/scxml/"}

// invoke makes decl run what the invoke element says.
func (r *reader) invoke(n *node, decl *statechart.StateDecl) {
	for _, a := range []string{"typeexpr", "idlocation"} {
		if n.has(a) {
			r.problem(n.pos, "unsupported", "%s of invoke", a)
		}
	}
	if !slices.Contains(invokeTypes, n.attr("type")) {
		r.problem(n.pos, "unsupported", "invoke of type %q", n.attr("type"))
	}
	decl.Autoforward = n.attr("autoforward") == "true"
	if f := n.first("finalize"); f != nil {
		decl.Finalize = r.finalize(n, f)
	}
	decl.With = r.pairs(n)
	if len(decl.With) > 0 {
		decl.WithPos = &n.pos
	}
	decl.Invoke = r.invoked(n)
}

// finalize with nothing in it takes the values of the event for the variables
// that were given by location (section 6.5).
func (r *reader) finalize(n, f *node) []statechart.Action {
	if len(f.kids) > 0 {
		return r.content(f.kids)
	}
	var out []statechart.Action
	for _, p := range r.pairs(n) {
		path, ok := r.location(p.Key, p.Pos)
		if !ok {
			continue
		}
		source := "has(event.data." + p.Key + ") ? dyn(event.data." + p.Key + ") : dyn(context." + p.Key + ")"
		out = append(out, &statechart.SetAction{Path: path, Expr: &statechart.Expr{Source: source, Pos: f.pos}, Pos: f.pos})
	}
	return out
}

func (r *reader) invoked(n *node) *statechart.InvokeDecl {
	decl := &statechart.InvokeDecl{Pos: n.pos}
	if c := n.first("content"); c != nil {
		doc := c.first("scxml")
		if doc == nil {
			r.problem(c.pos, "unsupported", "content of invoke without an scxml element")
			return decl
		}
		decl.Body = r.inlined(doc)
		return decl
	}
	src := n.attr("src")
	if n.has("srcexpr") {
		var ok bool
		if src, ok = ecma.Constant(n.attr("srcexpr")); !ok {
			r.problem(n.pos, "unsupported", "srcexpr %q, which is no constant", n.attr("srcexpr"))
			return decl
		}
	}
	if src == "" {
		r.problem(n.pos, "unsupported", "invoke without src and content")
		return decl
	}
	if def := r.imported(src, n.pos); def != nil {
		if r.def.Machines == nil {
			r.def.Machines = map[string]*statechart.Definition{}
		}
		r.def.Machines[def.Name] = def
		decl.Chart = def.Name
	}
	return decl
}

// inlined translates a document that stands inside of this one.
func (r *reader) inlined(doc *node) *statechart.Definition {
	child := r.reader(doc, r.def.Name)
	child.child = true
	child.read()
	return child.def
}

// imported translates a document of another file, once.
func (r *reader) imported(src string, pos statechart.Pos) *statechart.Definition {
	file := r.fileOf(src, pos)
	if def, ok := r.files[file]; ok {
		return def
	}
	data, err := fs.ReadFile(r.fsys, file)
	if err != nil {
		r.problem(pos, "import_missing", "read %q: %v", file, err)
		return nil
	}
	child := r.document(file, data, true)
	if child == nil {
		return nil
	}
	return child.def
}
