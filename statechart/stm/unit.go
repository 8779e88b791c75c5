package stm

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"
	"unicode/utf8"

	"github.com/durachart/durachart/statechart"
)

// reader reads a file and all that it imports. It is one call of Parse.
type reader struct {
	fsys     fs.FS
	units    map[string]*unit // by path
	order    []*unit          // in the order of first import; the file itself is first
	found    map[finding]bool
	problems statechart.Problems

	uses      int  // expansions so far
	reread    int  // tokens read again for them
	exhausted bool // too many of either, and reported
}

// finding identifies a problem: a fragment is read again for each use, and what
// is wrong with it is said once.
type finding struct {
	code    string
	pos     statechart.Pos
	message string
}

func (r *reader) problem(severity statechart.Severity, code string, pos statechart.Pos, message, hint string) {
	f := finding{code, pos, message}
	if r.found[f] {
		return
	}
	r.found[f] = true
	r.problems = append(r.problems, statechart.Problem{
		Code: code, Severity: severity, Pos: pos, Message: message, Hint: hint,
	})
}

// unit is one file: its declarations, and what their names mean there.
type unit struct {
	*reader
	src  *source
	toks tokens

	imports   []*importDecl
	machines  []*machineDecl
	fragments []*fragment
	guards    []*statechart.Guard
	events    []statechart.EventDecl
	binds     []statechart.Binding

	own     names                  // declared here
	names   names                  // own ones, and those that imports bring in bare
	aliased map[aliased]declared   // what find has answered
	scoped  bool                   // names is complete
	loading bool                   // its imports are being read
	scope   []statechart.EventDecl // see eventsInScope

	needed map[statechart.Pos]bool // guards and bindings that a machine uses

	// What could not be read might have declared these: see isEcho.
	lostFlow, lostStates, lostDecls bool
}

// machineDecl is a machine: its body is read when all fragments are known.
type machineDecl struct {
	name string
	pos  statechart.Pos
	doc  string
	body tokenRange
	unit *unit
	def  *statechart.Definition
}

// tokenRange is a body from its opening brace to behind its closing one.
type tokenRange struct{ start, end int }

type importDecl struct {
	path     string
	alias    string
	pos      statechart.Pos
	aliasPos statechart.Pos
	unit     *unit // or nil if it cannot be read
}

// load reads a file and its imports, once each.
func (r *reader) load(name string) (*unit, error) {
	if u, ok := r.units[name]; ok {
		return u, nil
	}
	data, err := fs.ReadFile(r.fsys, name)
	if err != nil {
		return nil, err
	}
	u := &unit{reader: r, loading: true, own: newNames(), needed: make(map[statechart.Pos]bool)}
	r.units[name] = u
	r.order = append(r.order, u)
	u.scan(name, string(data))
	u.loadImports()
	u.loading = false
	return u, nil
}

// scan cuts the text into tokens and reads the declarations, without the bodies
// of machines and fragments.
func (u *unit) scan(name, text string) {
	text = strings.TrimPrefix(text, "\uFEFF")
	u.src = newSource(name, text)
	if at := invalidUTF8(text); at >= 0 {
		u.syntaxAt(u.src.pos(at), "the file is not UTF-8 from here on", "")
		text = strings.ToValidUTF8(text, "\uFFFD")
		u.src = newSource(name, text)
	}
	u.toks = lex(u.src, u.syntaxAt)
	if u.toks.unclosed != nil {
		u.lostFlow, u.lostStates = true, true // the rest of a line is in a text
	}
	p := &parser{unit: u, end: len(u.toks.list) - 1}
	p.file()
}

func (u *unit) syntaxAt(pos statechart.Pos, message, hint string) {
	u.problem(statechart.Error, "syntax", pos, message, hint)
}

// invalidUTF8 returns the offset of the first byte that is not UTF-8, or -1.
func invalidUTF8(s string) int {
	if utf8.ValidString(s) {
		return -1
	}
	for i, r := range s {
		if r == utf8.RuneError {
			if _, n := utf8.DecodeRuneInString(s[i:]); n == 1 {
				return i
			}
		}
	}
	return -1
}

// loadImports reads the imported files (S98).
func (u *unit) loadImports() {
	aliases := make(map[string]bool)
	for _, imp := range u.imports {
		if imp.alias != "" && aliases[imp.alias] {
			u.problem(statechart.Error, "duplicate", imp.aliasPos, fmt.Sprintf("two imports have the alias %q", imp.alias), "")
		}
		aliases[imp.alias] = true
		v, err := u.imported(imp.path)
		switch {
		case err != nil:
			u.lostDecls = true
			u.problem(statechart.Error, "import_missing", imp.pos,
				fmt.Sprintf("the file %q cannot be imported: %v", imp.path, reason(err)),
				"paths are relative to the importing file")
		case v.loading:
			u.lostDecls = true
			u.problem(statechart.Error, "import_cycle", imp.pos,
				fmt.Sprintf("the import of %q closes a circle of imports", imp.path), "")
		default:
			imp.unit = v
		}
	}
}

func (u *unit) imported(name string) (*unit, error) {
	file := path.Join(path.Dir(u.src.name), name)
	if name == "" || path.IsAbs(name) || !fs.ValidPath(file) {
		return nil, errors.New("this is no path below the place where files are read")
	}
	return u.load(file)
}

// reason cuts the path, which the message has already, from an error of a file
// system.
func reason(err error) error {
	if pe, ok := err.(*fs.PathError); ok {
		return pe.Err
	}
	return err
}
