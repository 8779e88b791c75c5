package actor

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
)

// D12: the clock is that of the server as far as replies tell, it runs, and it does
// not go back when a reply was slow or rounded.
func TestTheClockIsALowerBoundOfTheServers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var c clock
		assert.Equal(t, time.Now(), c.now(), "before the first reply")
		server := time.Date(2040, 1, 1, 0, 0, 0, 0, time.UTC)
		c.set(server)
		time.Sleep(time.Minute)
		assert.Equal(t, server.Add(time.Minute), c.now())
		c.set(server.Add(time.Minute - 300*time.Millisecond)) // it was 300 ms on the way
		assert.Equal(t, server.Add(time.Minute), c.now())
		c.set(server.Add(time.Minute + time.Second)) // the one before was late
		assert.Equal(t, server.Add(time.Minute+time.Second), c.now())
		c.set(server) // somebody has set the server back
		assert.Equal(t, server, c.now())
	})
}
