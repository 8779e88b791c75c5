package actor

import "context"

// DeadLetters returns one page of what could not be delivered or applied, newest
// first. A Page.Limit of 0 means 100.
func (r *Runtime) DeadLetters(ctx context.Context, f DeadLetterFilter, p Page) (DeadLetterPage, error) {
	return DeadLetterPage{}, errSkeleton
}

// Requeue sends a dead letter to its target again (a dead spawn: creates the
// child) and then removes it. The event keeps its id, so one that was applied
// after all is not applied twice.
//
// It returns ErrNotFound without such a letter, and ErrEnded if the target has
// ended: the letter stays. A letter of a failed step (reason step_failed) is
// ErrInvalidState: it goes back by Retry.
func (r *Runtime) Requeue(ctx context.Context, letterID string) error { return errSkeleton }

// Discard removes a dead letter for good. ErrNotFound.
func (r *Runtime) Discard(ctx context.Context, letterID string) error { return errSkeleton }
