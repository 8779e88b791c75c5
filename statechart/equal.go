package statechart

import (
	"maps"
	"reflect"
	"slices"
)

// Equal reports whether c and o are the same chart, positions and findings aside:
// the same declarations, states, transitions and actions in the same order, and
// the same version. Of the charts that they invoke it compares name and version,
// and all of inline ones.
func (c *Chart) Equal(o *Chart) bool {
	if c == nil || o == nil {
		return c == o
	}
	return c.name == o.name && c.version == o.version && c.profile == o.profile && c.doc == o.doc &&
		maps.Equal(c.handlers, o.handlers) &&
		same(reflect.ValueOf(c.events), reflect.ValueOf(o.events)) &&
		same(reflect.ValueOf(c.guards), reflect.ValueOf(o.guards)) &&
		slices.EqualFunc(c.states, o.states, (*State).same)
}

// same compares all exported fields of two states.
func (s *State) same(o *State) bool {
	return sameFields(reflect.ValueOf(s).Elem(), reflect.ValueOf(o).Elem())
}

// same compares two values of the model. It goes by the types of the fields, so
// that a field that is added is compared too.
func same(a, b reflect.Value) bool {
	if a.Kind() != b.Kind() {
		return false
	}
	switch a.Kind() {
	case reflect.Pointer:
		return samePointer(a, b)
	case reflect.Interface:
		if a.IsNil() || b.IsNil() {
			return a.IsNil() && b.IsNil()
		}
		return a.Elem().Type() == b.Elem().Type() && same(a.Elem(), b.Elem())
	case reflect.Slice:
		if a.Len() != b.Len() {
			return false
		}
		for i := range a.Len() {
			if !same(a.Index(i), b.Index(i)) {
				return false
			}
		}
		return true
	case reflect.Struct:
		return sameFields(a, b)
	default:
		return a.Equal(b)
	}
}

// samePointer compares what is pointed to. States are compared by path: they
// point at each other, and each is compared in full once.
func samePointer(a, b reflect.Value) bool {
	if a.IsNil() || b.IsNil() {
		return a.IsNil() && b.IsNil()
	}
	switch x := a.Interface().(type) {
	case *State:
		return x.Path == b.Interface().(*State).Path
	case *Chart:
		return x.Equal(b.Interface().(*Chart))
	}
	return same(a.Elem(), b.Elem())
}

func sameFields(a, b reflect.Value) bool {
	for i := range a.NumField() {
		f := a.Type().Field(i)
		if !f.IsExported() || f.Type == reflect.TypeFor[Pos]() {
			continue
		}
		if f.Type == reflect.TypeFor[Ref]() {
			continue // kept as written; the state it means is compared
		}
		if !same(a.Field(i), b.Field(i)) {
			return false
		}
	}
	return true
}
