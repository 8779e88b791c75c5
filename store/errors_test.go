package store

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
)

// D25: every error of a write maps to one of three outcomes.
func TestOutcomeOf(t *testing.T) {
	assert.Equal(t, Happened, OutcomeOf(nil))
	assert.Equal(t, DidNotHappen, OutcomeOf(fmt.Errorf("commit: %w", ErrConflict)))
	assert.Equal(t, NotKnown, OutcomeOf(fmt.Errorf("commit: %w", &UncertainError{ID: "x", Cause: ErrUnavailable})))
}
