package proto

import "sync"

// workers runs functions on at most limit goroutines at one time, first come,
// first served. It uses goroutines again: a fresh one grows its stack by copying
// at each run, which costs more than the run's own bookkeeping.
type workers struct {
	limit int
	all   sync.WaitGroup

	mu      sync.Mutex
	running int           // places taken. Invariant: <= limit, = limit while something is queued
	idle    []chan func() // the one used last is taken first: its stack is warm
	queue   []job         // what waits for a place, from head
	head    int
	closed  bool
}

// job is a function to run, or a goroutine that wants to enter.
type job struct {
	fn    func()
	enter chan struct{}
}

// do runs fn soon.
func (w *workers) do(fn func()) {
	w.mu.Lock()
	if w.running >= w.limit {
		w.queue = append(w.queue, job{fn: fn})
		w.mu.Unlock()
		return
	}
	w.running++
	w.begin(fn)
}

// begin runs fn on a goroutine that rests, or on a new one, and unlocks.
func (w *workers) begin(fn func()) {
	if n := len(w.idle); n > 0 {
		next := w.idle[n-1]
		w.idle = w.idle[:n-1]
		w.mu.Unlock()
		next <- fn // never blocks: capacity 1, and its goroutine rests
		return
	}
	w.mu.Unlock()
	w.all.Go(func() { w.work(fn) })
}

func (w *workers) work(fn func()) {
	next := make(chan func(), 1)
	for fn != nil {
		fn()
		w.mu.Lock()
		if fn = w.pass(); fn != nil {
			w.mu.Unlock()
			continue
		}
		if w.closed || len(w.idle) >= w.limit {
			w.mu.Unlock()
			return
		}
		w.idle = append(w.idle, next)
		w.mu.Unlock()
		fn = <-next
	}
}

// pass passes the caller's place on to the first in the queue: a function, which
// the caller has to see to, or a goroutine that wants to enter. Without a queue
// the place gets free.
func (w *workers) pass() func() {
	if w.head == len(w.queue) {
		w.running--
		return nil
	}
	j := w.queue[w.head]
	w.queue[w.head] = job{}
	w.head++
	if w.head == len(w.queue) {
		w.queue, w.head = w.queue[:0], 0
	}
	if j.fn == nil {
		close(j.enter)
	}
	return j.fn
}

// leave says that the calling function waits for something other than its turn:
// another may run meanwhile. enter must follow.
func (w *workers) leave() {
	w.mu.Lock()
	if fn := w.pass(); fn != nil {
		w.begin(fn)
		return
	}
	w.mu.Unlock()
}

// enter waits for a place: of a function that left, or of a goroutine that is none
// of ours and will leave.
func (w *workers) enter() {
	w.mu.Lock()
	if w.running < w.limit {
		w.running++
		w.mu.Unlock()
		return
	}
	j := job{enter: make(chan struct{})}
	w.queue = append(w.queue, j)
	w.mu.Unlock()
	<-j.enter
}

// close ends the goroutines that rest and waits for all.
func (w *workers) close() {
	w.mu.Lock()
	w.closed = true
	for _, next := range w.idle {
		next <- nil
	}
	w.idle = nil
	w.mu.Unlock()
	w.all.Wait()
}
