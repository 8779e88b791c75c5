package statechart

// Pos is a place in a source text; the zero Pos means that there is none.
// Columns count characters from 1.
type Pos struct {
	File   string
	Line   int
	Column int

	// seq stands in for the place where the builder declared something: a chart
	// from Go has no lines, yet its findings are ordered like those of its text
	// (S14).
	seq int
}

// Known reports whether p names a line of a text.
func (p Pos) Known() bool { return p.Line > 0 }
