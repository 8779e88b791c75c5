// Package combine runs a function over items in groups, without ever waiting for a
// group to fill.
//
// An item goes at once while one of the slots is free. What arrives while all slots
// are busy goes together with its neighbours, in the order of arrival, as soon as one
// is free again. So a lone item has the latency of a single call, and under load the
// groups grow by themselves. With groups of one a Combiner is a bounded pool.
package combine

import (
	"runtime"
	"sync"
)

// Combiner groups items of type T. Make one with [New]. It is safe for concurrent use
// and has no goroutine while it has no items.
type Combiner[T any] struct {
	slots int
	most  int
	run   func([]T)

	mu     sync.Mutex
	queue  []T
	head   int // queue[:head] has been taken
	busy   int // Invariant: busy <= slots, and busy > 0 while the queue is not empty
	closed bool
	ended  sync.WaitGroup
}

// New returns a Combiner that calls run with 1 to most items at a time, in up to slots
// goroutines at once. run must return soon after whatever it works for has ended; it
// may keep the slice.
func New[T any](slots, most int, run func([]T)) *Combiner[T] {
	return &Combiner[T]{slots: slots, most: most, run: run}
}

// Add queues items and returns at once. After Close it does nothing.
func (c *Combiner[T]) Add(items ...T) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		return
	}
	c.queue = append(c.queue, items...)
	// One that runs has taken its group already, so each group to be made of what
	// waits may have a goroutine of its own. One that comes too late ends at once.
	groups := (len(c.queue) - c.head + c.most - 1) / c.most
	for range min(groups, c.slots-c.busy) {
		c.busy++
		c.ended.Add(1)
		go c.work()
	}
}

// Close forgets what is queued and waits until no run is under way.
func (c *Combiner[T]) Close() {
	c.mu.Lock()
	c.closed = true
	c.queue, c.head = nil, 0
	c.mu.Unlock()
	c.ended.Wait()
}

func (c *Combiner[T]) work() {
	defer c.ended.Done()
	for {
		if c.most > 1 {
			// Goroutines that are about to add something get to do so first. That
			// costs well under a microsecond and spares a command of one item.
			runtime.Gosched()
		}
		group := c.take()
		if group == nil {
			return
		}
		c.run(group)
	}
}

// take returns the next group, or nil when there is none: then the slot is free.
func (c *Combiner[T]) take() []T {
	c.mu.Lock()
	defer c.mu.Unlock()
	n := min(c.most, len(c.queue)-c.head)
	if n == 0 {
		c.busy--
		return nil
	}
	group := make([]T, n)
	copy(group, c.queue[c.head:])
	clear(c.queue[c.head : c.head+n])
	c.head += n
	switch {
	case c.head == len(c.queue):
		c.queue, c.head = c.queue[:0], 0
	case c.head > len(c.queue)/2:
		// Move what waits to the front, or the slice would grow for ever under load.
		kept := copy(c.queue, c.queue[c.head:])
		clear(c.queue[kept:])
		c.queue, c.head = c.queue[:kept], 0
	}
	return group
}
