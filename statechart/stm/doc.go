// Package stm reads and prints charts in the text language (S88 to S101).
//
//	machine door {
//	  initial Closed
//	  state Closed {}
//	  state Open { timeout 30s }
//	  from Closed to Open on Open
//	  from Open to Closed on Close | timeout
//	}
//
// [Parse] reads a file and what it imports through an fs.FS, [ParseText] a text
// that imports nothing. Both check everything that package statechart checks and
// report all problems at once, each with its place; a [File] shows them as text
// with the line in question (File.Report). [Print] gives the canonical text of
// a chart: reading that gives an equal chart.
//
// The text is the authority on nothing: it is one way to declare a
// statechart.Definition, as the builder is another, and everything that can be
// asked of a definition is asked by its Build. This package adds what only text
// has: syntax, imports, fragments and their expansion.
//
// Reading takes time linear in the input. Fragments are expanded where they are
// used, so they can make a chart much larger than its text; the limits on states
// hold after expansion.
//
// The package is not a formatter, and it runs nothing.
package stm
