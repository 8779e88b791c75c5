// Package expr compiles and evaluates the CEL expressions of charts: when guards,
// set, log and with values, and selectors (S70, S71).
//
// [Compile] checks an expression once, when a chart is built, and reports all
// that is wrong with it; the [Program] is immutable and safe for concurrent use.
// [Program.Eval] and [Program.Test] run it over JSON values without copying them.
//
// # What an expression sees
//
// The variables are context, an object; event with the fields name, data and id;
// and where the place has one, a loop variable. Any other name, and any other
// field of event, is an error at compile time. In("State") tells whether a state
// of the execution is active; its argument is a literal, which [Options.State]
// resolves at compile time and [Vars.In] answers at run time.
//
// The language is CEL with its standard library and macros, and of the
// extensions of cel-go: strings, math, lists, and comprehensions of two
// variables (all, exists, existsOne, transformList, transformMap,
// transformMapEntry) for maps. Nothing reads a clock or randomness: CEL's now
// does not exist. Time zones by name come from the zone data of the host.
// Comprehensions over maps visit keys in bytewise order (S22).
//
// Integers and floats are compared by value, but arithmetic does not mix them:
// write double(x). Reading an absent key is an error; test with has(event.data.x).
//
// # Errors
//
//	what does not compile            *CompileError, with an Issue for each place
//	a state that In cannot find      an Issue whose Err came from Options.State
//	absent key, type, cost, overflow ErrExpression: the step's kind "expression"
//	a result that is no JSON value   ErrValue: the step's kind "value"
//
// The package knows nothing of charts: positions in files, states and problems
// are the caller's.
package expr
