package actor

import (
	"context"
	"errors"
	"fmt"

	"github.com/durachart/durachart/execution"
	"github.com/durachart/durachart/relay"
	"github.com/durachart/durachart/store"
)

// Names of the store's dead letters.
type (
	DeadLetter       = store.DeadLetter
	DeadLetterFilter = store.DeadLetterFilter
	DeadLetterPage   = store.DeadLetterPage
)

// DeadLetters returns one page of what could not be delivered or applied, newest
// first. A Page.Limit of 0 means 100.
func (r *Runtime) DeadLetters(ctx context.Context, f DeadLetterFilter, p Page) (DeadLetterPage, error) {
	if p.Limit == 0 {
		p.Limit = defaultPage
	}
	return r.cfg.Store.ListDeadLetters(ctx, f, p)
}

// Requeue sends a dead letter to its target again (a dead spawn: creates the
// child) and then removes it. The event keeps its id, so one that was applied
// after all is not applied twice.
//
// It returns ErrNotFound without such a letter, and ErrEnded if the target has
// ended: the letter stays. A letter of a failed step (reason step_failed) is
// ErrInvalidState: it goes back by Retry.
func (r *Runtime) Requeue(ctx context.Context, letterID string) error {
	l, err := r.cfg.Store.GetDeadLetter(ctx, letterID)
	if err != nil {
		return err
	}
	if err := r.enter(ctx); err != nil {
		return err
	}
	switch {
	case l.Reason == execution.ReasonStepFailed:
		return fmt.Errorf("requeue %q: %w: a failed step goes back by Retry", letterID, ErrInvalidState)
	case l.Kind == store.LetterSpawn:
		err = r.requeueSpawn(ctx, l)
	default:
		err = r.requeueEvent(ctx, l)
	}
	if err != nil {
		return fmt.Errorf("requeue %q: %w", letterID, err)
	}
	// The letter that came back meanwhile is another put, and stays.
	_, err = r.cfg.Store.RemoveDeadLetter(ctx, l.ID, l.Put)
	return err
}

func (r *Runtime) requeueEvent(ctx context.Context, l store.DeadLetter) error {
	if l.TargetID == "" {
		return fmt.Errorf("%w: the letter has no target", ErrNotFound)
	}
	ev, err := execution.DecodeEvent(l.Event)
	if err != nil {
		return err
	}
	return r.push(ctx, l.TargetID, ev, l.From)
}

// requeueSpawn creates the child of a dead spawn, as the relay would have. A child
// that is there by now is success if it is of the same spawn.
func (r *Runtime) requeueSpawn(ctx context.Context, l store.DeadLetter) error {
	birth, err := relay.DecodeBirth(l.Spawn)
	if err != nil {
		return err
	}
	b := births{r}
	c, err := b.Build(ctx, birth)
	if err != nil {
		return err
	}
	c.ParentID, c.RootID, c.SpawnSeq, c.Priority = birth.ParentID, birth.RootID, birth.Seq, birth.Priority
	err = r.cfg.Store.Create(ctx, c)
	if errors.Is(err, store.ErrExists) {
		there, loadErr := r.cfg.Store.Load(ctx, c.ID)
		if loadErr == nil && there.ParentID == c.ParentID && there.SpawnSeq == c.SpawnSeq {
			return nil
		}
	}
	if err != nil {
		return err
	}
	b.Born(c)
	return nil
}

// Discard removes a dead letter for good. ErrNotFound.
func (r *Runtime) Discard(ctx context.Context, letterID string) error {
	l, err := r.cfg.Store.GetDeadLetter(ctx, letterID)
	if err != nil {
		return err
	}
	_, err = r.cfg.Store.RemoveDeadLetter(ctx, l.ID, l.Put)
	return err
}

// putLetters writes dead letters, and waits while the store does not answer.
func (r *Runtime) putLetters(letters []store.DeadLetter) error {
	for {
		err := r.cfg.Store.PutDeadLetters(r.ctx, letters)
		if !passing(err) && !errors.Is(err, store.ErrUncertain) { // putting twice does no harm
			return err
		}
		if err := r.waitForStore(); err != nil {
			return err
		}
	}
}
