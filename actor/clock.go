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

// set takes a server time whose reply has just arrived. Of two lower bounds the
// later one is the better one, so the clock does not go back: not by the rounding of
// a reply, and not by its time on the way. Only a server that was set back is
// followed.
func (c *clock) set(server time.Time) {
	now := c.now()
	if back := now.Sub(server); c.last.Load() != nil && back > 0 && back < maxLate {
		server = now
	}
	c.last.Store(&reading{server, time.Now()})
}

// maxLate is how much later a reply may arrive than an earlier one did.
const maxLate = 10 * time.Second

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
