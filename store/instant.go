package store

import "time"

// FarFuture is the date of what is hidden until further notice (D11).
var FarFuture = time.Date(9999, 12, 31, 0, 0, 0, 0, time.UTC)

// earliest and latest bound every stored date.
var (
	earliest = time.Date(1970, 1, 1, 0, 0, 0, 0, time.UTC)
	latest   = time.Date(10_000, 1, 1, 0, 0, 0, 0, time.UTC)
)

// Millis truncates t to milliseconds in UTC, without a monotonic reading. Every
// time goes through it before it is written or compared (D11), so that what is
// read back is equal. The zero time stays zero.
func Millis(t time.Time) time.Time {
	if t.IsZero() {
		return time.Time{}
	}
	return time.UnixMilli(t.UnixMilli()).UTC()
}

// storable reports whether t is within the years 1970 to 9999.
func storable(t time.Time) bool { return !t.Before(earliest) && t.Before(latest) }
