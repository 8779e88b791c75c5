package memstore

import "slices"

// siftUp moves the last of items up a heap with the least at the root.
func siftUp[T any](items []T, less func(a, b T) bool) {
	for i := len(items) - 1; i > 0; {
		parent := (i - 1) / 2
		if !less(items[i], items[parent]) {
			return
		}
		items[i], items[parent] = items[parent], items[i]
		i = parent
	}
}

// siftDown moves the first of items down such a heap.
func siftDown[T any](items []T, less func(a, b T) bool) {
	for i := 0; ; {
		child := 2*i + 1
		if child >= len(items) {
			return
		}
		if child+1 < len(items) && less(items[child+1], items[child]) {
			child++
		}
		if !less(items[child], items[i]) {
			return
		}
		items[i], items[child] = items[child], items[i]
		i = child
	}
}

// best keeps the first limit items of an order, whatever the order they come in.
type best[T any] struct {
	limit int
	less  func(a, b T) bool // the order
	items []T               // a heap with the last of them at the root
}

// wants reports whether item is among the first of those that were offered.
func (b *best[T]) wants(item T) bool {
	return len(b.items) < b.limit || b.less(item, b.items[0])
}

// offer takes an item that is wanted.
func (b *best[T]) offer(item T) {
	if len(b.items) < b.limit {
		b.items = append(b.items, item)
		siftUp(b.items, b.later)
		return
	}
	b.items[0] = item
	siftDown(b.items, b.later)
}

func (b *best[T]) later(x, y T) bool { return b.less(y, x) }

// sorted returns the items in their order.
func (b *best[T]) sorted() []T {
	slices.SortFunc(b.items, func(x, y T) int {
		switch {
		case b.less(x, y):
			return -1
		case b.less(y, x):
			return 1
		}
		return 0
	})
	return b.items
}
