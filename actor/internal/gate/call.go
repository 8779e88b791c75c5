package gate

import "sync/atomic"

// Call is one piece of work for one execution. It is used once.
type Call struct {
	// Work is what is to be done; the gate does not look at it.
	Work any
	// Urgent calls go ahead of others, have room always, and end a pause.
	Urgent bool
	// Done, if set, is called by Finish. It must be quick. A call with Done is for
	// Post, one without is for Do or for nobody.
	Done func(err error)

	entry      *entry
	prev, next *Call
	list       *list
	state      atomic.Int32
	err        error
	wake       chan struct{}
}

// The states of a call. Invariant: queued → started → finished, or queued →
// abandoned; a started call may go back to queued (Unclaim).
const (
	queued int32 = iota
	started
	abandoned
	finished
)

// Claim reports whether the call is to be carried out: from now on its caller
// cannot say any more that it certainly has no effect. It is false if the caller
// has abandoned the call; then it must be left alone.
func (c *Call) Claim() bool {
	return c.state.CompareAndSwap(queued, started) || c.state.Load() == started
}

// Unclaim says that a claimed call had no effect so far and will be tried again,
// so that its caller may still abandon it.
func (c *Call) Unclaim() { c.state.CompareAndSwap(started, queued) }

// Abandoned reports whether the caller has gone before the call was started.
func (c *Call) Abandoned() bool { return c.state.Load() == abandoned }

// Settled reports whether the call is finished or abandoned.
func (c *Call) Settled() bool { return c.state.Load() >= abandoned }

// Finish answers the call. A second Finish, and one of an abandoned call, does
// nothing; it reports whether it was the one that answered.
func (c *Call) Finish(err error) bool {
	if s := c.state.Load(); s == finished || s == abandoned {
		return false
	}
	c.err = err
	if !c.settle() {
		return false
	}
	switch {
	case c.Done != nil:
		c.Done(err)
	case c.wake != nil:
		c.wake <- struct{}{} // never blocks: capacity 1, sent once
	}
	return true
}

// settle moves the call to finished; false if it was abandoned before.
func (c *Call) settle() bool {
	return c.state.CompareAndSwap(started, finished) || c.state.CompareAndSwap(queued, finished)
}

// list is a doubly linked list of calls, so that an abandoned one leaves at once.
type list struct {
	head, tail *Call
	len        int
}

func (l *list) pushBack(c *Call) {
	c.list, c.prev, c.next = l, l.tail, nil
	if l.tail == nil {
		l.head = c
	} else {
		l.tail.next = c
	}
	l.tail = c
	l.len++
}

func (l *list) pushFront(c *Call) {
	c.list, c.prev, c.next = l, nil, l.head
	if l.head == nil {
		l.tail = c
	} else {
		l.head.prev = c
	}
	l.head = c
	l.len++
}

func (l *list) remove(c *Call) {
	if c.prev == nil {
		l.head = c.next
	} else {
		c.prev.next = c.next
	}
	if c.next == nil {
		l.tail = c.prev
	} else {
		c.next.prev = c.prev
	}
	c.list, c.prev, c.next = nil, nil, nil
	l.len--
}

func (l *list) popFront() *Call {
	c := l.head
	if c != nil {
		l.remove(c)
	}
	return c
}
