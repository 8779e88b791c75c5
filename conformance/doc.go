// Command conformance runs test material that was written elsewhere and says what
// agrees.
//
//	conformance [-profile scxml] [-mode MODE] [-store memory|mongo] [-mongo URI] [-json] DIR
//	conformance -scenarios FILE [-mode MODE] [-store …] [-json]
//
// DIR is searched for SCXML documents. One with a script beside it (the same name
// with .json) is sent the events of the script and must stand in the
// configurations that the script names. One without judges itself: it must end in
// a final state with the id pass; time goes on as far as its timers need. A
// document that another one names by src is not run on its own.
//
// FILE holds behaviour scenarios: charts in text, steps and the expected result;
// see scenarios.go for the form and rewrite.go for what is written differently.
//
// The modes:
//
//	direct   steps the interpreter, in a world in memory
//	runtime  through the whole runtime and a store
//	crash    the same, and the process dies after every commit
//	twice    the same, and every event is delivered twice under one id
//
// It prints one line (with -json one object {test, result, detail}) for each test,
// result being pass, fail or unsupported, then the counts, and exits 1 if one
// failed. Time is virtual in every mode: nothing waits for a clock.
package main
