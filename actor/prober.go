package actor

import (
	"context"
	"errors"
	"math/rand/v2"
	"sync"
	"time"

	"github.com/durachart/durachart/store"
)

// The prober's pace: from first to last, doubling (D40: at least every 500 ms).
const (
	probeFirst = 20 * time.Millisecond
	probeLast  = 500 * time.Millisecond
)

// prober waits for a store that does not answer, once for all who wait: they do
// not ask for themselves, so an outage ends with one question and not with a
// stampede.
type prober struct {
	// probe asks the store.
	probe func(ctx context.Context) error
	ctx   context.Context // of the runtime
	group *sync.WaitGroup // of the runtime's goroutines

	mu sync.Mutex
	up chan struct{} // closed when the store answers; nil while it does

	closed bool
}

// wait returns nil when the store answers again, or the cause of the end of ctx
// or of the runtime.
func (p *prober) wait(ctx context.Context) error {
	p.mu.Lock()
	if p.closed {
		p.mu.Unlock()
		return context.Cause(p.ctx)
	}
	if p.up == nil {
		p.up = make(chan struct{})
		p.group.Go(p.run)
	}
	up := p.up
	p.mu.Unlock()
	select {
	case <-up:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-p.ctx.Done():
		return context.Cause(p.ctx)
	}
}

// close has the prober start no goroutine any more. The runtime's context must have
// ended.
func (p *prober) close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.closed = true
}

// down reports whether the store does not answer.
func (p *prober) down() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.up != nil
}

func (p *prober) run() {
	for delay := probeFirst; ; delay = min(2*delay, probeLast) {
		if !sleep(p.ctx, delay/2+rand.N(delay/2+1)) {
			break
		}
		// Any answer will do, a refusal too: whoever waits learns it for itself.
		if err := p.probe(p.ctx); !passing(err) {
			break
		}
	}
	p.mu.Lock()
	close(p.up)
	p.up = nil
	p.mu.Unlock()
}

// passing reports whether err says that the store does not answer for now, and
// that nothing was written.
func passing(err error) bool { return errors.Is(err, store.ErrUnavailable) }

// sleep waits for d and reports whether ctx goes on.
func sleep(ctx context.Context, d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-ctx.Done():
		return false
	}
}
