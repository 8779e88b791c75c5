package mongostore

import (
	"context"
	"sync"

	"github.com/durachart/durachart/store"
)

// gate counts the running calls, so that Close can wait for them and later calls
// find it closed. The zero value is open.
type gate struct {
	mu      sync.Mutex
	running int
	closed  bool
	closing chan struct{} // made when somebody waits for it, closed by close
	idle    chan struct{} // made by close, closed when nothing runs any more
}

// enter is store.ErrClosed after close; else leave must follow.
func (g *gate) enter() error {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.closed {
		return store.ErrClosed
	}
	g.running++
	return nil
}

// join adds work that a running call leaves behind. It cannot be refused, and
// leave must follow.
func (g *gate) join() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.running++
}

func (g *gate) leave() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.running--
	if g.closed && g.running == 0 {
		close(g.idle)
	}
}

// close refuses new calls and waits for the running ones until ctx ends. It tells
// whether it was the first.
func (g *gate) close(ctx context.Context) (first bool, _ error) {
	g.mu.Lock()
	first = !g.closed
	if first {
		g.closed = true
		if g.closing != nil {
			close(g.closing)
		}
		g.idle = make(chan struct{})
		if g.running == 0 {
			close(g.idle)
		}
	}
	g.mu.Unlock()
	select {
	case <-g.idle:
		return first, nil
	default:
	}
	select {
	case <-g.idle:
		return first, nil
	case <-ctx.Done():
		return first, ctx.Err()
	}
}

func (g *gate) isClosed() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.closed
}

// untilClosing returns a ctx for what runs until it is told to stop: it ends when ctx
// does or the gate closes, and has no deadline.
func (g *gate) untilClosing(ctx context.Context) (context.Context, context.CancelFunc) {
	own, cancel := context.WithCancel(context.WithoutCancel(ctx))
	g.mu.Lock()
	if g.closing == nil {
		g.closing = make(chan struct{})
		if g.closed {
			close(g.closing)
		}
	}
	closing := g.closing
	g.mu.Unlock()
	go func() {
		select {
		case <-closing:
		case <-ctx.Done():
		case <-own.Done():
		}
		cancel()
	}()
	return own, cancel
}
