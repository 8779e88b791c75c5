package gate

import (
	"context"
	"fmt"
)

// Do has the execution id carry out c and waits for its end. If the queue is full
// it waits for room, unless failFast: then it returns ErrFull.
//
// When ctx ends first it returns the cause of that, and c has certainly no effect,
// or ErrStarted.
func (g *Gate) Do(ctx context.Context, id string, c *Call, failFast bool) error {
	if err := context.Cause(ctx); err != nil {
		return err
	}
	c.wake = g.wakes.Get().(chan struct{})
	if err := g.submit(id, c, failFast, false); err != nil {
		g.wakes.Put(c.wake)
		return err
	}
	select {
	case <-c.wake:
		g.wakes.Put(c.wake)
		return c.err
	case <-ctx.Done():
	}
	if g.abandon(c) {
		return context.Cause(ctx)
	}
	select {
	case <-c.wake:
		return c.err
	default:
		return fmt.Errorf("%w: %w", ErrStarted, context.Cause(ctx))
	}
}

// Post has the execution id carry out c, whether or not there is room, and does
// not wait. c.Done hears of its end. ErrClosed.
func (g *Gate) Post(id string, c *Call) error { return g.submit(id, c, false, true) }

// PostTo is Post to the incarnation born of id, and only while there is room;
// false if c was not taken.
func (g *Gate) PostTo(id string, born uint64, c *Call) bool {
	sh := g.shard(id)
	sh.mu.Lock()
	e := sh.entries[id]
	if e == nil || e.born != born || e.wake || e.waiting.len > 0 || e.queue.len >= g.cfg.Size || g.closed.Load() {
		sh.mu.Unlock()
		return false
	}
	c.entry = e
	e.queue.pushBack(c)
	g.start(e)
	return true
}

// Incarnation returns the number of the entry of id, 0 if there is none.
func (g *Gate) Incarnation(id string) uint64 {
	sh := g.shard(id)
	sh.mu.Lock()
	defer sh.mu.Unlock()
	if e := sh.entries[id]; e != nil {
		return e.born
	}
	return 0
}

// Wake has the execution id run, with wake set. Many calls of it before that run
// are one. ErrClosed.
func (g *Gate) Wake(id string) error {
	sh := g.shard(id)
	sh.mu.Lock()
	if g.closed.Load() {
		sh.mu.Unlock()
		return ErrClosed
	}
	e := g.enter(sh, id, nil)
	e.wake = true
	g.start(e)
	return nil
}

// Offer is Wake for an id that has an entry. For one that has none it makes an
// entry with the behavior that make returns, and runs it if wake. It reports
// whether it made one. make is called under a lock: it must be quick.
func (g *Gate) Offer(id string, wake bool, make func() Behavior) (made bool, err error) {
	sh := g.shard(id)
	sh.mu.Lock()
	if g.closed.Load() {
		sh.mu.Unlock()
		return false, ErrClosed
	}
	e := sh.entries[id]
	if e == nil {
		made = true
		e = g.enter(sh, id, make())
	}
	if !wake {
		sh.mu.Unlock()
		return made, nil
	}
	e.wake = true
	g.start(e)
	return made, nil
}

// submit queues c. Admission: under the lock the entry is in the map, and it
// cannot leave it while c is in one of its lists.
func (g *Gate) submit(id string, c *Call, failFast, always bool) error {
	sh := g.shard(id)
	sh.mu.Lock()
	if g.closed.Load() {
		sh.mu.Unlock()
		return ErrClosed
	}
	e := g.enter(sh, id, nil)
	c.entry = e
	switch {
	case c.Urgent:
		e.urgent.pushBack(c)
		e.unpause(g)
	case always || (e.queue.len < g.cfg.Size && e.waiting.len == 0):
		e.queue.pushBack(c)
	case failFast:
		sh.mu.Unlock()
		return ErrFull
	default:
		e.waiting.pushBack(c)
	}
	g.start(e)
	return nil
}

// abandon takes c out of the lists; false if it was started before.
func (g *Gate) abandon(c *Call) bool {
	if !c.state.CompareAndSwap(queued, abandoned) {
		return false
	}
	e := c.entry
	e.shard.mu.Lock()
	if c.list != nil {
		c.list.remove(c)
		e.admit(g.cfg.Size)
	}
	e.shard.mu.Unlock()
	return true
}

// enter returns the entry of id, made with b (nil: with Config.New) if there is
// none. The shard is locked.
func (g *Gate) enter(sh *shard, id string, b Behavior) *entry {
	e := sh.entries[id]
	if e != nil {
		return e
	}
	if b == nil {
		b = g.cfg.New(id)
	}
	if g.active.Load() >= int64(g.cfg.MaxActive) {
		g.evictOne(sh)
	}
	e = &entry{id: id, gate: g, shard: sh, born: g.born.Add(1), behavior: b, last: g.now.Load()}
	sh.entries[id] = e
	g.active.Add(1)
	return e
}
