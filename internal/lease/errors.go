package lease

import "errors"

var (
	// ErrInvalidConfig reports a Config that New refuses; the text names every
	// field that is wrong.
	ErrInvalidConfig = errors.New("lease: invalid config")
	// ErrRunning reports a second call of Run.
	ErrRunning = errors.New("lease: run may be called once")
	// ErrEnded reports that Run is over, and that what was waited for cannot come.
	ErrEnded = errors.New("lease: run is over")
)
