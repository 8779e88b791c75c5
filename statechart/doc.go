// Package statechart holds definitions of statecharts: the builder, the checks
// and the immutable [Chart] that they make.
//
// A chart says what an execution may do; it holds no running state and performs
// nothing. Package execution steps executions of a chart; statechart/stm reads
// and prints charts as text, statechart/scxml reads SCXML.
//
// # Where to start
//
// [New] begins a chart, the calls of [Builder] and [StateBuilder] declare what is
// in it, [Builder.Build] checks it:
//
//	b := statechart.New("door").Initial("Closed")
//	b.State("Closed")
//	b.State("Open").Timeout(30 * time.Second)
//	b.From("Closed").To("Open").On("Open")
//	b.From("Open").To("Closed").On("Close", "timeout")
//	chart, err := b.Build()
//
// There is one call for each construct of the text language, under its keyword,
// and both make equal charts with equal findings. Actions are made by [Call],
// [Raise], [Send], [Cancel], [Set] and [Log], predicates by [Compare], [Named],
// [And], [Or] and [Not], the pairs of a with by [Pick] and [Eval].
//
// # Mistakes
//
// No call of a builder fails or panics. Build reports every mistake at once, as
// [Problems] in the order of the declarations; a [Problem] has a stable code, a
// severity, a place, a message for people and often a hint. Warnings alone do not
// refuse a chart: [Chart.Warnings] has them. [Builder.MustBuild] panics; it is for
// tests, examples and variables.
//
// # Front ends
//
// [Definition] is what was declared, unchecked: plain data that the builder and
// the readers of text fill, and [BuildAll] checks. A Chart is what it means:
// references are pointers to states, a transition without a trigger has the one
// that it stands for, expressions are compiled, and what an interpreter needs in
// every step is worked out. [Chart.Text] writes any chart as canonical text, whose
// hash is the version of a chart that declares none.
//
// Charts are safe for concurrent use, builders are not. The rules S1, S2, … are
// those of the statechart specification.
package statechart
