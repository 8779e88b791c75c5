package gate

import "time"

// pause has the run of e end and begin again after d, and unlocks its shard;
// false, with the shard still locked, if there is nothing to come back to, or an
// urgent call waits. A paused entry is never passivated, and it is not busy: what
// it has in hand waits for its time, not for the runtime. A closed gate does not
// come back: what waits is refused.
func (g *Gate) pause(e *entry, d time.Duration) bool {
	if e.urgent.len > 0 || (e.queue.len == 0 && !e.again) {
		return false
	}
	e.running = false
	if g.closed.Load() {
		e.wake, e.again = false, false
		refused := drainList(drainList(nil, &e.queue), &e.waiting)
		e.shard.mu.Unlock()
		for _, c := range refused {
			c.Finish(ErrClosed)
		}
		g.calm()
		return true
	}
	e.paused = true
	g.paused.Add(1)
	e.timer = time.AfterFunc(d, func() {
		e.shard.mu.Lock()
		if !e.paused {
			e.shard.mu.Unlock()
			return
		}
		e.unpause(g)
		g.start(e)
	})
	e.shard.mu.Unlock()
	g.calm()
	return true
}

// unpause ends a pause. The shard is locked; start must follow, or nothing may be
// left to do.
func (e *entry) unpause(g *Gate) {
	if e.paused {
		e.paused = false
		e.timer.Stop()
		g.paused.Add(-1)
	}
}
