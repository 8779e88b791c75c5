package actor

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"time"

	"github.com/durachart/durachart/internal/logkey"
	"github.com/durachart/durachart/store"
)

// errRunTwice reports a second call of Run.
var errRunTwice = errors.New("actor: Run may be called once")

// Run makes the store ready, takes the shards, and runs executions, the relay and
// the timers until ctx ends or Drain is called. Then it drains, for at most
// Config.DrainTimeout, and returns nil.
//
// While the store does not answer it keeps trying. A non-nil error is a failure
// that trying again cannot mend: ErrMisconfigured, ErrUnsupported, or a second
// call of Run.
func (r *Runtime) Run(ctx context.Context) error {
	if r.running.Swap(true) {
		return errRunTwice
	}
	parts, cancel := context.WithCancelCause(r.ctx)
	failed := make(chan error, 1)
	r.group.Go(func() { failed <- r.runParts(parts) })

	var err error
	patience := r.cfg.DrainTimeout
	select {
	case err = <-failed:
	case <-ctx.Done():
	case <-r.leave: // the caller of Drain says how long
		patience = forever
	}
	if err != nil {
		r.failure.Store(&err)
		r.log.Error("runtime cannot go on", logkey.Error, err)
	}
	r.refuse()
	cancel(errStopped)
	r.stopWithin(patience)
	return err
}

// runParts makes the store ready and then runs the parts of the runtime until ctx
// ends.
func (r *Runtime) runParts(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	if err := r.makeReady(ctx); err != nil {
		return err
	}
	parts := []part{
		{"relay", r.newRelay, func(ctx context.Context) error { return r.relay().Run(ctx) }},
		{"timer", r.newTimer, func(ctx context.Context) error { return r.timer().Run(ctx) }},
		{"inbox", nil, r.inbox.run},
		{"sweep", nil, r.sweep},
	}
	errs := make(chan error, len(parts))
	for _, p := range parts {
		go func() { errs <- r.supervise(ctx, p) }()
	}
	var first error
	for range parts {
		if err := <-errs; err != nil && first == nil {
			first = err
			cancel()
		}
	}
	return first
}

// makeReady asks the store until it answers.
func (r *Runtime) makeReady(ctx context.Context) error {
	for {
		info, err := r.cfg.Store.Ready(ctx)
		switch {
		case err == nil:
			r.clock.set(info.ServerNow)
			r.shards = r.claim(info.Shards)
			close(r.ready)
			return nil
		case ctx.Err() != nil:
			return nil
		case !passing(err):
			return fmt.Errorf("make the store ready: %w", err)
		}
		r.log.Warn("store does not answer", logkey.Error, err)
		if r.prober.wait(ctx) != nil {
			return nil
		}
	}
}

// probe asks the store whether it answers.
func (r *Runtime) probe(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, 2*time.Second)
	defer cancel()
	info, err := r.cfg.Store.Ready(ctx)
	if err == nil {
		r.clock.set(info.ServerNow)
		return nil
	}
	if ctx.Err() != nil { // no answer in time
		return fmt.Errorf("%w: %w", store.ErrUnavailable, err)
	}
	return err
}

// part is a piece of the runtime that runs beside the others. A part that runs
// once only is made anew before it runs again.
type part struct {
	name  string
	renew func() error
	run   func(ctx context.Context) error
}

// supervise runs p until ctx ends, and again whenever it fails. It returns an
// error if p says that trying again cannot mend it.
func (r *Runtime) supervise(ctx context.Context, p part) error {
	for failures := 1; ; failures++ {
		began := time.Now()
		err := guarded(ctx, p.run)
		if ctx.Err() != nil {
			return nil
		}
		if errors.Is(err, store.ErrMisconfigured) || errors.Is(err, store.ErrUnsupported) {
			return fmt.Errorf("%s: %w", p.name, err)
		}
		if time.Since(began) > time.Minute {
			failures = 1
		}
		r.log.Error("part of the runtime failed and is started again", logkey.Part, p.name, logkey.Error, err)
		if !sleep(ctx, backoff(100*time.Millisecond, failures, 30*time.Second)) {
			return nil
		}
		if p.renew != nil {
			if err := p.renew(); err != nil {
				return fmt.Errorf("%s: %w", p.name, err)
			}
		}
	}
}

// guarded turns a panic of a part into an error.
func guarded(ctx context.Context, run func(context.Context) error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v\n%s", p, debug.Stack())
		}
	}()
	return run(ctx)
}

// sweep passivates idle executions, a part of the registry at a time.
func (r *Runtime) sweep(ctx context.Context) error {
	const parts = 16
	tick := time.NewTicker(max(time.Millisecond, min(r.cfg.IdleAfter/parts, time.Second)))
	defer tick.Stop()
	for {
		select {
		case now := <-tick.C:
			r.gate.Sweep(now, parts)
		case <-ctx.Done():
			return nil
		}
	}
}
