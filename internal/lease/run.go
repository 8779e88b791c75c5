package lease

import (
	"context"
	"time"

	"github.com/durachart/durachart/internal/logkey"
)

// Run keeps the leases until ctx ends or Release is called. Then it has everything
// stopped that runs in its shards, gives them back, and returns nil; no goroutine is
// left. That takes half of the ttl at most, whatever the store does, if Lost keeps its
// contract.
//
// A non-nil error is a failure that trying again cannot mend: ErrRunning,
// store.ErrMisconfigured, store.ErrUnsupported, store.ErrClosed. Run may be called once.
func (s *Service) Run(ctx context.Context) error {
	if s.ran.Swap(true) {
		return ErrRunning
	}
	defer close(s.over)
	k := newKeeper(s)
	defer k.forget()
	err := k.keep(ctx)
	s.released = k.handOver(context.WithoutCancel(ctx))
	return err
}

// keep does what is due until ctx ends, Release is called, or going on is of no use.
func (k *keeper) keep(ctx context.Context) error {
	timer := time.NewTimer(0)
	defer timer.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-k.leave:
			return nil
		case st := <-k.stopped:
			k.afterStop(st)
		case <-timer.C:
		}
		k.expire()
		k.overrun()
		if err := k.pass(ctx); err != nil {
			return err
		}
		k.expire() // while its commands were under way
		timer.Reset(k.rest())
	}
}

// rest is how long nothing is to be done; never nothing at all, so that this loop does
// not spin whatever the store says.
func (k *keeper) rest() time.Duration {
	at := min(k.renewAt, k.lookAt)
	if len(k.leaving) > 0 {
		at = 0
	}
	at = max(at, k.retryAt)
	if until, any := k.firstEnd(); any {
		at = min(at, until)
	}
	for st := range k.stops {
		if !st.overdue {
			at = min(at, st.bound)
		}
	}
	return max(time.Millisecond, at-k.now())
}

// pass does what is due, unless it rests after a failure. An error is one that trying
// again cannot mend.
func (k *keeper) pass(ctx context.Context) error {
	if k.now() < k.retryAt {
		return nil
	}
	operation, err := k.due(ctx)
	switch {
	case err == nil:
		k.failures = 0
		return nil
	case ctx.Err() != nil:
		return nil
	}
	k.cfg.Observe(Failed{operation, err})
	if fatal(err) {
		return err
	}
	k.failures++
	if k.failures == 1 {
		k.cfg.Logger.Warn("lease command failed and is tried again", logkey.Operation, operation, logkey.Error, err)
	}
	k.retryAt = k.now() + k.pause()
	return nil
}

// due does what is due, the renewal first, for all else can wait for it. It names the
// operation that failed.
func (k *keeper) due(ctx context.Context) (operation string, err error) {
	if k.now() >= k.renewAt {
		if err := k.renew(ctx); err != nil {
			return "renew", err
		}
	}
	var unreleased error
	if len(k.leaving) > 0 {
		unreleased = k.release(ctx)
	}
	if k.now() >= k.lookAt {
		if operation, err := k.look(ctx); err != nil {
			return operation, err
		}
	}
	return "release", unreleased
}
