package relay

import (
	"context"
	"errors"
	"time"

	"github.com/durachart/durachart/internal/logkey"
	"github.com/durachart/durachart/store"
)

// Run delivers until ctx ends, then returns nil; no goroutine is left. What was under
// way is cut off; it stays in the store. A non-nil error is a failure that trying
// again cannot mend: ErrRunning, or store.ErrMisconfigured.
func (r *Relay) Run(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	r.mu.Lock()
	if r.ran {
		r.mu.Unlock()
		return ErrRunning
	}
	r.ran, r.ctx = true, ctx
	for _, h := range r.early {
		r.accept(h, len(h.Emits)+len(h.Spawns))
	}
	r.early = nil
	r.mu.Unlock()

	err := r.poll(ctx)
	cancel()
	r.stop()
	return err
}

// stop forgets all that is in hand and waits for what is under way.
func (r *Relay) stop() {
	r.mu.Lock()
	r.ctx = nil
	for t := range r.timers {
		t.Stop()
	}
	r.stalled, r.starved = nil, nil
	r.mu.Unlock()

	r.probing.Wait()
	r.local.Close()
	r.pushes.Close()
	r.builds.Close()
	r.creates.Close()
	r.letters.Close()
	r.acks.Close()
	r.spawnAcks.Close()
	r.reads.Close()
	r.mends.Close()

	r.mu.Lock()
	defer r.mu.Unlock()
	clear(r.origins)
	clear(r.lanes)
	clear(r.timers)
	r.forgot(r.count)
}

// running returns the context of Run, or false when nothing is carried out any more.
func (r *Relay) running() (context.Context, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.ctx, r.ctx != nil
}

// after runs f, with mu held, once d is over by Config.Clock, unless Run has ended by
// then. The clock may have been set back meanwhile, by its rounding at least, and then
// what f would find due is not due yet: so the wait goes on.
func (r *Relay) after(d time.Duration, f func()) {
	if r.ctx == nil {
		return
	}
	end := r.now().Add(d)
	var t *time.Timer
	t = time.AfterFunc(max(d, 0), func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		delete(r.timers, t)
		switch left := end.Sub(r.now()); {
		case r.ctx == nil:
		case left > 0:
			r.after(left, f)
		default:
			f()
		}
	})
	r.timers[t] = struct{}{}
}

// stall runs f, with mu held, when the store answers again; it is called with mu held.
// One goroutine asks, for all that waits.
func (r *Relay) stall(err error, f func()) {
	if r.ctx == nil {
		return
	}
	r.stalled = append(r.stalled, f)
	if len(r.stalled) > 1 {
		return
	}
	ctx := r.ctx
	r.probing.Go(func() {
		r.cfg.Logger.Warn("the store does not answer, deliveries wait", logkey.Part, "relay", logkey.Error, err)
		if r.cfg.Await(ctx, err) != nil {
			return // Run is over, for Await fails with its context only
		}
		r.locked(func() {
			todo := r.stalled
			r.stalled = nil
			for _, f := range todo {
				f()
			}
		})
	})
}

// locked calls f with mu held, unless Run has ended.
func (r *Relay) locked(f func()) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.ctx != nil {
		f()
	}
}

// passing reports whether err says nothing about what was asked for, only that the
// store, or the network, or an operator has to be waited for. Such a failure counts no
// attempt (D47).
func passing(err error) bool {
	for _, known := range []error{
		store.ErrUnavailable, store.ErrUncertain, store.ErrClosed, store.ErrMisconfigured, context.Canceled,
	} {
		if errors.Is(err, known) {
			return true
		}
	}
	return false
}
