package execution

import (
	"errors"
	"time"
)

// RetryPolicy says how often an action that returns a transient error is tried,
// and how long to wait in between (S44). The zero value of a field is its
// default.
type RetryPolicy struct {
	Attempts int           // all attempts together, the first included. Default 5.
	First    time.Duration // wait after the first attempt; it doubles. Default 100 ms.
	Max      time.Duration // longest wait. Default 10 s.
}

func (p RetryPolicy) withDefaults() RetryPolicy {
	if p.Attempts <= 0 {
		p.Attempts = 5
	}
	if p.First <= 0 {
		p.First = 100 * time.Millisecond
	}
	if p.Max <= 0 {
		p.Max = 10 * time.Second
	}
	return p
}

func (p RetryPolicy) delay(attempt int) time.Duration {
	d := p.First
	for i := 1; i < attempt && d < p.Max; i++ {
		d *= 2
	}
	return min(d, p.Max)
}

// Transient marks err as passing: an action that returns it is tried again with
// the whole step, as its [RetryPolicy] says. When the attempts are used up the
// error takes the usual way, with kind transient. Transient(nil) is nil.
func Transient(err error) error {
	if err == nil {
		return nil
	}
	return &transientError{err}
}

type transientError struct{ err error }

func (e *transientError) Error() string { return e.err.Error() }
func (e *transientError) Unwrap() error { return e.err }

func isTransient(err error) bool {
	var t *transientError
	return errors.As(err, &t)
}
