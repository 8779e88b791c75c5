package mongostore

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/durachart/durachart/store"
)

// combiner sends the writes of many callers in few commands (D22).
//
// There are some slots. While one is free a write is sent at once, alone: nothing
// waits for company. While all are busy writes queue in order, and a freed slot
// takes as many of them as fit into one command. So the groups grow with the load
// and with nothing else.
//
// Two writes with one key (of one document) are never in flight together: the later
// one stands behind the earlier one until that is settled.
//
// T is what the kind of write needs beside this. The combiner does not know it.
type combiner[T any] struct {
	store *Store
	// send sends one command and settles its calls: each gets finish or again, in
	// the end. It holds a slot until it calls release, which it does as soon as the
	// command's reply is there.
	send func(ctx context.Context, batch []*call[T], release func())

	mu    sync.Mutex
	slots int
	busy  int
	queue queue[T]
	// last has, for each key that is queued or in flight, the call that the next
	// one of the key has to stand behind.
	last map[string]*call[T]

	timers sync.Pool // of waiting callers
}

func newCombiner[T any](s *Store, send func(context.Context, []*call[T], func())) *combiner[T] {
	return &combiner[T]{store: s, send: send, slots: s.lim.Slots, last: map[string]*call[T]{}}
}

// call is one write of one caller.
type call[T any] struct {
	write *T
	key   string
	bytes int
	// deadline is when the store gives up on its own.
	deadline time.Time

	state  atomic.Int32
	done   chan error // one answer, never blocking
	behind *call[T]   // the next one of the same key
	next   *call[T]   // in the queue
	tries  int        // how often it was sent
}

// The states of a call. Who changes waiting into something else decides the race
// between sending and a caller who gives up.
const (
	waiting   = iota // in the queue, not sent
	sent             // perhaps applied
	abandoned        // the caller has gone; what is sent is settled for nobody
)

func newCall[T any](write *T, key string, bytes int, deadline time.Time) *call[T] {
	return &call[T]{write: write, key: key, bytes: bytes, deadline: deadline, done: make(chan error, 1)}
}

// do hands a call in and waits for its answer. If ctx ends first, the error is
// ctx.Err() while it was certainly not sent, and ErrUncertain afterwards. A ctx
// without deadline gets the operation timeout.
//
// A call that finds a free slot is sent by the caller itself: to hand it to another
// goroutine and the answer back would take a tenth of the time of the whole.
func (c *combiner[T]) do(ctx context.Context, one *call[T]) error {
	if !c.claim(one) {
		c.submit(one)
		return c.wait(ctx, one)
	}
	if _, ok := ctx.Deadline(); !ok {
		var cancel context.CancelFunc
		ctx, cancel = context.WithDeadline(ctx, one.deadline)
		defer cancel()
	}
	c.perform(ctx, []*call[T]{one})
	return c.wait(ctx, one)
}

// claim takes a slot for a call that can be sent at once, alone.
func (c *combiner[T]) claim(one *call[T]) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.busy >= c.slots || c.queue.front() != nil || c.last[one.key] != nil {
		return false
	}
	c.busy++
	c.last[one.key] = one
	one.state.Store(sent)
	one.tries++
	return true
}

// submit hands calls in, in order and at once, so that they can go together.
func (c *combiner[T]) submit(calls ...*call[T]) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, one := range calls {
		if before := c.last[one.key]; before != nil {
			before.behind = one
		} else {
			c.queue.push(one)
		}
		c.last[one.key] = one
	}
	c.pump()
}

