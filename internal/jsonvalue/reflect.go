package jsonvalue

import (
	"encoding"
	"encoding/json"
	"reflect"
	"strings"
	"sync"
	"unicode/utf8"
)

// keepFloats makes floats again of the integers in v that encoding/json wrote
// for whole Go floats: a context field that is a float must not become an integer
// because an action touched it, since expressions tell them apart. rv is the Go
// value that v was made from; v is changed in place.
func keepFloats(rv reflect.Value, v any) any {
	if v == nil || !rv.IsValid() || !mayHoldFloats(rv.Type()) {
		return v
	}
	switch rv.Kind() {
	case reflect.Float32, reflect.Float64:
		if n, ok := v.(int64); ok {
			return float64(n)
		}
	case reflect.Pointer, reflect.Interface:
		return keepFloats(rv.Elem(), v)
	case reflect.Slice, reflect.Array:
		list, ok := v.([]any)
		for i := 0; ok && i < len(list) && i < rv.Len(); i++ {
			list[i] = keepFloats(rv.Index(i), list[i])
		}
	case reflect.Map:
		m, ok := v.(map[string]any)
		if !ok || rv.Type().Key().Kind() != reflect.String {
			break
		}
		for it := rv.MapRange(); it.Next(); {
			key := it.Key().String()
			if e, ok := m[key]; ok {
				m[key] = keepFloats(it.Value(), e)
			}
		}
	case reflect.Struct:
		m, ok := v.(map[string]any)
		if !ok {
			break
		}
		for _, f := range planOf(rv.Type()).fields {
			e, ok := m[f.name]
			if !ok {
				continue
			}
			if fv, err := rv.FieldByIndexErr(f.index); err == nil {
				m[f.name] = keepFloats(fv, e)
			}
		}
	}
	return v
}

// plan is what is known of a type: whether floats can be in it, and, of a struct,
// the fields as encoding/json names them.
type plan struct {
	floats bool
	fields []planField
}

type planField struct {
	name  string
	index []int
}

var plans sync.Map // reflect.Type -> *plan

func mayHoldFloats(t reflect.Type) bool { return planOf(t).floats }

func planOf(t reflect.Type) *plan {
	if p, ok := plans.Load(t); ok {
		return p.(*plan)
	}
	p := makePlan(t, map[reflect.Type]bool{})
	plans.Store(t, p)
	return p
}

var (
	marshaler     = reflect.TypeFor[json.Marshaler]()
	textMarshaler = reflect.TypeFor[encoding.TextMarshaler]()
)

// makePlan looks into t; open holds the types around it. Where a type contains
// itself the answer is a cautious yes.
func makePlan(t reflect.Type, open map[reflect.Type]bool) *plan {
	p := &plan{floats: open[t]}
	ptr := reflect.PointerTo(t)
	if open[t] || ptr.Implements(marshaler) || ptr.Implements(textMarshaler) {
		return p
	}
	open[t] = true
	defer delete(open, t)
	switch t.Kind() {
	case reflect.Float32, reflect.Float64, reflect.Interface:
		p.floats = true
	case reflect.Pointer, reflect.Slice, reflect.Array, reflect.Map:
		p.floats = makePlan(t.Elem(), open).floats
	case reflect.Struct:
		for _, f := range reflect.VisibleFields(t) {
			name, ok := jsonName(f)
			if !ok {
				continue
			}
			if holds := makePlan(f.Type, open).floats; holds {
				p.floats = true
				p.fields = append(p.fields, planField{name, f.Index})
			}
		}
	}
	return p
}

// jsonName returns the name under which encoding/json writes the field.
func jsonName(f reflect.StructField) (string, bool) {
	tag := f.Tag.Get("json")
	name, options, _ := strings.Cut(tag, ",")
	if tag == "-" || strings.Contains(options, "string") {
		return "", false
	}
	if f.Anonymous && name == "" {
		return "", false // its fields are visible ones of the outer struct
	}
	if !f.IsExported() {
		return "", false
	}
	if name == "" {
		name = f.Name
	}
	return name, true
}

// maxTextWalk bounds the walk of hasBadText through cyclic values, which
// encoding/json has refused before.
const maxTextWalk = 1000

// hasBadText reports whether a text in v is not valid UTF-8.
func hasBadText(v reflect.Value, depth int) bool {
	if !v.IsValid() || depth > maxTextWalk {
		return false
	}
	switch v.Kind() {
	case reflect.String:
		return !utf8.ValidString(v.String())
	case reflect.Pointer, reflect.Interface:
		return hasBadText(v.Elem(), depth+1)
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			if hasBadText(v.Index(i), depth+1) {
				return true
			}
		}
	case reflect.Map:
		for it := v.MapRange(); it.Next(); {
			if hasBadText(it.Key(), depth+1) || hasBadText(it.Value(), depth+1) {
				return true
			}
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if hasBadText(v.Field(i), depth+1) {
				return true
			}
		}
	}
	return false
}
