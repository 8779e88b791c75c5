package jsonvalue

import (
	"math"
	"strconv"
	"strings"
)

// Equal reports whether a and b are equal as a predicate sees them (S69): numbers
// by value whether integer or float, texts by bytes, lists and objects by their
// members; values of unlike types are unequal.
func Equal(a, b any) bool { return equal(a, b, true) }

// Identical reports whether a and b have the same canonical form: unlike [Equal]
// it tells 1 from 1.0.
func Identical(a, b any) bool { return equal(a, b, false) }

func equal(a, b any, mixNumbers bool) bool {
	switch a := a.(type) {
	case nil:
		return b == nil
	case bool:
		b, ok := b.(bool)
		return ok && a == b
	case string:
		b, ok := b.(string)
		return ok && a == b
	case int64, float64:
		if mixNumbers {
			c, ok := Compare(a, b)
			return ok && c == 0
		}
		if x, ok := a.(float64); ok {
			y, ok := b.(float64)
			return ok && math.Float64bits(x) == math.Float64bits(y)
		}
		return a == b
	case []any:
		b, ok := b.([]any)
		if !ok || len(a) != len(b) {
			return false
		}
		for i := range a {
			if !equal(a[i], b[i], mixNumbers) {
				return false
			}
		}
		return true
	case map[string]any:
		b, ok := b.(map[string]any)
		if !ok || len(a) != len(b) {
			return false
		}
		for k, x := range a {
			if y, ok := b[k]; !ok || !equal(x, y, mixNumbers) {
				return false
			}
		}
		return true
	}
	return false
}

// Compare orders numbers by value and texts by bytes. ok is false for values
// that have no order: unlike types, and booleans, nulls, lists and objects.
func Compare(a, b any) (order int, ok bool) {
	switch x := a.(type) {
	case string:
		if y, ok := b.(string); ok {
			return strings.Compare(x, y), true
		}
	case int64:
		switch y := b.(type) {
		case int64:
			return cmp(x, y), true
		case float64:
			return compareIntFloat(x, y), true
		}
	case float64:
		switch y := b.(type) {
		case float64:
			return cmp(x, y), true
		case int64:
			return -compareIntFloat(y, x), true
		}
	}
	return 0, false
}

func cmp[T int64 | float64](x, y T) int {
	switch {
	case x < y:
		return -1
	case x > y:
		return 1
	}
	return 0
}

// compareIntFloat compares exactly, also where float64 has no room for the
// integer (above 2^53). f is finite.
func compareIntFloat(i int64, f float64) int {
	switch {
	case f >= 1<<63:
		return -1
	case f < -1<<63:
		return 1
	}
	whole := math.Trunc(f)
	if c := cmp(i, int64(whole)); c != 0 {
		return c
	}
	return cmp(whole, f)
}

// In reports whether x is an element of the list v, by [Equal], or a part of the
// text v (S69). With any other v it is false.
func In(x, v any) bool {
	switch v := v.(type) {
	case []any:
		for _, e := range v {
			if Equal(x, e) {
				return true
			}
		}
	case string:
		s, ok := x.(string)
		return ok && strings.Contains(v, s)
	}
	return false
}

// Text returns the text form of a scalar that a choice compares (S12): true,
// false, numbers as in S84, texts as they are. ok is false for other values.
func Text(v any) (text string, ok bool) {
	switch v := v.(type) {
	case bool:
		return strconv.FormatBool(v), true
	case int64:
		return strconv.FormatInt(v, 10), true
	case float64:
		return string(AppendFloat(nil, v)), true
	case string:
		return v, true
	}
	return "", false
}

// TypeName names the type of v for messages.
func TypeName(v any) string {
	switch v.(type) {
	case nil:
		return "null"
	case bool:
		return "a boolean"
	case int64:
		return "an integer"
	case float64:
		return "a float"
	case string:
		return "a text"
	case []any:
		return "a list"
	case map[string]any:
		return "an object"
	}
	return "no JSON value"
}
