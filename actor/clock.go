package actor

import (
	"sync/atomic"
	"time"
)

// clock is the server's time as a lower bound (D12): what the server's clock said
// in its last reply, plus the monotonic time since that reply arrived. Nothing
// that is compared with it happens early.
type clock struct {
	given func() time.Time // Config.Clock, or nil
	last  atomic.Pointer[reading]
}

type reading struct{ server, local time.Time }

// set takes a server time whose reply has just arrived.
func (c *clock) set(server time.Time) { c.last.Store(&reading{server, time.Now()}) }

// now is the server's time; before the first reply, that of this machine.
func (c *clock) now() time.Time {
	if c.given != nil {
		return c.given()
	}
	r := c.last.Load()
	if r == nil {
		return time.Now()
	}
	return r.server.Add(time.Since(r.local))
}
