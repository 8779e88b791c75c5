package stm

import (
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/durachart/durachart/statechart"
)

// File is what a text file declares.
type File struct {
	// Name is the path under which the file was read.
	Name string
	// Charts are the machines of the file in their order. There are none if one
	// problem has severity error.
	Charts []*statechart.Chart
	// Definitions are the machines of the file, then those of its imports, as they
	// are declared: for programs that change charts before they build them, with
	// statechart.BuildAll. They are there whatever the problems.
	Definitions []*statechart.Definition
	// Problems are the findings in this file and in those that it imports, in order
	// of position, the files in the order of their first import; at most
	// [MaxProblems], errors before warnings if there are more.
	Problems statechart.Problems

	sources map[string]*source
}

// MaxProblems is how many problems are reported at most (S99).
const MaxProblems = 100

// Chart returns the chart of that name, or nil.
func (f *File) Chart(name string) *statechart.Chart {
	for _, c := range f.Charts {
		if c.Name() == name {
			return c
		}
	}
	return nil
}

// Parse reads the file at path name in fsys and the files that it imports. The
// error is nil when every chart is fit for use, if perhaps with warnings.
// Otherwise it is a [*Error], in which errors.As also finds the
// statechart.Problems, and the File has the problems but no charts; or, if the
// file itself cannot be read, the error of fsys, and there is no File.
func Parse(fsys fs.FS, name string) (*File, error) {
	r := &reader{fsys: fsys, units: make(map[string]*unit), found: make(map[finding]bool)}
	if _, err := r.load(name); err != nil {
		return nil, fmt.Errorf("read %q: %w", name, reason(err))
	}
	f := r.build()
	if f.Problems.HasErrors() {
		return f, &Error{File: f}
	}
	return f, nil
}

// ParseText reads a text that imports nothing; name stands for it in positions.
func ParseText(name, text string) (*File, error) {
	return Parse(textFS{name, text}, name)
}

// Error says that a file declares charts that cannot be used. Its text is that
// of [File.Report].
type Error struct {
	File *File
}

// Error implements error.
func (e *Error) Error() string { return e.File.Report() }

// Unwrap returns the problems.
func (e *Error) Unwrap() error { return e.File.Problems }

// build reads the bodies, now that all names are known, and checks the charts.
func (r *reader) build() *File {
	f := &File{Name: r.order[0].src.name, sources: make(map[string]*source)}
	var fragments []*fragment
	for _, u := range r.order {
		f.sources[u.src.name] = u.src
		u.resolveNames()
		fragments = append(fragments, u.fragments...)
	}
	for _, g := range fragments {
		g.check()
	}
	r.checkRecursion(fragments)
	var defs []*statechart.Definition
	for _, u := range r.order {
		for _, m := range u.machines {
			m.read()
			defs = append(defs, m.def)
		}
	}
	f.Definitions = defs
	r.order[0].checkUnused()
	charts, problems := statechart.BuildAll(defs...)
	if charts != nil {
		f.Charts = charts[:len(r.order[0].machines)]
	}
	f.Problems = r.report(problems)
	if f.Problems.HasErrors() {
		f.Charts = nil
	}
	return f
}

// report joins the findings of the checks with those of this package.
func (r *reader) report(checked statechart.Problems) statechart.Problems {
	files := make([]string, len(r.order))
	for i, u := range r.order {
		files[i] = u.src.name
	}
	for _, p := range checked {
		u := r.units[p.Pos.File]
		if u != nil && (u.isEcho(p.Code) || p.Code == "unused" && u != r.order[0]) {
			continue
		}
		// A fragment that is used twice has its findings once, though the messages
		// name other paths.
		key := finding{p.Code, p.Pos, p.Message}
		if p.Path != "" {
			key.message = strings.ReplaceAll(p.Message, p.Path, "")
		}
		if !r.found[key] {
			r.found[key] = true
			r.problems = append(r.problems, p)
		}
	}
	all := r.problems.Sort(files...)
	if len(all) <= MaxProblems {
		return all
	}
	slices.SortStableFunc(all, func(a, b statechart.Problem) int { return int(b.Severity) - int(a.Severity) })
	return all[:MaxProblems].Sort(files...)
}

// Print returns the canonical text of a chart (S101): what it says is what
// [statechart.Chart.Text] says. Reading it gives an equal chart, whatever the
// chart came from.
func Print(c *statechart.Chart) string { return c.Text() }
