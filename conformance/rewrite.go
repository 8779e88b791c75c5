package main

import (
	"fmt"
	"io/fs"
	"regexp"
	"slices"
	"strings"

	"github.com/durachart/durachart/statechart"
	"github.com/durachart/durachart/statechart/stm"
)

// The scenarios are written in the notation of another engine. Our grammar reads
// it; what means something else with us is written differently before it is built:
//
//   - A leaf without a way out ends its parent there. It becomes a final (S11),
//     with the outcome that it has.
//   - "on activity a" of X, the handler for what nothing else takes, becomes
//     "from self on * when In(X) do a" on the root of the execution, innermost
//     states first; completions and errors are not events there, and are left out
//     (S68).
//   - pick is read-only with us: the transition that chooses by it takes the entry
//     off the list.
//   - A chart "acme.child" is the machine child of an import with the alias acme
//     (S98); one without a dot stands in the same file.

// chart builds the chart of a row.
func (row scenario) chart() (*statechart.Chart, error) {
	files := textFiles{}
	main := activities(row.STM)
	for _, name := range sortedKeys(row.Submachines) {
		text := activities(row.Submachines[name])
		alias, _, dotted := strings.Cut(name, ".")
		if !dotted {
			main += "\n" + text
			continue
		}
		file := alias + ".stm"
		if files[file] == "" {
			main = fmt.Sprintf("import %q as %s\n", file, alias) + main
		}
		files[file] += text + "\n"
	}
	files["row.stm"] = main
	f, err := stm.Parse(files, "row.stm")
	if f == nil {
		return nil, err
	}
	for _, p := range f.Problems {
		if p.Code == "syntax" {
			return nil, f.Problems
		}
	}
	for _, d := range f.Definitions {
		endSinks(d.Root, d.Root)
		takePicked(d.Root)
	}
	charts, problems := statechart.BuildAll(f.Definitions...)
	if problems.HasErrors() {
		return nil, problems
	}
	return charts[0], nil
}

// textFiles are files in memory, to be read whole.
type textFiles map[string]string

// Open implements [fs.FS]; nothing here is read piece by piece.
func (t textFiles) Open(name string) (fs.File, error) {
	return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
}

// ReadFile implements [fs.ReadFileFS].
func (t textFiles) ReadFile(name string) ([]byte, error) {
	text, ok := t[name]
	if !ok {
		return nil, &fs.PathError{Op: "read", Path: name, Err: fs.ErrNotExist}
	}
	return []byte(text), nil
}

func sortedKeys(m map[string]string) []string {
	var out []string
	for k := range m {
		out = append(out, k)
	}
	slices.Sort(out)
	return out
}

// endSinks makes a final of every leaf below at that nothing leads out of.
func endSinks(root, at *statechart.StateDecl) {
	if at.Invoke != nil && at.Invoke.Body != nil {
		endSinks(at.Invoke.Body.Root, at.Invoke.Body.Root)
	}
	for _, s := range at.Children {
		endSinks(root, s)
		leaf := (s.Kind == statechart.Atomic || s.Kind == statechart.Compound) && len(s.Children) == 0 && s.Invoke == nil
		if leaf && s.Timeout == nil && len(s.Defer) == 0 && !leadsOut(root, s) {
			s.Kind, s.Initial = statechart.Final, nil
		}
	}
}

// leadsOut reports whether a transition below at has s as its source.
func leadsOut(at, s *statechart.StateDecl) bool {
	for _, t := range at.Transitions {
		if t.From.Self && at == s || !t.From.Self && walk(at, t.From.Text) == s {
			return true
		}
	}
	return slices.ContainsFunc(at.Children, func(c *statechart.StateDecl) bool { return leadsOut(c, s) })
}

func walk(at *statechart.StateDecl, path string) *statechart.StateDecl {
	for _, name := range strings.Split(path, ".") {
		i := slices.IndexFunc(at.Children, func(c *statechart.StateDecl) bool { return c.Name == name })
		if i < 0 {
			return nil
		}
		at = at.Children[i]
	}
	return at
}

func takePicked(at *statechart.StateDecl) {
	for _, t := range at.Transitions {
		if t.Choice != nil && t.Choice.Call != nil && t.Choice.Call.Name == "pick" {
			t.Do = append([]statechart.Action{statechart.Call(takeName)}, t.Do...)
		}
	}
	for _, c := range at.Children {
		takePicked(c)
	}
	if at.Invoke != nil && at.Invoke.Body != nil {
		takePicked(at.Invoke.Body.Root)
	}
}

var word = regexp.MustCompile(`"(?:[^"\\]|\\.)*"|[A-Za-z_][A-Za-z0-9_.]*|[^\s\w]|\d+\w*`)

// body is an open brace of a text: the state that it belongs to.
type body struct {
	path     []string // from the root of the machine; nil: no state
	region   bool     // its children are regions
	root     bool     // an execution root: the machine or a region
	handlers []string // transitions that stand for activities, innermost last
}

// activities takes the activity handlers out of a text and puts transitions on
// the root of their execution in their place.
func activities(text string) string {
	var out strings.Builder
	var open []*body
	var head []string // words since the last brace or item
	last := 0
	spans := word.FindAllStringIndex(text, -1)
	for i := 0; i < len(spans); i++ {
		tok := text[spans[i][0]:spans[i][1]]
		switch {
		case tok == "{":
			open = append(open, newBody(head, open))
			head = nil
		case tok == "}" && len(open) > 0:
			b := open[len(open)-1]
			open = open[:len(open)-1]
			out.WriteString(text[last:spans[i][0]])
			last = spans[i][0]
			for _, h := range slices.Backward(b.handlers) {
				out.WriteString(h + " ")
			}
			head = nil
		case tok == "activity" && len(head) > 0 && head[len(head)-1] == "on" && len(open) > 0 && i+1 < len(spans):
			out.WriteString(text[last:spans[i-1][0]])
			root := len(open) - 1
			for !open[root].root {
				root--
			}
			name := text[spans[i+1][0]:spans[i+1][1]]
			open[root].handlers = append(open[root].handlers, handler(open[len(open)-1], name))
			i++
			last = spans[i][1]
		default:
			head = append(head, tok)
		}
	}
	return out.String() + text[last:]
}

// newBody tells from the words before a brace what it opens.
func newBody(head []string, open []*body) *body {
	n := len(head)
	if n >= 2 && slices.Contains([]string{"state", "orthogonal", "parallel", "final"}, head[n-2]) && len(open) > 0 {
		parent := open[len(open)-1]
		path := append(slices.Clone(parent.path), strings.Trim(head[n-1], `"`))
		return &body{path: path, region: head[n-2] == "orthogonal", root: parent.region}
	}
	return &body{root: n >= 2 && head[n-2] == "machine" || slices.Contains(head, "invoke")}
}

func handler(b *body, action string) string {
	condition := `!event.name.startsWith(\"done.\") && !event.name.startsWith(\"error.\")`
	if len(b.path) > 0 {
		condition = fmt.Sprintf(`In(\"%s\") && `, strings.Join(b.path, ".")) + condition
	}
	return fmt.Sprintf(`from self on * when "%s" do %s`, condition, action)
}
