package statechart

import (
	"maps"
	"slices"

	"github.com/durachart/durachart/statechart/expr"
)

// Build resolves the references of d, brings it into normal form (S8), runs all
// checks (S103) and returns the chart. If one finding is an error there is no
// chart, and the error is a [Problems] with all findings, warnings included.
func (d *Definition) Build() (*Chart, error) {
	charts, problems := BuildAll(d)
	if problems.HasErrors() {
		return nil, problems
	}
	return charts[0], nil
}

// BuildAll builds definitions that belong together, such as the machines of one
// file, and all that their Machines hold. Each is checked once, however many
// invoke it. The charts are those of defs, in their order; there are none when one
// finding is an error. The findings are in order of position, the files in the
// order in which defs name them.
func BuildAll(defs ...*Definition) ([]*Chart, Problems) {
	s := &session{
		compiled: make(map[*Definition]*compiler), programs: make(map[programKey]*expr.Program),
		eventLists: make(map[eventsKey]*eventIndex),
	}
	var files []string
	for _, d := range defs {
		s.compile(d)
		if d != nil && (len(files) == 0 || files[len(files)-1] != d.Pos.File) {
			files = append(files, d.Pos.File)
		}
	}
	s.usage.report()
	var problems Problems
	for _, c := range s.order {
		problems = append(problems, c.problems...)
	}
	problems = problems.Sort(files...)
	if problems.HasErrors() {
		return nil, problems.unnumbered()
	}
	s.fixVersions()
	for _, c := range s.order {
		c.chart.findings = c.problems.Sort(files...).unnumbered()
	}
	charts := make([]*Chart, len(defs))
	for i, d := range defs {
		charts[i] = s.compiled[d].chart
	}
	return charts, problems.unnumbered()
}

// unnumbered takes the numbers of builder calls out of the places.
func (ps Problems) unnumbered() Problems {
	for i := range ps {
		ps[i].Pos.seq = 0
	}
	return ps
}

// session is one call of BuildAll.
type session struct {
	compiled   map[*Definition]*compiler
	order      []*compiler // of definitions, in the order of their compilation
	programs   map[programKey]*expr.Program
	eventLists map[eventsKey]*eventIndex
	usage      usage
	hints      int // "did you mean" that were looked for
}

// compile compiles d and all that it can reach, once each.
func (s *session) compile(d *Definition) {
	if s.compiled[d] != nil {
		return
	}
	c := s.newCompiler(d)
	s.compiled[d] = c
	s.order = append(s.order, c)
	c.compile()
	for _, name := range slices.Sorted(maps.Keys(c.def.Machines)) {
		if m := c.def.Machines[name]; m != nil {
			s.compile(m)
		}
	}
}

// compiler makes one chart of one definition.
type compiler struct {
	*session
	def      *Definition
	chart    *Chart
	problems Problems // those of inline charts included

	// An inline chart has the declarations of the one around it; prefix goes before
	// its paths in problems.
	outer  *compiler
	prefix string
	inline []*compiler

	decls []*StateDecl          // decls[i] declared chart.states[i]
	state map[*StateDecl]*State // and back
	kids  map[childKey]*State   // children by name
	twins []*State              // what no reference can mean: a sibling has the name
	moves []*move               // all transitions, in document order

	afters map[*State]int // how many after transitions a source has so far

	named    map[string]*namedGuard
	bindings map[string]declaration
	bound    map[string]bool        // bindings that are used
	ready    map[*namedGuard]*Guard // compiled for this chart
	events   *eventIndex

	undeclared bool // a name was used that a declaration of events could have checked
}

type childKey struct {
	parent *State
	name   string
}

// move is a transition with its declaration.
type move struct {
	*Transition
	decl *TransitionDecl
}

func (s *session) newCompiler(d *Definition) *compiler {
	if d == nil {
		d = &Definition{}
	}
	if d.Root == nil {
		bare := *d
		bare.Root = &StateDecl{Kind: Compound, Pos: d.Pos}
		d = &bare
	}
	return &compiler{
		session: s, def: d, chart: &Chart{},
		state: make(map[*StateDecl]*State), kids: make(map[childKey]*State), afters: make(map[*State]int),
	}
}

func (c *compiler) compile() {
	c.problems = append(c.problems, c.def.Findings...)
	c.header()
	if !c.tree() {
		return
	}
	c.states()
	c.transitions()
	c.keepUsed()
	c.precompute()
	c.check()
}

func (c *compiler) outermost() *compiler {
	for c.outer != nil {
		c = c.outer
	}
	return c
}
