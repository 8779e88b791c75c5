package actor

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

// D12: the server's time goes on with the monotonic clock; a given clock replaces
// it altogether.
func TestClock(t *testing.T) {
	var c clock
	c.set(time.Now().Add(-time.Hour))
	assert.WithinDuration(t, time.Now().Add(-time.Hour), c.now(), time.Minute)

	then := time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC)
	c.given = func() time.Time { return then }
	assert.Equal(t, then, c.now())
}
