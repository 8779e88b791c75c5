package statechart

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Severity of a problem.
type Severity uint8

// The severities.
const (
	Warning Severity = iota
	Error
)

// String returns "warning" or "error".
func (s Severity) String() string {
	if s == Error {
		return "error"
	}
	return "warning"
}

// Problem is one finding of the checks (S100). Code is stable, Message is for
// people. Path names the state it is about, or the source of the transition; in
// an inline chart it is the path of the invoke state, "#", and the path inside.
// Line and Column are 0 where the chart did not come from text.
type Problem struct {
	Code     string
	Severity Severity
	Pos      Pos
	Path     string
	Message  string
	Hint     string
}

// String returns the first line of the text form of S100, without the excerpt.
func (p Problem) String() string {
	var b strings.Builder
	if p.Pos.Known() {
		fmt.Fprintf(&b, "%s:%d:%d: ", p.Pos.File, p.Pos.Line, p.Pos.Column)
	}
	fmt.Fprintf(&b, "%s %s: %s", p.Severity, p.Code, p.Message)
	if !p.Pos.Known() && p.Path != "" {
		fmt.Fprintf(&b, " (at %s)", p.Path)
	}
	return b.String()
}

// Problems is a list of findings in order of position, then code. As an error it
// says that a chart was refused; find it with errors.As.
type Problems []Problem

// Error implements error: one line a problem.
func (ps Problems) Error() string {
	lines := make([]string, len(ps))
	for i, p := range ps {
		lines[i] = p.String()
	}
	return "statechart: " + strings.Join(lines, "\n")
}

// HasErrors reports whether one of them has severity Error.
func (ps Problems) HasErrors() bool {
	return slices.ContainsFunc(ps, func(p Problem) bool { return p.Severity == Error })
}

// Sort puts ps in order of position, then code, and removes what is said twice.
// The files come in the order given, all others behind them by name.
func (ps Problems) Sort(files ...string) Problems {
	rank := make(map[string]int, len(files))
	for i, f := range files {
		if _, ok := rank[f]; !ok {
			rank[f] = i - len(files)
		}
	}
	out := slices.Clone(ps)
	slices.SortStableFunc(out, func(a, b Problem) int {
		return cmp.Or(
			cmp.Compare(rank[a.Pos.File], rank[b.Pos.File]),
			cmp.Compare(a.Pos.File, b.Pos.File),
			cmp.Compare(a.Pos.Line, b.Pos.Line),
			cmp.Compare(a.Pos.Column, b.Pos.Column),
			cmp.Compare(a.Pos.seq, b.Pos.seq),
			cmp.Compare(a.Code, b.Code),
		)
	})
	return slices.Compact(out)
}
