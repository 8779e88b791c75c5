package proto

import "sync"

// maxIdle bounds the goroutines that rest between two runs.
const maxIdle = 512

// workers runs functions on goroutines that it uses again: a fresh goroutine
// grows its stack by copying at each run, which costs more than the run's own
// bookkeeping. It never queues: a function runs at once, on a goroutine that
// rests or on a new one.
type workers struct {
	running sync.WaitGroup

	mu     sync.Mutex
	idle   []chan func() // the one used last is taken first: its stack is warm
	closed bool
}

func (w *workers) do(fn func()) {
	w.mu.Lock()
	if n := len(w.idle); n > 0 {
		next := w.idle[n-1]
		w.idle = w.idle[:n-1]
		w.mu.Unlock()
		next <- fn // never blocks: capacity 1, and its worker rests
		return
	}
	w.mu.Unlock()
	w.running.Go(func() { w.work(fn) })
}

func (w *workers) work(fn func()) {
	next := make(chan func(), 1)
	for {
		fn()
		w.mu.Lock()
		if w.closed || len(w.idle) >= maxIdle {
			w.mu.Unlock()
			return
		}
		w.idle = append(w.idle, next)
		w.mu.Unlock()
		if fn = <-next; fn == nil {
			return
		}
	}
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
	w.running.Wait()
}
