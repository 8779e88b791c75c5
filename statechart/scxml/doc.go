// Package scxml reads W3C SCXML documents into charts.
//
// [Read] gives a [Document]: a chart with profile scxml or none, and the blocks of
// executable content that a chart has no words for (if, foreach, computed event
// names, targets and delays). A block is data with a Run method; whoever runs the
// chart registers it as a Go action under its name. Everything else becomes
// ordinary states, transitions, actions and CEL expressions.
//
// What cannot be translated is a located [statechart.Problem] with code
// unsupported that names the element, attribute or expression; nothing is passed
// over in silence. Expressions are read by the package ecma below this one.
//
// The package is for running documents that exist. It is no way to write charts:
// what it makes is correct, and not pretty.
//
// # How a document is translated
//
//	an id                       a state name; characters that names cannot have become "_"
//	a state with invoke only    an invoke state
//	a state with invoke besides children, or with several
//	                            a parallel with the region _body and a region for each invoke
//	datamodel                   set actions on entry of the root, early binding; a variable
//	                            without a value is null
//	event data that is no object, donedata
//	                            the member _data of the event's data
//	_event.sendid, origin, invokeid
//	                            members of the event's data with a leading "_"
//	if, foreach, eventexpr, targetexpr, delayexpr, idlocation, sendidexpr
//	                            a block
package scxml
