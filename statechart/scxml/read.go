package scxml

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"github.com/durachart/durachart/statechart"
)

// Document is a translated SCXML document.
type Document struct {
	Chart *statechart.Chart
	// Blocks are the executable contents that the chart, and the charts that it
	// invokes, call by name.
	Blocks map[string]*Block

	ids map[string]string // path of a leaf -> id
}

// ID returns the id that the document gives the state of that path, or the empty
// text if it gives none.
func (d *Document) ID(path string) string { return d.ids[path] }

// Read reads the document in file and what it invokes by src. The profile is that
// of the chart: statechart.ProfileSCXML follows the Recommendation in all
// (S29). The error is a [statechart.Problems] with every problem of the document,
// or one of reading the file.
func Read(fsys fs.FS, file string, profile statechart.Profile) (*Document, error) {
	data, err := fs.ReadFile(fsys, file)
	if err != nil {
		return nil, fmt.Errorf("read %q: %w", file, err)
	}
	s := &session{fsys: fsys, profile: profile, blocks: map[string]*Block{}, files: map[string]*statechart.Definition{}}
	r := s.document(file, data, false)
	if r == nil {
		return nil, s.problems
	}
	r.def.Findings = append(r.def.Findings, s.problems...)
	chart, err := r.def.Build()
	if err != nil {
		return nil, err
	}
	return &Document{Chart: chart, Blocks: s.blocks, ids: r.idOfPath}, nil
}

// session is the reading of a document with all that it invokes.
type session struct {
	fsys     fs.FS
	profile  statechart.Profile
	blocks   map[string]*Block
	files    map[string]*statechart.Definition // read by src
	problems statechart.Problems
}

func (s *session) problem(pos statechart.Pos, code, format string, args ...any) {
	s.problems = append(s.problems, statechart.Problem{
		Code: code, Severity: statechart.Error, Pos: pos, Message: fmt.Sprintf(format, args...),
	})
}

// document translates one file; child tells that it is invoked. It returns nil
// after a syntax error.
func (s *session) document(file string, data []byte, child bool) *reader {
	root, pos, err := parseXML(file, strings.NewReader(string(data)))
	if err != nil {
		s.problem(pos, "syntax", "%v", err)
		return nil
	}
	if root.name != "scxml" {
		s.problem(root.pos, "syntax", "the root element is %s, not scxml", root.name)
		return nil
	}
	name := root.attr("name")
	if name == "" {
		name = strings.TrimSuffix(path.Base(file), path.Ext(file))
	}
	r := s.reader(root, cleanName(name))
	sum := sha256.Sum256(data)
	r.def.Version = hex.EncodeToString(sum[:8]) // covers the blocks, which are outside of the chart
	r.child = child
	s.files[file] = r.def // before reading on: a document may invoke itself
	r.read()
	return r
}

// reader translates one scxml element.
type reader struct {
	*session
	root     *node
	def      *statechart.Definition
	paths    map[string]string // id -> path
	done     map[string]string // id -> path whose done.state event stands for the id
	invokes  map[string]string // invoke id -> path of the invoking state
	idOfPath map[string]string
	names    map[*node]string // state elements -> names
	declared map[string]bool  // variables of the data model
	child    bool             // it is invoked: data may be given at the start
	order    int
}

func (s *session) reader(root *node, name string) *reader {
	return &reader{
		session: s, root: root,
		def:   &statechart.Definition{Name: name, Profile: s.profile, Pos: root.pos},
		paths: map[string]string{}, done: map[string]string{}, invokes: map[string]string{}, idOfPath: map[string]string{},
		names: map[*node]string{}, declared: map[string]bool{},
	}
}

func (r *reader) read() {
	r.checkRoot()
	r.nameStates(r.root, "")
	r.declareData()
	root := &statechart.StateDecl{Kind: statechart.Compound, Pos: r.root.pos}
	r.def.Root = root
	root.Initial = r.initial(r.root)
	r.body(r.root, root, root)
	root.OnEnter = append(r.dataActions(), root.OnEnter...)
}

func (r *reader) checkRoot() {
	switch model := r.root.attr("datamodel"); model {
	case "", "null", "ecmascript":
	default:
		r.problem(r.root.pos, "unsupported", "datamodel %q", model)
	}
	if b := r.root.attr("binding"); b != "" && b != "early" {
		r.problem(r.root.pos, "unsupported", "binding %q", b)
	}
}

// cleanName makes a state or chart name of an id (S2).
func cleanName(id string) string {
	name := strings.Map(func(r rune) rune {
		if r < ' ' || strings.ContainsRune(`.:#@/"`, r) {
			return '_'
		}
		return r
	}, strings.TrimSpace(id))
	if strings.HasPrefix(name, "$") {
		name = "_" + name
	}
	return name
}

// Made reports whether the state of that path was made by the translation: the
// region of an invoke beside the children of a state, or a leaf that stands for one.
func (d *Document) Made(path string) bool {
	last := path[strings.LastIndexByte(path, '.')+1:]
	return last == bodyName || strings.HasPrefix(last, invokePrefix)
}
