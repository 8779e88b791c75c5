package actor

import (
	"context"
	"math"
	"time"

	"github.com/durachart/durachart/internal/logkey"
)

// Drain stops the runtime in an orderly way: it refuses new work with
// ErrDraining, finishes what is queued or hands it back to the store, stops the
// relay and the timers, and gives its shards back. When ctx ends first it stops
// what is still running, returns the error of ctx, and the rest stays in the store
// for the next process.
//
// It is idempotent. After it returned no goroutine of the runtime is left, except
// Run returning.
func (r *Runtime) Drain(ctx context.Context) error {
	r.refuse()
	if !r.running.Swap(true) { // nothing runs, and nothing ever will
		r.stop(ctx)
	}
	select {
	case <-r.stopped:
		return nil
	case <-ctx.Done():
	}
	r.cancel(errStopped)
	<-r.stopped
	return context.Cause(ctx)
}

// refuse has all calls from now on fail with ErrDraining.
func (r *Runtime) refuse() {
	r.draining.Store(true)
	r.drain.Do(func() { close(r.leave) })
}

// forever is the patience of a stop that something else ends.
const forever = time.Duration(math.MaxInt64)

// stopWithin finishes what was admitted, for as long as patience says, and then
// cuts off the rest. A Drain whose context ends cuts it short.
func (r *Runtime) stopWithin(patience time.Duration) {
	ctx, cancel := context.WithTimeout(r.ctx, max(0, patience))
	defer cancel()
	r.stop(ctx)
}

// stop finishes what was admitted until ctx ends, then cuts off the rest.
func (r *Runtime) stop(ctx context.Context) {
	if err := r.gate.Drain(ctx); err != nil {
		r.log.Warn("drain was cut short: what is left stays in the store", logkey.Error, err)
	}
	r.cancel(errStopped)
	r.gate.Close()
	r.mailboxes.Close()
	r.prober.close()
	r.group.Wait()
	close(r.stopped)
}
