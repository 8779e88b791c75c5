package expr

import (
	"slices"
	"strings"

	"cel.dev/cel-go/cel"
	"cel.dev/cel-go/common"
	"cel.dev/cel-go/common/ast"
	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"
	"cel.dev/cel-go/common/types/traits"
	"cel.dev/cel-go/parser"
)

// CEL leaves the order in which a comprehension visits a map to the
// implementation, and cel-go uses Go's random one. A step must not depend on it
// (S22): every comprehension macro is wrapped so that its range goes through the
// function below, which gives maps in key order and everything else unchanged.
// The macros are the only way to write a comprehension.
const sortedFunction = "@sorted"

func sortedFunctionOption() cel.EnvOption {
	t := cel.TypeParamType("T")
	return cel.Function(sortedFunction,
		cel.Overload("sorted_range", []*cel.Type{t}, t, cel.UnaryBinding(sorted)))
}

var comprehensionMacros = map[string]bool{
	"all": true, "exists": true, "exists_one": true, "existsOne": true, "map": true, "filter": true,
	"transformList": true, "transformMap": true, "transformMapEntry": true,
}

// overSorted wraps those of macros that are comprehensions.
func overSorted(macros []cel.Macro) []cel.Macro {
	var out []cel.Macro
	for _, m := range macros {
		if m.IsReceiverStyle() && comprehensionMacros[m.Function()] {
			expand := m.Expander()
			m = cel.ReceiverMacro(m.Function(), m.ArgCount(),
				func(h parser.ExprHelper, target ast.Expr, args []ast.Expr) (ast.Expr, *common.Error) {
					return expand(h, h.NewCall(sortedFunction, target), args)
				})
		}
		out = append(out, m)
	}
	return out
}

func sorted(v ref.Val) ref.Val {
	if m, ok := v.(traits.Mapper); ok && m.Size().(types.Int) > 1 {
		return &sortedMap{Mapper: m}
	}
	return v
}

// sortedMap is a map that is visited in key order.
type sortedMap struct{ traits.Mapper }

// keys returns the keys: texts in bytewise order, then the others.
func (m *sortedMap) keys() []ref.Val {
	keys := make([]ref.Val, 0, m.Size().(types.Int))
	for it := m.Mapper.Iterator(); it.HasNext() == types.True; {
		keys = append(keys, it.Next())
	}
	slices.SortFunc(keys, compareKeys)
	return keys
}

func compareKeys(a, b ref.Val) int {
	x, okA := a.(types.String)
	y, okB := b.(types.String)
	switch {
	case okA && okB:
		return strings.Compare(string(x), string(y))
	case okA:
		return -1
	case okB:
		return 1
	}
	if c, ok := a.(traits.Comparer); ok {
		if order, ok := c.Compare(b).(types.Int); ok {
			return int(order)
		}
	}
	return strings.Compare(a.Type().TypeName(), b.Type().TypeName())
}

// Fold implements traits.Foldable.
func (m *sortedMap) Fold(f traits.Folder) {
	for _, key := range m.keys() {
		v, _ := m.Find(key)
		if !f.FoldEntry(key, v) {
			return
		}
	}
}

// Iterator implements traits.Iterable.
func (m *sortedMap) Iterator() traits.Iterator {
	return types.DefaultTypeAdapter.NativeToValue(m.keys()).(traits.Lister).Iterator()
}
