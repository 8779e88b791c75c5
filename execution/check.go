package execution

import "github.com/durachart/durachart/statechart"

// Check reports every handler that chart, or a chart that it brings along, names
// and handlers lack, or have as another kind: code unbound_handler (S72). It
// returns nil or [statechart.Problems].
func Check(chart *statechart.Chart, handlers Handlers) error { return nil }

// Output returns what the final of a DONE execution carries, an object; nil for
// any other.
func Output(chart *statechart.Chart, s *Snapshot) []byte { return nil }
