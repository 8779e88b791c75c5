package execution

import (
	"math"
	"strconv"
	"strings"
	"time"
)

// maxMillis keeps computed times far from the ends of int64.
const maxMillis = math.MaxInt64 / 4

// millis reads a duration from the context: seconds as an integer or float, or
// an integer text with ms, s, m, h or d (S48). Parts of a millisecond are rounded
// up: a timer is never early.
func millis(v any) (int64, bool) {
	switch v := v.(type) {
	case int64:
		return scale(v, 1000)
	case float64:
		ms := math.Ceil(v * 1000)
		if v < 0 || ms > maxMillis {
			return 0, false
		}
		return int64(ms), true
	case string:
		return durationText(v)
	}
	return 0, false
}

var units = []struct {
	suffix string
	millis int64
}{{"ms", 1}, {"s", 1000}, {"m", 60_000}, {"h", 3_600_000}, {"d", 86_400_000}, {"", 1000}}

func durationText(text string) (int64, bool) {
	for _, u := range units {
		digits, ok := strings.CutSuffix(text, u.suffix)
		if !ok {
			continue
		}
		n, err := strconv.ParseInt(digits, 10, 64)
		if err != nil || digits[0] == '+' || digits[0] == '-' {
			return 0, false
		}
		return scale(n, u.millis)
	}
	return 0, false
}

func scale(n, unit int64) (int64, bool) {
	if n < 0 || n > maxMillis/unit {
		return 0, false
	}
	return n * unit, true
}

// instant reads a time from the context: RFC 3339 text, or integer milliseconds
// since 1970.
func instant(v any) (int64, bool) {
	switch v := v.(type) {
	case int64:
		return v, v >= 0 && v <= maxMillis
	case string:
		t, err := time.Parse(time.RFC3339Nano, v)
		if err != nil {
			return 0, false
		}
		ms := t.UnixMilli()
		if t.Nanosecond()%1e6 != 0 {
			ms++ // never early
		}
		return ms, true
	}
	return 0, false
}
