package mongostore

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.mongodb.org/mongo-driver/v2/mongo"
	"go.mongodb.org/mongo-driver/v2/x/mongo/driver/topology"

	"github.com/durachart/durachart/store"
)

// D26 and the table of D28.
func TestTranslate(t *testing.T) {
	network := mongo.CommandError{Message: "secret", Labels: []string{"NetworkError"}, Wrapped: errors.New("eof")}
	command := func(code int32, labels ...string) error {
		return mongo.CommandError{Code: code, Message: "secret", Labels: labels}
	}
	item := func(code int) error {
		return mongo.WriteException{WriteErrors: mongo.WriteErrors{{Code: code, Message: "secret"}}}
	}
	for _, tc := range []struct {
		name     string
		err      error
		sentinel error
		definite bool
	}{
		{"no server found", topology.ServerSelectionError{Wrapped: context.DeadlineExceeded}, store.ErrUnavailable, true},
		{"no connection free", topology.WaitQueueTimeoutError{Wrapped: context.DeadlineExceeded}, store.ErrUnavailable, true},
		{"no connection made", topology.ConnectionError{Wrapped: errors.New("refused")}, store.ErrUnavailable, true},
		{"client closed", mongo.ErrClientDisconnected, store.ErrClosed, true},
		{"cannot be encoded", mongo.MarshalError{Err: errors.New("secret")}, store.ErrInvalidArgument, true},
		{"connection lost", network, store.ErrUnavailable, false},
		{"time up", fmt.Errorf("update: %w", context.DeadlineExceeded), store.ErrUnavailable, false},
		{"cancelled", context.Canceled, store.ErrUnavailable, false},
		{"never heard of", errors.New("secret"), store.ErrUnavailable, false},

		{"whole: not primary", command(10107), store.ErrUnavailable, false},
		{"whole: time limit", command(50), store.ErrUnavailable, false},
		{"whole: unknown code", command(99999), store.ErrUnavailable, false},
		// Trap 4: a label is no licence: a standalone server sets it, too.
		{"whole: labelled as retryable", command(91, "RetryableWriteError"), store.ErrUnavailable, false},
		{"whole: not authorized", command(13), store.ErrMisconfigured, true},
		{"whole: not understood", command(9), store.ErrInvalidArgument, true},
		{"whole: no such command", command(59), store.ErrUnsupported, true},

		{"item: full disk", item(14031), store.ErrBackpressure, true},
		{"item: too large", item(10334), store.ErrBackpressure, true},
		{"item: bad value", item(2), store.ErrInvalidArgument, true},
		{"item: write conflict", item(112), store.ErrUnavailable, true},
		{"item: unknown code", item(99999), store.ErrUnavailable, false},
		// Trap 2: a write-concern error hides whether the statement was applied.
		{"write concern", mongo.WriteException{WriteConcernError: &mongo.WriteConcernError{Code: 64}}, store.ErrUnavailable, false},
		{"item and write concern", mongo.WriteException{
			WriteErrors: mongo.WriteErrors{{Code: 2}}, WriteConcernError: &mongo.WriteConcernError{Code: 64},
		}, store.ErrUnavailable, false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			f := translate(tc.err)
			assert.ErrorIs(t, f, tc.sentinel)
			assert.Equal(t, tc.definite, f.definite)
			assert.NotContains(t, f.Error(), "secret", "D29")
			assert.Contains(t, errors.Unwrap(fmt.Errorf("%w", f)).(interface{ Unwrap() []error }).Unwrap(), tc.err, "the cause is kept")
		})
	}
}

// Trap 3: IsDuplicateKeyError is true for a whole bulk when any item is one.
func TestReplyIsTakenApartByItem(t *testing.T) {
	err := mongo.BulkWriteException{WriteErrors: []mongo.BulkWriteError{
		{WriteError: mongo.WriteError{Index: 1, Code: 11000}},
		{WriteError: mongo.WriteError{Index: 3, Code: 10334}},
	}}
	require.True(t, mongo.IsDuplicateKeyError(err))
	r := replyOf(err)
	assert.Nil(t, r.of(0))
	assert.True(t, r.of(1).duplicate)
	assert.Nil(t, r.of(2))
	assert.ErrorIs(t, r.of(3), store.ErrBackpressure)
	assert.False(t, r.of(3).duplicate)

	err.WriteConcernError = &mongo.WriteConcernError{Code: 64}
	r = replyOf(err)
	assert.False(t, r.of(0).definite, "what is not in error is not confirmed either")
	assert.True(t, r.of(3).definite)
}

// D29: errors name operation and id and are cut.
func TestErrorTextsAreBounded(t *testing.T) {
	err := store.OpError("commit", strings.Repeat("i", 255), &store.UncertainError{ID: strings.Repeat("i", 255), Cause: translate(errors.New("x"))})
	assert.LessOrEqual(t, len([]rune(err.Error())), 500)
	assert.True(t, strings.HasPrefix(err.Error(), `commit "iii`))
	assert.Equal(t, store.NotKnown, store.OutcomeOf(err))
}
