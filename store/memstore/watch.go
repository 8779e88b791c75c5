package memstore

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/durachart/durachart/store"
)

// hintBuffer is how many hints wait for a slow watcher. What comes beyond is lost,
// as hints may be: the poll finds the work.
const hintBuffer = 4096

// hintList has a channel per watcher. The list is replaced as a whole, so that a
// write that nobody watches costs one load.
type hintList struct {
	mu       sync.Mutex
	watchers atomic.Pointer[[]chan string]
}

func (h *hintList) send(id string) {
	watchers := h.watchers.Load()
	if watchers == nil {
		return
	}
	for _, w := range *watchers {
		select {
		case w <- id:
		default:
		}
	}
}

func (h *hintList) add(w chan string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	var all []chan string
	if old := h.watchers.Load(); old != nil {
		all = *old
	}
	all = append(slices.Clone(all), w)
	h.watchers.Store(&all)
}

func (h *hintList) remove(w chan string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	left := slices.DeleteFunc(slices.Clone(*h.watchers.Load()), func(c chan string) bool { return c == w })
	if len(left) == 0 {
		h.watchers.Store(nil)
		return
	}
	h.watchers.Store(&left)
}

// Watch implements [store.Watcher].
func (s *Store) Watch(ctx context.Context, hint func(id string)) error {
	s.init()
	if s.closed.Load() {
		return store.OpError("watch", "", store.ErrClosed)
	}
	s.command("watch", "")
	w := make(chan string, hintBuffer)
	s.data.hints.add(w)
	defer s.data.hints.remove(w)
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-s.gone:
			return store.OpError("watch", "", store.ErrClosed)
		case id := <-w:
			hint(id)
		}
	}
}
