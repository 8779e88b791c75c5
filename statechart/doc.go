// Package statechart holds definitions of statecharts: the builder, the checks
// and the immutable [Chart] that they make.
//
// A chart says what an execution may do; it holds no running state and performs
// nothing. Package execution steps executions of a chart; statechart/stm reads
// and prints charts as text.
//
// Start with [New], declare states and transitions, and call Build, which reports
// all mistakes at once ([Problems]) or returns the Chart. [Definition] is the
// declared, unchecked form that every front end fills.
//
// The rules S1, S2, … are those of the statechart specification.
package statechart
