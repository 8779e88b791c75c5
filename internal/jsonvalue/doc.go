// Package jsonvalue holds JSON values as Go values and is the one place that
// decides which bytes and which Go values are JSON values of durachart (S20)
// and how they are written (S84).
//
// A value is nil, bool, int64, float64, string, []any or map[string]any, nested
// at most [MaxDepth] deep; texts are valid UTF-8, floats finite, keys free of
// NUL. A number written without '.', 'e' and 'E' is an int64, any other a
// float64, and each stays what it is through [Decode], [Append] and [Of].
//
// Use [Decode] for bytes from outside, [Of] for Go values from outside, [Append]
// and [Canonical] for what is stored or compared, [Reader] to read records whose
// fields are known without building maps. Functions on values ([Get], [With],
// [Equal], [Compare], [In]) expect values that came from one of these.
//
// Values are shared freely and are read-only by convention: nothing here changes
// an argument but [Set], which says so. All functions are safe for concurrent
// use; a Reader belongs to one goroutine.
//
// The package is not a general JSON library: it has no options, no streaming and
// no struct tags of its own (structs go through encoding/json).
package jsonvalue
