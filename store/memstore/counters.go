package memstore

import (
	"context"
	"fmt"
	"math"
	"sync"

	"github.com/durachart/durachart/store"
)

// counterTable holds the last number that each counter gave out.
type counterTable struct {
	mu   sync.Mutex
	last map[string]int64
}

// NextBlock implements [store.Counters].
func (s *Store) NextBlock(ctx context.Context, name string, n int64) (int64, error) {
	first, err := s.nextBlock(ctx, name, n)
	return first, store.OpError("next block", name, err)
}

func (s *Store) nextBlock(ctx context.Context, name string, n int64) (int64, error) {
	if err := s.begin(ctx); err != nil {
		return 0, err
	}
	if err := store.CheckBlock(name, n); err != nil {
		return 0, err
	}
	s.command("update", "")
	t := &s.data.counters
	t.mu.Lock()
	defer t.mu.Unlock()
	if s.closed.Load() {
		return 0, store.ErrClosed
	}
	if t.last == nil {
		t.last = make(map[string]int64)
	}
	if n > math.MaxInt64-t.last[name] {
		return 0, fmt.Errorf("%w: n: the counter would overflow", store.ErrInvalidArgument)
	}
	first := t.last[name] + 1
	t.last[name] += n
	return first, nil
}
