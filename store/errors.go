package store

import (
	"errors"
	"fmt"
)

// The sentinels. The package comment has the table from situation to sentinel.
var (
	// ErrInvalidArgument reports an argument that breaks a rule of this package;
	// the text names the field. Nothing was sent.
	ErrInvalidArgument = errors.New("store: invalid argument")
	// ErrNotFound reports that there is no such record.
	ErrNotFound = errors.New("store: not found")
	// ErrExists reports that an execution of that id exists; see ExistsError.
	ErrExists = errors.New("store: execution exists")
	// ErrEnded reports a push to an execution that has ended.
	ErrEnded = errors.New("store: execution has ended")
	// ErrConflict reports that the execution changed since it was loaded, or that
	// an event id is handled already. Load it and decide again; repeating the same
	// commit can never succeed. See ConflictError.
	ErrConflict = errors.New("store: version conflict")
	// ErrBackpressure reports that a bounded part of the record is full for the
	// moment. Wait and try again; nothing was lost.
	ErrBackpressure = errors.New("store: no room for the moment")
	// ErrTooLarge reports a value over its cap. Never retry.
	ErrTooLarge = errors.New("store: too large")
	// ErrUncertain reports a write whose reply was lost and whose fate reading back
	// did not settle. It may have happened. See UncertainError.
	ErrUncertain = errors.New("store: outcome not known")
	// ErrUnavailable reports a failure that is definite and passing: nothing was
	// written. Retry with jitter.
	ErrUnavailable = errors.New("store: unavailable")
	// ErrUnsupported reports an ability that the server, or this version of the
	// program, does not have.
	ErrUnsupported = errors.New("store: unsupported")
	// ErrMisconfigured reports what an operator must mend: credentials, a missing
	// Required index, write concern 0, another meta record.
	ErrMisconfigured = errors.New("store: misconfigured")
	// ErrLeaseLost reports that a renewal no longer holds a shard that it named.
	ErrLeaseLost = errors.New("store: lease lost")
	// ErrClosed reports use after Close.
	ErrClosed = errors.New("store: closed")
)

// ExistsError is ErrExists with what is known about the execution that is there.
type ExistsError struct {
	ID string
	// SameStart reports that the execution was made by the same start request.
	SameStart bool
}

func (e *ExistsError) Error() string { return fmt.Sprintf("create %q: %v", e.ID, ErrExists) }

// Is matches ErrExists.
func (e *ExistsError) Is(target error) bool { return target == ErrExists }

// ConflictError is ErrConflict with what was found.
type ConflictError struct {
	ID       string
	Expected int64
	Found    int64
	Seen     []string // which of the handled ids are processed already
}

func (e *ConflictError) Error() string {
	return fmt.Sprintf("commit %q: %v: expected %d, found %d, %d ids seen", e.ID, ErrConflict, e.Expected, e.Found, len(e.Seen))
}

// Is matches ErrConflict.
func (e *ConflictError) Is(target error) bool { return target == ErrConflict }

// UncertainError is ErrUncertain with its cause and what reading back found.
type UncertainError struct {
	ID    string
	Found int64
	Seen  []string
	Cause error
}

func (e *UncertainError) Error() string {
	return fmt.Sprintf("write %q: %v: %v", e.ID, ErrUncertain, e.Cause)
}

// Is matches ErrUncertain.
func (e *UncertainError) Is(target error) bool { return target == ErrUncertain }

// Unwrap returns the cause.
func (e *UncertainError) Unwrap() error { return e.Cause }

// Outcome says whether a write happened.
type Outcome int

// The three outcomes of a write (D25).
const (
	Happened Outcome = iota
	DidNotHappen
	NotKnown
)

// OutcomeOf returns the outcome of a write that returned err.
func OutcomeOf(err error) Outcome {
	switch {
	case err == nil:
		return Happened
	case errors.Is(err, ErrUncertain):
		return NotKnown
	default:
		return DidNotHappen
	}
}
