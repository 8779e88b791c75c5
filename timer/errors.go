package timer

import "errors"

var (
	// ErrInvalidConfig reports a Config that New refuses; the text names every
	// field that is wrong.
	ErrInvalidConfig = errors.New("timer: invalid config")
	// ErrRunning reports a second call of Run.
	ErrRunning = errors.New("timer: run may be called once")
	// ErrNotOwned is what a fire is answered with when this process has lost the
	// shard of the execution. The timer is then forgotten here.
	ErrNotOwned = errors.New("timer: execution is not run here")
)
