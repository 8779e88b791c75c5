package stm

import (
	"errors"
	"io/fs"

	"github.com/durachart/durachart/statechart"
)

// File is what a text file declares.
type File struct {
	// Name is the path under which the file was read.
	Name string
	// Charts are the machines of the file in their order. There are none if one
	// problem has severity error.
	Charts []*statechart.Chart
	// Problems are the findings in this file and in those that it imports, in order
	// of position, the files in the order of their first import; at most
	// [MaxProblems], errors before warnings if there are more.
	Problems statechart.Problems
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
	return nil, errUnderConstruction
}

// ParseText reads a text that imports nothing; name stands for it in positions.
func ParseText(name, text string) (*File, error) {
	return nil, errUnderConstruction
}

// Error says that a file declares charts that cannot be used. Its text is that
// of File.Report.
type Error struct {
	File *File
}

// Error implements error.
func (e *Error) Error() string { return e.File.Problems.Error() }

// Unwrap returns the problems.
func (e *Error) Unwrap() error { return e.File.Problems }

var errUnderConstruction = errors.New("stm: under construction")

// Print returns the canonical text of a chart (S101).
func Print(c *statechart.Chart) string { return "" }
