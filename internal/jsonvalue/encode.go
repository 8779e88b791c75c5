package jsonvalue

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Append appends the canonical form (S84) of v to dst. It fails, matching
// [ErrInvalid], if v is not a value; dst is then returned as it was. Values that
// came from this package never fail.
func Append(dst []byte, v any) ([]byte, error) {
	out, err := appendValue(dst, v, 0)
	if err != nil {
		return dst, err
	}
	return out, nil
}

// Encode is [Append] to a new slice.
func Encode(v any) ([]byte, error) { return Append(nil, v) }

func appendValue(dst []byte, v any, depth int) ([]byte, error) {
	switch v := v.(type) {
	case nil:
		return append(dst, "null"...), nil
	case bool:
		return strconv.AppendBool(dst, v), nil
	case int64:
		return strconv.AppendInt(dst, v, 10), nil
	case float64:
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return dst, invalid(ErrNumber, strconv.FormatFloat(v, 'g', -1, 64))
		}
		return AppendFloat(dst, v), nil
	case string:
		return appendChecked(dst, v)
	case []any:
		return appendArray(dst, v, depth)
	case map[string]any:
		return appendObject(dst, v, depth)
	}
	return dst, invalid(ErrType, fmt.Sprintf("%T", v))
}

func appendArray(dst []byte, list []any, depth int) ([]byte, error) {
	if depth == MaxDepth {
		return dst, invalid(ErrDepth, "")
	}
	dst = append(dst, '[')
	for i, v := range list {
		if i > 0 {
			dst = append(dst, ',')
		}
		var err error
		if dst, err = appendValue(dst, v, depth+1); err != nil {
			return dst, err
		}
	}
	return append(dst, ']'), nil
}

type member struct {
	key   string
	value any
}

func appendObject(dst []byte, m map[string]any, depth int) ([]byte, error) {
	if depth == MaxDepth {
		return dst, invalid(ErrDepth, "")
	}
	var small [12]member
	dst = append(dst, '{')
	for i, e := range sorted(m, small[:0]) {
		if i > 0 {
			dst = append(dst, ',')
		}
		var err error
		if strings.IndexByte(e.key, 0) >= 0 {
			return dst, invalid(ErrKey, "")
		}
		if dst, err = appendChecked(dst, e.key); err != nil {
			return dst, err
		}
		dst = append(dst, ':')
		if dst, err = appendValue(dst, e.value, depth+1); err != nil {
			return dst, err
		}
	}
	return append(dst, '}'), nil
}

// sorted returns the members of m in bytewise key order, in buf if they fit.
func sorted(m map[string]any, buf []member) []member {
	if len(m) > cap(buf) {
		buf = make([]member, 0, len(m))
	}
	for k, v := range m {
		buf = append(buf, member{k, v})
	}
	if len(buf) > 12 {
		slices.SortFunc(buf, func(a, b member) int { return strings.Compare(a.key, b.key) })
		return buf
	}
	for i := 1; i < len(buf); i++ {
		for j := i; j > 0 && buf[j].key < buf[j-1].key; j-- {
			buf[j], buf[j-1] = buf[j-1], buf[j]
		}
	}
	return buf
}

// AppendFloat appends a finite float as encoding/json writes it, plus ".0" if
// that has neither '.' nor 'e', so that it is read as a float again (S84).
func AppendFloat(dst []byte, f float64) []byte {
	start := len(dst)
	format := byte('f')
	if abs := math.Abs(f); abs != 0 && (abs < 1e-6 || abs >= 1e21) {
		format = 'e'
	}
	dst = strconv.AppendFloat(dst, f, format, -1, 64)
	if format == 'e' {
		// As encoding/json: e-09 becomes e-9.
		if n := len(dst); n >= 4 && dst[n-4] == 'e' && dst[n-3] == '-' && dst[n-2] == '0' {
			dst[n-2] = dst[n-1]
			dst = dst[:n-1]
		}
		return dst
	}
	if bytes.IndexByte(dst[start:], '.') < 0 {
		dst = append(dst, '.', '0')
	}
	return dst
}

func appendChecked(dst []byte, s string) ([]byte, error) {
	start := len(dst)
	dst = append(dst, '"')
	from := 0
	ascii := true
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c >= ' ' && c != '"' && c != '\\' {
			if c >= utf8.RuneSelf {
				ascii = false
			}
			continue
		}
		dst = append(dst, s[from:i]...)
		dst = appendEscape(dst, c)
		from = i + 1
	}
	if !ascii && !utf8.ValidString(s) {
		return dst[:start], invalid(ErrText, strconv.Quote(s))
	}
	dst = append(dst, s[from:]...)
	return append(dst, '"'), nil
}

const hexDigits = "0123456789abcdef"

func appendEscape(dst []byte, c byte) []byte {
	switch c {
	case '"', '\\':
		return append(dst, '\\', c)
	case '\n':
		return append(dst, '\\', 'n')
	case '\r':
		return append(dst, '\\', 'r')
	case '\t':
		return append(dst, '\\', 't')
	}
	return append(dst, '\\', 'u', '0', '0', hexDigits[c>>4], hexDigits[c&15])
}

// AppendText appends s as a canonical JSON text. Bytes that are not UTF-8 become
// U+FFFD: it is for messages and keys that were checked before.
func AppendText(dst []byte, s string) []byte {
	out, err := appendChecked(dst, s)
	if err != nil {
		out, _ = appendChecked(dst, strings.ToValidUTF8(s, "\uFFFD"))
	}
	return out
}
