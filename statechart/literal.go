package statechart

import (
	"fmt"
	"math"
	"reflect"
	"strings"
	"unicode/utf8"
)

// missing stands for a value that a builder call did not give. It is no literal,
// so Build reports it.
type missing struct{}

// literal returns v as a literal of the text language: bool, int64, float64,
// string, or []any of those. It reports false for anything else, infinities and
// NaN included: no text could say them.
func literal(v any) (any, bool) {
	switch x := v.(type) {
	case bool, int64:
		return x, true
	case string:
		return x, utf8.ValidString(x)
	case nil, missing:
		return nil, false
	}
	rv := reflect.ValueOf(v)
	switch rv.Kind() {
	case reflect.Bool:
		return rv.Bool(), true
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return rv.Int(), true
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		u := rv.Uint()
		return int64(u), u <= math.MaxInt64
	case reflect.Float32, reflect.Float64:
		f := rv.Float()
		return f, !math.IsNaN(f) && !math.IsInf(f, 0)
	case reflect.String:
		return rv.String(), utf8.ValidString(rv.String())
	case reflect.Slice, reflect.Array:
		return literalList(rv)
	default:
		return nil, false
	}
}

func literalList(rv reflect.Value) (any, bool) {
	out := make([]any, rv.Len())
	for i := range out {
		v, ok := literal(rv.Index(i).Interface())
		if !ok {
			return nil, false
		}
		out[i] = v
	}
	return out, true
}

// inputPairs reads the variadic form of inputs: key, value, key, value, … What
// it cannot read it leaves for Build to report.
func inputPairs(kv []any) []Input {
	var ins []Input
	for i := 0; i < len(kv); i += 2 {
		in := Input{Value: missing{}}
		key, ok := kv[i].(string)
		if !ok {
			key = fmt.Sprint(kv[i])
		} else if i+1 < len(kv) {
			in.Value = kv[i+1]
		}
		in.Key = key
		ins = append(ins, in)
	}
	return ins
}

// splitPath splits names that are joined by ".".
func splitPath(path string) []string { return strings.Split(path, ".") }

func joinPath(path []string) string { return strings.Join(path, ".") }

// trimAll takes the ".*" off a descriptor, which means the same without.
func trimAll(descriptor string) string { return strings.TrimSuffix(descriptor, ".*") }
