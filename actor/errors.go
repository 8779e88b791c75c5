package actor

import (
	"errors"
	"fmt"

	"github.com/durachart/durachart/execution"
	"github.com/durachart/durachart/store"
)

// Errors of the store that calls of a Runtime return. They are the same values,
// so errors.Is with either name matches.
var (
	ErrNotFound        = store.ErrNotFound
	ErrExists          = store.ErrExists
	ErrEnded           = store.ErrEnded
	ErrConflict        = store.ErrConflict
	ErrBackpressure    = store.ErrBackpressure
	ErrTooLarge        = store.ErrTooLarge
	ErrUncertain       = store.ErrUncertain
	ErrUnavailable     = store.ErrUnavailable
	ErrUnsupported     = store.ErrUnsupported
	ErrMisconfigured   = store.ErrMisconfigured
	ErrInvalidArgument = store.ErrInvalidArgument
)

// Errors of the interpreter that calls of a Runtime return.
var (
	ErrInvalidEvent    = execution.ErrInvalidEvent
	ErrInvalidChart    = execution.ErrInvalidChart
	ErrInvalidSnapshot = execution.ErrInvalidSnapshot
)

// Errors of the runtime itself.
var (
	// ErrInvalidConfig reports a Config that New refuses; the text names every
	// field that is wrong.
	ErrInvalidConfig = errors.New("actor: invalid config")
	// ErrInvalidID reports an execution, event or operation id that is empty, too
	// long (200 bytes), not valid UTF-8, or holds a NUL. Nothing was written.
	ErrInvalidID = errors.New("actor: invalid id")
	// ErrUnknownChart reports a chart, or a version of it, that is not registered.
	// See UnknownChartError.
	ErrUnknownChart = errors.New("actor: unknown chart")
	// ErrInvalidState reports an operation that the status of the execution does
	// not allow. See StateError.
	ErrInvalidState = errors.New("actor: not allowed in this status")
	// ErrMailboxFull reports that as many calls wait for the execution as
	// Config.MailboxSize allows, and Config.FailWhenFull is set. Wait, try again.
	ErrMailboxFull = errors.New("actor: mailbox full")
	// ErrDraining reports that the runtime shuts down, or has. The event was
	// certainly not applied by it.
	ErrDraining = errors.New("actor: draining")
)

// UnknownChartError is ErrUnknownChart with the chart that was asked for.
type UnknownChartError struct {
	Chart   string
	Version string // empty: any
}

func (e *UnknownChartError) Error() string {
	if e.Version == "" {
		return fmt.Sprintf("%v %q", ErrUnknownChart, e.Chart)
	}
	return fmt.Sprintf("%v %q version %q", ErrUnknownChart, e.Chart, e.Version)
}

// Is matches ErrUnknownChart.
func (e *UnknownChartError) Is(target error) bool { return target == ErrUnknownChart }

// StateError is ErrInvalidState, or ErrEnded if the execution has ended, with the
// operation and the status that refused it (S75).
type StateError struct {
	ID        string
	Operation string // start, cancel, terminate, suspend, resume, set state, retry, reset
	Status    Status
	Ended     bool
}

func (e *StateError) Error() string {
	return fmt.Sprintf("%s %q: %v: %s", e.Operation, e.ID, e.sentinel(), e.Status)
}

// Is matches ErrEnded if the execution has ended, else ErrInvalidState.
func (e *StateError) Is(target error) bool { return target == e.sentinel() }

func (e *StateError) sentinel() error {
	if e.Ended {
		return ErrEnded
	}
	return ErrInvalidState
}
