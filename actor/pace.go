package actor

import (
	"sync/atomic"
	"time"
)

// pace is how long a commit takes lately: the measure of rests after conflicts.
type pace struct{ nanos atomic.Int64 }

// took takes a sample into the moving average.
func (p *pace) took(d time.Duration) {
	old := p.nanos.Load()
	p.nanos.Store(old + (int64(d)-old)/8)
}

// typical is the average, at least 1 ms: less is not worth a timer.
func (p *pace) typical() time.Duration {
	return max(time.Millisecond, time.Duration(p.nanos.Load()))
}

// maxPause bounds a rest after a conflict.
const maxPause = time.Second
