package jsonvalue

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Of converts a Go value into a value, checked as S20 says. Values, Go integers
// and floats, [json.Number], and maps and lists of them are converted directly;
// everything else as encoding/json writes it, except that a Go float stays a
// float even when it is whole. The result shares no map or list with v.
func Of(v any) (any, error) { return of(v, 0) }

// ObjectOf is [Of] for what must become an object; nil becomes an empty one.
func ObjectOf(v any) (map[string]any, error) {
	if v == nil {
		return map[string]any{}, nil
	}
	out, err := Of(v)
	if err != nil {
		return nil, err
	}
	switch m := out.(type) {
	case map[string]any:
		return m, nil
	case nil: // a nil pointer or map of some type
		return map[string]any{}, nil
	}
	return nil, invalid(ErrType, "want an object, got "+TypeName(out))
}

func of(v any, depth int) (any, error) {
	switch v := v.(type) {
	case nil, bool, int64:
		return v, nil
	case string:
		if !utf8.ValidString(v) {
			return nil, invalid(ErrText, strconv.Quote(v))
		}
		return v, nil
	case float64:
		return finite(v)
	case float32:
		// As encoding/json: the shortest decimal that gives this float32.
		f, _ := strconv.ParseFloat(strconv.FormatFloat(float64(v), 'g', -1, 32), 64)
		return finite(f)
	case int:
		return int64(v), nil
	case int8:
		return int64(v), nil
	case int16:
		return int64(v), nil
	case int32:
		return int64(v), nil
	case uint8:
		return int64(v), nil
	case uint16:
		return int64(v), nil
	case uint32:
		return int64(v), nil
	case uint:
		return unsigned(uint64(v))
	case uint64:
		return unsigned(v)
	case json.Number:
		return number(v)
	case map[string]any:
		return ofMap(v, depth)
	case []any:
		return ofList(v, depth)
	}
	return ofGo(v, depth)
}

func finite(f float64) (any, error) {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return nil, invalid(ErrNumber, strconv.FormatFloat(f, 'g', -1, 64))
	}
	return f, nil
}

func unsigned(u uint64) (any, error) {
	if u > math.MaxInt64 {
		return nil, invalid(ErrNumber, strconv.FormatUint(u, 10))
	}
	return int64(u), nil
}

func number(n json.Number) (any, error) {
	v, err := Decode([]byte(n))
	if err != nil {
		return nil, err
	}
	switch v.(type) {
	case int64, float64:
		return v, nil
	}
	return nil, invalid(ErrSyntax, "json.Number "+strconv.Quote(string(n)))
}

func ofMap(m map[string]any, depth int) (any, error) {
	if m == nil {
		return nil, nil
	}
	if depth == MaxDepth {
		return nil, invalid(ErrDepth, "")
	}
	out := make(map[string]any, len(m))
	for k, e := range m {
		if strings.IndexByte(k, 0) >= 0 {
			return nil, invalid(ErrKey, "")
		}
		if !utf8.ValidString(k) {
			return nil, invalid(ErrText, strconv.Quote(k))
		}
		v, err := of(e, depth+1)
		if err != nil {
			return nil, err
		}
		out[k] = v
	}
	return out, nil
}

func ofList(list []any, depth int) (any, error) {
	if list == nil {
		return nil, nil
	}
	if depth == MaxDepth {
		return nil, invalid(ErrDepth, "")
	}
	out := make([]any, len(list))
	for i, e := range list {
		v, err := of(e, depth+1)
		if err != nil {
			return nil, err
		}
		out[i] = v
	}
	return out, nil
}

// ofGo converts by way of encoding/json.
func ofGo(v any, depth int) (any, error) {
	data, err := json.Marshal(v)
	if err != nil {
		return nil, invalid(ErrType, fmt.Sprintf("%T: %v", v, err))
	}
	// encoding/json writes bytes that are not UTF-8 as this escape, and a real
	// U+FFFD as itself.
	if bytes.Contains(data, []byte(`\ufffd`)) && hasBadText(reflect.ValueOf(v), 0) {
		return nil, invalid(ErrText, fmt.Sprintf("in %T", v))
	}
	r := NewReader(data)
	out := r.value(depth)
	if err := r.End(); err != nil {
		e := *err.(*Error)
		e.Offset = -1 // of no use to someone who gave a Go value
		return nil, &e
	}
	return keepFloats(reflect.ValueOf(v), out), nil
}

// Into decodes v into the Go value that dst points to, as encoding/json does.
func Into(v any, dst any) error {
	data, err := Encode(v)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(data, dst); err != nil {
		return invalid(ErrType, err.Error())
	}
	return nil
}
