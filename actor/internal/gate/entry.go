package gate

import (
	"sync"
	"time"
)

// Behavior is what one execution does with its calls. Its Run is never called
// twice at a time.
type Behavior interface {
	// Run carries out calls in order; wake says that Wake was called since the last
	// run. It finishes each call, unless the caller has abandoned it, or hands it
	// back in Next.Back. It must not keep the slice.
	Run(calls []*Call, wake bool) Next
	// Rest is called when nothing is left to do, on the goroutine of the run and
	// under a lock of the gate: it must be quick and must not call the gate.
	Rest()
}

// Next says how an entry goes on after a run.
type Next struct {
	// Back are calls of the run that are not finished; they stand at the head of
	// the queue again, in this order.
	Back []*Call
	// Again asks for another run although no call may be waiting.
	Again bool
	// Pause is how long the entry rests if there is something in Back or Again.
	// An urgent call ends it.
	Pause time.Duration
	// Leave says that the entry is not worth keeping in memory when it gets idle.
	Leave bool
}

// entry is one active execution. Its fields, but for the handle and the behavior,
// are guarded by the mutex of its shard; those two belong to the run.
type entry struct {
	id       string
	gate     *Gate
	shard    *shard
	born     uint64 // number of the incarnation, from 1
	behavior Behavior
	handle   Handle

	urgent  list
	queue   list
	waiting list

	last    int64 // coarse time at which it got idle
	timer   *time.Timer
	running bool
	paused  bool
	wake    bool
	again   bool
	leave   bool // not worth keeping, says the behavior
	forget  bool // to go when idle, says Forget
}

// shard is a part of the registry.
type shard struct {
	mu      sync.Mutex
	entries map[string]*entry
	_       [40]byte // its own cache line
}

// idle reports whether nothing is queued, waiting, running or paused.
func (e *entry) idle() bool {
	return !e.running && !e.paused && !e.wake && !e.again &&
		e.urgent.len == 0 && e.queue.len == 0 && e.waiting.len == 0
}

// take moves calls to batch, urgent ones first. When there are urgent ones no
// other is taken: they may change what the others will meet.
func (e *entry) take(batch []*Call, limit, size int) []*Call {
	from := &e.queue
	if e.urgent.len > 0 {
		from = &e.urgent
	}
	for len(batch) < limit && from.len > 0 {
		batch = append(batch, from.popFront())
	}
	e.admit(size)
	return batch
}

// admit moves those who wait for room to the queue, in order.
func (e *entry) admit(size int) {
	for e.waiting.len > 0 && e.queue.len < size {
		e.queue.pushBack(e.waiting.popFront())
	}
}

// giveBack puts calls at the head of the queue in their order. Urgent ones go
// back among the urgent.
func (e *entry) giveBack(calls []*Call) {
	for i := len(calls) - 1; i >= 0; i-- {
		if c := calls[i]; !c.Abandoned() {
			if c.Urgent {
				e.urgent.pushFront(c)
			} else {
				e.queue.pushFront(c)
			}
		}
	}
}
