package expr

import (
	"encoding/base64"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"
	"cel.dev/cel-go/common/types/traits"

	"github.com/durachart/durachart/internal/jsonvalue"
)

// toJSON converts a CEL value as S71 says.
func toJSON(v ref.Val) (any, error) { return toJSONAt(v, 0) }

func toJSONAt(v ref.Val, depth int) (any, error) {
	switch v := v.(type) {
	case types.Bool:
		return bool(v), nil
	case types.Int:
		return int64(v), nil
	case types.Uint:
		if v > math.MaxInt64 {
			return nil, fmt.Errorf("integer %d is beyond int64", uint64(v))
		}
		return int64(v), nil
	case types.Double:
		if math.IsNaN(float64(v)) || math.IsInf(float64(v), 0) {
			return nil, fmt.Errorf("float %v is not finite", float64(v))
		}
		return float64(v), nil
	case types.String:
		if !utf8.ValidString(string(v)) {
			return nil, jsonvalue.ErrText
		}
		return string(v), nil
	case types.Null:
		return nil, nil
	case types.Bytes:
		return base64.StdEncoding.EncodeToString([]byte(v)), nil
	case types.Timestamp:
		return v.UTC().Format(time.RFC3339Nano), nil
	case types.Duration:
		return durationText(v.Duration), nil
	case eventValue:
		return toJSONAt(v.object(), depth)
	case traits.Mapper:
		return mapToJSON(v, depth)
	case traits.Lister:
		return listToJSON(v, depth)
	}
	return nil, fmt.Errorf("a value of type %s cannot be stored", v.Type().TypeName())
}

func mapToJSON(m traits.Mapper, depth int) (any, error) {
	if depth == jsonvalue.MaxDepth {
		return nil, jsonvalue.ErrDepth
	}
	if s, ok := m.(*sortedMap); ok {
		m = s.Mapper
	}
	// What came from the variables is a JSON value as it is.
	if raw, ok := m.Value().(map[string]any); ok && jsonvalue.Check(raw, depth) == nil {
		return raw, nil
	}
	out := make(map[string]any, m.Size().(types.Int))
	for it := m.Iterator(); it.HasNext() == types.True; {
		k := it.Next()
		key, ok := k.(types.String)
		if !ok {
			return nil, fmt.Errorf("key %v is not a text", k.Value())
		}
		if strings.IndexByte(string(key), 0) >= 0 {
			return nil, jsonvalue.ErrKey
		}
		if !utf8.ValidString(string(key)) {
			return nil, jsonvalue.ErrText
		}
		v, err := toJSONAt(m.Get(key), depth+1)
		if err != nil {
			return nil, err
		}
		out[string(key)] = v
	}
	return out, nil
}

func listToJSON(l traits.Lister, depth int) (any, error) {
	if depth == jsonvalue.MaxDepth {
		return nil, jsonvalue.ErrDepth
	}
	if raw, ok := l.Value().([]any); ok && jsonvalue.Check(raw, depth) == nil {
		return raw, nil
	}
	n := l.Size().(types.Int)
	out := make([]any, n)
	for i := range n {
		v, err := toJSONAt(l.Get(i), depth+1)
		if err != nil {
			return nil, err
		}
		out[i] = v
	}
	return out, nil
}

// durationText writes whole and fractional seconds: 90s, 1.5s, -0.000000001s.
func durationText(d time.Duration) string {
	sign := ""
	n := uint64(d)
	if d < 0 {
		sign, n = "-", -n
	}
	text := sign + strconv.FormatUint(n/1e9, 10)
	if frac := n % 1e9; frac != 0 {
		text += "." + strings.TrimRight(fmt.Sprintf("%09d", frac), "0")
	}
	return text + "s"
}
