package actor

import (
	"sync"
	"sync/atomic"
)

// watchers tells those who wait for an execution that it has changed here. It is
// a hint: what other processes do is found by looking.
type watchers struct {
	any atomic.Int64 // number of registered ones: commits look at nothing else mostly
	mu  sync.Mutex
	ids map[string]map[chan struct{}]struct{}
}

// watch returns a channel that has a value soon after each change, and how to end
// it.
func (w *watchers) watch(id string) (changes <-chan struct{}, stop func()) {
	ch := make(chan struct{}, 1)
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.ids == nil {
		w.ids = make(map[string]map[chan struct{}]struct{})
	}
	if w.ids[id] == nil {
		w.ids[id] = make(map[chan struct{}]struct{})
	}
	w.ids[id][ch] = struct{}{}
	w.any.Add(1)
	return ch, func() {
		w.mu.Lock()
		defer w.mu.Unlock()
		delete(w.ids[id], ch)
		if len(w.ids[id]) == 0 {
			delete(w.ids, id)
		}
		w.any.Add(-1)
	}
}

func (w *watchers) changed(id string) {
	if w.any.Load() == 0 {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	for ch := range w.ids[id] {
		select {
		case ch <- struct{}{}:
		default: // it has not looked since the last change
		}
	}
}
