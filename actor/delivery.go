package actor

import (
	"errors"
	"fmt"
	"sync"

	"github.com/durachart/durachart/actor/internal/gate"
	"github.com/durachart/durachart/store"
)

// delivery collects what became of the events that the relay delivers together.
type delivery struct {
	mu   sync.Mutex
	left int
	errs []error
	done chan struct{}
}

// finish records what became of event i.
func (d *delivery) finish(i int, err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.errs[i] = err
	if d.left--; d.left == 0 {
		d.done <- struct{}{}
	}
}

// taken is the number of first events that are durable, and the error of the next.
// Those behind it that were taken all the same are known when they come again.
func (d *delivery) taken(id string) (int, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for i, err := range d.errs {
		switch {
		case err == nil:
		case errors.Is(err, gate.ErrClosed):
			// The relay counts no attempt: its next owner delivers.
			return i, fmt.Errorf("%w: %w", callError(id, err), store.ErrClosed)
		default:
			return i, err
		}
	}
	return len(d.errs), nil
}
