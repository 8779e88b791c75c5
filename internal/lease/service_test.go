package lease_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

// D63: who is alone takes everything with its first acquisition.
func TestOneProcessAloneHasAllAtOnce(t *testing.T) {
	in(t, 256, func(w *world) {
		began := time.Now()
		a := w.start("a")
		assert.NoError(w, a.First(w.Context()))
		assert.NoError(w, a.Joined(w.Context()))
		assert.Zero(w, time.Since(began))
		assert.Len(w, a.Held(), 256)
		assert.True(w, a.Holds(0) && a.Holds(255))
		assert.False(w, a.Holds(-1) || a.Holds(256))
	})
}

func TestThreeSettle(t *testing.T) {
	in(t, 256, func(w *world) {
		w.start("a")
		pass(20 * time.Second)
		w.start("b")
		took := w.within(2*time.Minute, "two", w.fair)
		w.Log(took, w.holdings())
		w.start("c")
		took = w.within(2*time.Minute, "three", w.fair)
		w.Log(took, w.holdings())
		pass(time.Minute)
		w.Log(w.holdings(), w.longest())
		w.all()[1].kill()
		w.Log(w.holdings(), w.within(ttl+time.Second+slack, "served", w.allServed), w.longest())
		pass(time.Minute)
		w.Log(w.holdings(), w.longest())
	})
}
