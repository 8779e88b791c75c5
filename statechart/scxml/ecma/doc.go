// Package ecma reads the simple ECMAScript expressions that people write in the
// conditions and assignments of SCXML documents and writes them as CEL.
//
// It takes literals, arrays, objects, variables, member access, comparison,
// arithmetic, logic, the conditional operator, typeof, _event, In() and a few
// methods (length, indexOf, concat, Math.pow with a literal exponent). What is no
// expression at all is [ErrSyntax]: a processor meets it at run time, as the
// Recommendation wants (section 5.9). What is valid ECMAScript beyond this subset
// is [ErrUnsupported].
//
// The package is not an ECMAScript engine. Numbers are those of CEL: whole ones
// stay whole, and mixing whole and fractional operands of + - * is a run-time
// error there.
package ecma
