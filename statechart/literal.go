package statechart

import (
	"fmt"
	"math"
	"reflect"
	"strings"
	"unicode/utf8"
)

// literal returns v as a literal of the text language: bool, int64, float64,
// string, or []any of those. It reports false for anything else, infinities and
// NaN included: no text could say them.
func literal(v any) (any, bool) {
	switch x := v.(type) {
	case bool, int64:
		return x, true
	case string:
		return x, utf8.ValidString(x)
	case nil:
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

func notALiteral(what string) string {
	return fmt.Sprintf("the value of %q must be a text, a number, a boolean or a list of those", what)
}

// inputPairs reads the variadic form of inputs: key, value, key, value, …
func inputPairs(name string, kv []any) ([]Input, []string) {
	var (
		ins    []Input
		faults []string
	)
	for i := 0; i < len(kv); i += 2 {
		key, ok := kv[i].(string)
		if !ok {
			faults = append(faults, fmt.Sprintf("input %d of %q must begin with its key, a text", i/2+1, name))
			continue
		}
		if i+1 == len(kv) {
			faults = append(faults, fmt.Sprintf("input %q of %q has no value", key, name))
			break
		}
		v, ok := literal(kv[i+1])
		if !ok {
			faults = append(faults, notALiteral(key))
			continue
		}
		ins = append(ins, Input{Key: key, Value: v})
	}
	return ins, faults
}

// splitPath splits names that are joined by ".".
func splitPath(path string) []string { return strings.Split(path, ".") }
