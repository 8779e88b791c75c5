package statechart_test

import . "github.com/durachart/durachart/statechart"

// child is a chart to invoke.
func child(name string) *Chart {
	b := New(name).Version("7").Initial("A")
	b.State("A").Resting()
	return b.MustBuild()
}
