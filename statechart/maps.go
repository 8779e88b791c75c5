package statechart

import (
	"iter"
	"maps"
	"slices"
)

// sortedKeys visits the keys of m in bytewise order: what is printed and reported
// must not depend on the order of a map.
func sortedKeys[V any](m map[string]V) iter.Seq[string] {
	return slices.Values(slices.Sorted(maps.Keys(m)))
}
