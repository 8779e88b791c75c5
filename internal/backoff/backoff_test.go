package backoff_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/durachart/durachart/internal/backoff"
)

func TestAnIntervalDoublesToItsMaximumAndStartsAgainAfterAReset(t *testing.T) {
	d := backoff.Doubling{Min: 100, Max: 700}
	var got []time.Duration
	for range 5 {
		got = append(got, d.Next())
	}
	d.Reset()
	got = append(got, d.Next())
	assert.Equal(t, []time.Duration{100, 200, 400, 700, 700, 100}, got)
}

func TestAMaximumThatMovesIsHonouredAtOnce(t *testing.T) {
	d := backoff.Doubling{Min: 100, Max: 1000}
	for range 6 {
		d.Next()
	}
	d.Max = 300
	assert.Equal(t, time.Duration(300), d.Next())
	d.Max = 1000
	assert.Equal(t, time.Duration(300), d.Next())
	assert.Equal(t, time.Duration(600), d.Next())
}

func TestTheWaitAfterAFailureDoublesAndNeverOverflows(t *testing.T) {
	for attempt, want := range map[int]time.Duration{
		0: time.Second, 1: time.Second, 2: 2 * time.Second, 5: 16 * time.Second, 9: 256 * time.Second,
		10: 5 * time.Minute, 1000: 5 * time.Minute,
	} {
		assert.Equal(t, want, backoff.After(attempt, time.Second, 5*time.Minute), "attempt %d", attempt)
	}
}

func TestWaitEndsByTimeByWakeAndByContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		assert.NoError(t, backoff.Wait(t.Context(), time.Minute, nil))
		assert.Equal(t, time.Minute, time.Since(start))

		wake := make(chan struct{}, 1)
		wake <- struct{}{}
		assert.NoError(t, backoff.Wait(t.Context(), time.Hour, wake))
		assert.Equal(t, time.Minute, time.Since(start))

		why := errors.New("why")
		ctx, cancel := context.WithCancelCause(t.Context())
		cancel(why)
		assert.ErrorIs(t, backoff.Wait(ctx, time.Hour, nil), why)
	})
}
