package mongostore

import (
	"context"
	"errors"

	"github.com/durachart/durachart/store"
)

// repeat sends a write that may be applied twice without harm until its outcome is
// known or ctx ends (D27). A definite failure is returned as such, but not after a
// try whose outcome was unknown: that one may have been applied.
func (s *Store) repeat(ctx context.Context, id string, write func() error) error {
	unknown := false
	for backoff := resendBackoff; ; backoff = min(2*backoff, lastBackoff) {
		err := write()
		if err == nil {
			return nil
		}
		f := judged(err)
		if f.definite && !unknown {
			return f
		}
		unknown = unknown || !f.definite
		if pause(ctx, jitter(backoff)) != nil {
			return &store.UncertainError{ID: id, Cause: f}
		}
	}
}

// persist repeats a read with back-off until it has an answer or ctx ends.
func (s *Store) persist(ctx context.Context, read func() error) error {
	for backoff := firstBackoff; ; backoff = min(2*backoff, lastBackoff) {
		err := read()
		if err == nil {
			return nil
		}
		if err = readErr(err); !errors.Is(err, store.ErrUnavailable) || pause(ctx, jitter(backoff)) != nil {
			return err
		}
	}
}

// judged is translate for an error that may be judged already.
func judged(err error) *failure {
	if f := (*failure)(nil); errors.As(err, &f) {
		return f
	}
	return translate(err)
}
