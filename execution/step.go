package execution

import (
	"errors"
	"time"

	"github.com/durachart/durachart/statechart"
)

// Step runs one step: all that event causes in the execution until nothing is
// left to do (S22, S23).
//
// chart must be the one of the snapshot, by name and version. now is cut to
// milliseconds. A nil host has no handlers. The Result shares memory with the
// arguments; change none of them. For the errors see the package documentation.
func Step(chart *statechart.Chart, s *Snapshot, event Event, now time.Time, host *Host) (Result, error) {
	return Result{}, errors.ErrUnsupported
}
