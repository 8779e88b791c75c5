package relay_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/durachart/durachart/relay"
)

func TestNewNamesEveryMistakeAtOnce(t *testing.T) {
	_, err := relay.New(relay.Config{Batch: -1, Timeout: -time.Second, BackoffMin: time.Hour, PollMax: time.Millisecond})
	assert.ErrorIs(t, err, relay.ErrInvalidConfig)
	for _, field := range []string{"Source", "Target", "Births", "Shards", "Batch", "Timeout", "BackoffMax", "PollMax"} {
		assert.ErrorContains(t, err, field)
	}
}

func TestADeadErrorKeepsItsCause(t *testing.T) {
	err := fmt.Errorf("deliver: %w", &relay.DeadError{Reason: "why", Err: context.Canceled})
	var dead *relay.DeadError
	assert.True(t, errors.As(err, &dead))
	assert.Equal(t, "why", dead.Reason)
	assert.ErrorIs(t, err, context.Canceled)
	assert.EqualError(t, err, "deliver: relay: why: context canceled")
}
