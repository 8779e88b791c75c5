package gate

import "context"

// Drain refuses new calls with ErrClosed, fails those that wait for room or rest
// in a pause, and waits until all that were admitted are finished, or ctx ends.
func (g *Gate) Drain(ctx context.Context) error {
	g.closed.Store(true)
	g.refuse(func(e *entry) []*Call {
		out := drainList(nil, &e.waiting)
		if e.paused {
			e.unpause(g)
			e.wake, e.again = false, false
			out = drainList(out, &e.queue)
		}
		return out
	})
	return g.Quiet(ctx)
}

// Close refuses everything that is not started, waits until what runs has ended
// (the caller sees to that), and stops all actors. Nothing is left in the map.
func (g *Gate) Close() {
	g.closed.Store(true)
	g.refuse(func(e *entry) []*Call {
		e.unpause(g)
		e.wake, e.again = false, false
		return drainList(drainList(drainList(nil, &e.urgent), &e.queue), &e.waiting)
	})
	_ = g.Quiet(context.Background())
	for i := range g.shards {
		sh := &g.shards[i]
		var gone []Handle
		sh.mu.Lock()
		for _, e := range sh.entries {
			gone = append(gone, g.remove(e))
		}
		sh.mu.Unlock()
		g.stop(gone)
	}
}

// Quiet waits until no entry is busy.
func (g *Gate) Quiet(ctx context.Context) error {
	for {
		g.quietMu.Lock()
		if g.busy.Load() == 0 {
			g.quietMu.Unlock()
			return nil
		}
		if g.quiet == nil {
			g.quiet = make(chan struct{})
		}
		quiet := g.quiet
		g.quietMu.Unlock()
		select {
		case <-quiet:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// refuse visits every entry under its lock, which is also the barrier after
// which no call that saw the gate open is still being admitted, and fails the
// calls that pick returns.
func (g *Gate) refuse(pick func(*entry) []*Call) {
	for i := range g.shards {
		sh := &g.shards[i]
		var refused []*Call
		sh.mu.Lock()
		for _, e := range sh.entries {
			refused = append(refused, pick(e)...)
		}
		sh.mu.Unlock()
		for _, c := range refused {
			c.Finish(ErrClosed)
		}
	}
}

func drainList(out []*Call, l *list) []*Call {
	for l.len > 0 {
		out = append(out, l.popFront())
	}
	return out
}
