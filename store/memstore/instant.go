package memstore

import "time"

// instant is a date in milliseconds since 1970, or never. Stored dates are within
// 1970 to 9999, so no date is negative.
type instant int64

const never instant = -1

func instantOf(t time.Time) instant { return instant(t.UnixMilli()) }

// instantOr is instantOf t, or of alt where t is zero.
func instantOr(t, alt time.Time) instant {
	if t.IsZero() {
		return instantOf(alt)
	}
	return instantOf(t)
}

func (i instant) time() time.Time {
	if i == never {
		return time.Time{}
	}
	return time.UnixMilli(int64(i)).UTC()
}

func (i instant) plus(d time.Duration) instant { return i + instant(d.Milliseconds()) }

// earlier returns the earlier of two dates, of which either may be never.
func earlier(a, b instant) instant {
	if a == never || b != never && b < a {
		return b
	}
	return a
}