// resend puts calls back that have to be sent once more. Their keys are still their
// own. What was sent several times, or met trouble, waits a moment first: the last
// thing that a server in trouble needs is a hot loop.
func (c *combiner[T]) resend(calls []*call[T], troubled bool) {
	for _, one := range calls {
		troubled = troubled || one.tries > hastyTries
	}
	if troubled {
		_ = pause(context.Background(), jitter(resendBackoff)) // no ctx, no error
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, one := range calls {
		c.queue.push(one)
	}
	c.pump()
}

const (
	resendBackoff = 50 * time.Millisecond
	hastyTries    = 2
)

func (c *combiner[T]) wait(ctx context.Context, one *call[T]) error {
	var timeout <-chan time.Time
	if _, ok := ctx.Deadline(); !ok {
		timer := c.newTimer(time.Until(one.deadline))
		defer c.releaseTimer(timer)
		timeout = timer.C
	}
	var cause error
	select {
	case err := <-one.done:
		return err
	case <-timeout:
		cause = fmt.Errorf("%w: the operation timeout", store.ErrUnavailable)
	case <-ctx.Done():
		cause = ctx.Err()
	}
	select {
	case err := <-one.done: // answered in this very moment
		return err
	default:
	}
	if one.state.CompareAndSwap(waiting, abandoned) {
		return cause
	}
	one.state.Store(abandoned)
	return &store.UncertainError{ID: one.key, Cause: cause}
}

// finish answers a call and lets the next one of its key go.
func (c *combiner[T]) finish(one *call[T], err error) {
	one.done <- err
	c.mu.Lock()
	defer c.mu.Unlock()
	c.leave(one)
	c.pump()
}

// leave gives the key of a call to the one behind it. c.mu is held.
func (c *combiner[T]) leave(one *call[T]) {
	if next := one.behind; next != nil {
		one.behind = nil
		c.queue.push(next)
	} else {
		delete(c.last, one.key)
	}
}

// pump starts commands while there are slots and calls for them. c.mu is held.
func (c *combiner[T]) pump() {
	for c.busy < c.slots {
		batch := c.take()
		if len(batch) == 0 {
			return
		}
		c.busy++
		c.store.gate.join()
		go c.run(batch)
	}
}

// run sends one command for several callers. It ends by the store's deadline and not
// by that of a caller: a ctx that ends in the middle of a command would cost the
// others their answer.
func (c *combiner[T]) run(batch []*call[T]) {
	defer c.store.gate.leave()
	ctx, cancel := context.WithTimeout(context.Background(), c.store.lim.OpTimeout)
	defer cancel()
	c.perform(ctx, batch)
}

// perform sends one command and gives its slot back.
func (c *combiner[T]) perform(ctx context.Context, batch []*call[T]) {
	released := false
	release := func() {
		if released {
			return
		}
		released = true
		c.mu.Lock()
		defer c.mu.Unlock()
		c.busy--
		c.pump()
	}
	defer release()
	c.send(ctx, batch, release)
}

// settle runs what it takes to learn the fate of calls whose command did not tell. It
// is not the business of the goroutine that sent it, which may be a caller's.
func (c *combiner[T]) settle(work func(ctx context.Context)) {
	c.store.gate.join()
	go func() {
		defer c.store.gate.leave()
		ctx, cancel := context.WithTimeout(context.Background(), c.store.lim.OpTimeout)
		defer cancel()
		work(ctx)
	}()
}

// take removes from the queue what goes together: at most so many statements and
// bytes, in order. Calls whose callers have gone are dropped. c.mu is held.
func (c *combiner[T]) take() []*call[T] {
	var batch []*call[T]
	bytes := 0
	for one := c.queue.front(); one != nil; one = c.queue.front() {
		if len(batch) > 0 && (len(batch) >= c.store.lim.Statements || bytes+one.bytes > c.store.lim.BatchBytes) {
			break
		}
		c.queue.pop()
		if one.state.Load() != sent && !one.state.CompareAndSwap(waiting, sent) {
			c.leave(one)
			continue
		}
		one.tries++
		bytes += one.bytes
		batch = append(batch, one)
	}
	return batch
}

// over reports whether a call is not to be sent again: its caller has gone, or the
// time of the store is up.
func (one *call[T]) over(now time.Time) bool {
	return one.state.Load() == abandoned || !now.Before(one.deadline)
}

// queue is a FIFO of calls, linked through them.
type queue[T any] struct{ head, tail *call[T] }

func (q *queue[T]) front() *call[T] { return q.head }

func (q *queue[T]) push(one *call[T]) {
	one.next = nil
	if q.tail == nil {
		q.head = one
	} else {
		q.tail.next = one
	}
	q.tail = one
}

func (q *queue[T]) pop() {
	one := q.head
	q.head = one.next
	if q.head == nil {
		q.tail = nil
	}
	one.next = nil
}

func (c *combiner[T]) newTimer(d time.Duration) *time.Timer {
	if t, ok := c.timers.Get().(*time.Timer); ok {
		t.Reset(d)
		return t
	}
	return time.NewTimer(d)
}

func (c *combiner[T]) releaseTimer(t *time.Timer) {
	t.Stop()
	c.timers.Put(t)
}
