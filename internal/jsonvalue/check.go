package jsonvalue

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Check reports whether v is a value, depth levels below the top: what Append
// would refuse there, without encoding it. It allocates nothing.
func Check(v any, depth int) error {
	switch v := v.(type) {
	case nil, bool, int64:
		return nil
	case float64:
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return invalid(ErrNumber, strconv.FormatFloat(v, 'g', -1, 64))
		}
		return nil
	case string:
		return checkText(v)
	case []any:
		if depth >= MaxDepth {
			return invalid(ErrDepth, "")
		}
		for _, e := range v {
			if err := Check(e, depth+1); err != nil {
				return err
			}
		}
		return nil
	case map[string]any:
		if depth >= MaxDepth {
			return invalid(ErrDepth, "")
		}
		for k, e := range v {
			if strings.IndexByte(k, 0) >= 0 {
				return invalid(ErrKey, "")
			}
			if err := checkText(k); err != nil {
				return err
			}
			if err := Check(e, depth+1); err != nil {
				return err
			}
		}
		return nil
	}
	return invalid(ErrType, fmt.Sprintf("%T", v))
}

func checkText(s string) error {
	if !utf8.ValidString(s) {
		return invalid(ErrText, strconv.Quote(s))
	}
	return nil
}
