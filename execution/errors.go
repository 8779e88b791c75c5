package execution

import (
	"errors"
	"fmt"
	"strings"
	"time"
)

// Errors that callers act on. After each of them nothing has happened.
var (
	// ErrInvalidSnapshot reports a snapshot that is damaged, or of a newer format.
	ErrInvalidSnapshot = errors.New("execution: invalid snapshot")
	// ErrInvalidChart reports that the chart is not the one of the snapshot, or
	// lacks states that the snapshot names. See ChartError.
	ErrInvalidChart = errors.New("execution: chart does not fit the snapshot")
	// ErrInvalidEvent reports an event with a malformed or reserved name, with
	// data that is no JSON object as S20 wants it, or a system event that is
	// unknown or malformed.
	ErrInvalidEvent = errors.New("execution: invalid event")
	// ErrRetry reports that an action returned a transient error and has attempts
	// left: repeat the same step later. See RetryError.
	ErrRetry = errors.New("execution: action asks to be tried again")
	// ErrNoReceiver is what [Scope.Send] returns when there is no parent to send
	// to. An action that returns it raises error.communication.
	ErrNoReceiver = errors.New("execution: no receiver")
)

// ChartError is ErrInvalidChart with what does not fit.
type ChartError struct {
	Chart, Version string   // of the snapshot
	Given          string   // name@version of the chart that was given, if it is another one
	Missing        []string // states that the snapshot names and the chart lacks
}

func (e *ChartError) Error() string {
	if e.Given != "" {
		return fmt.Sprintf("%v: it is of %s@%s, given %s", ErrInvalidChart, e.Chart, e.Version, e.Given)
	}
	return fmt.Sprintf("%v: %s@%s has no state %s", ErrInvalidChart, e.Chart, e.Version, strings.Join(e.Missing, ", "))
}

// Is matches ErrInvalidChart.
func (e *ChartError) Is(target error) bool { return target == ErrInvalidChart }

// RetryError is ErrRetry with the action that asked for it (S44).
type RetryError struct {
	Action  string // handler name
	Key     string // its idempotency key, the same in the next attempt
	Attempt int    // how many attempts were made, this one included
	Policy  RetryPolicy
	Err     error // what the action returned
}

func (e *RetryError) Error() string {
	return fmt.Sprintf("%v: %s (attempt %d of %d): %v", ErrRetry, e.Action, e.Attempt, e.Policy.Attempts, e.Err)
}

// Is matches ErrRetry.
func (e *RetryError) Is(target error) bool { return target == ErrRetry }

func (e *RetryError) Unwrap() error { return e.Err }

// Delay is how long to wait before the next attempt. The caller adds the jitter:
// there is no randomness here.
func (e *RetryError) Delay() time.Duration { return e.Policy.delay(e.Attempt) }

func invalidEvent(e Event, format string, args ...any) error {
	return fmt.Errorf("event %q: %w: %s", e.Name, ErrInvalidEvent, fmt.Sprintf(format, args...))
}
