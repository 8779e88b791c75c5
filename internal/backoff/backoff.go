// Package backoff computes how long to wait between tries, and waits.
//
// It holds no clock and no randomness of its own: jitter is a function that the
// caller brings.
package backoff

import (
	"context"
	"time"
)

// Doubling is an interval that doubles from Min to Max while nothing is found. The
// zero position is Min. It is not safe for concurrent use.
type Doubling struct {
	Min, Max time.Duration

	next time.Duration
}

// Next returns the interval to wait now and doubles the one after it.
func (d *Doubling) Next() time.Duration {
	// The bounds may have moved since the last call, hence both comparisons.
	now := min(max(d.next, d.Min), d.Max)
	d.next = min(now*2, d.Max)
	return now
}

// Reset starts again at Min.
func (d *Doubling) Reset() { d.next = 0 }

// After returns the wait after the attempt-th failure, counted from 1:
// low × 2^(attempt−1), at most high.
func After(attempt int, low, high time.Duration) time.Duration {
	wait := low
	for range attempt - 1 {
		if wait >= high {
			break
		}
		wait *= 2
	}
	return min(wait, high)
}

// Wait returns nil after d, at once when wake is readable, or the cause of ctx's end.
// A nil wake is never readable.
func Wait(ctx context.Context, d time.Duration, wake <-chan struct{}) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-wake:
		return nil
	case <-timer.C:
		return nil
	}
}
