package timer

import (
	"cmp"
	"container/heap"
)

// queue holds the timers that are due, by due date, then id, then name. It is a heap
// because what is overdue when it becomes known may be older than what waits already.
type queue []*node

// push adds n.
func (q *queue) push(n *node) {
	n.state = ready
	heap.Push(q, n)
}

// pop takes out the first.
func (q *queue) pop() *node { return heap.Pop(q).(*node) }

// remove takes out n.
func (q *queue) remove(n *node) { heap.Remove(q, n.index) }

// The methods of heap.Interface.

func (q queue) Len() int { return len(q) }

func (q queue) Less(i, j int) bool {
	a, b := q[i], q[j]
	return cmp.Or(cmp.Compare(a.due, b.due), cmp.Compare(a.rec.id, b.rec.id), cmp.Compare(a.name, b.name)) < 0
}

func (q queue) Swap(i, j int) {
	q[i], q[j] = q[j], q[i]
	q[i].index, q[j].index = i, j
}

// Push implements heap.Interface; use push.
func (q *queue) Push(x any) {
	n := x.(*node)
	n.index = len(*q)
	*q = append(*q, n)
}

// Pop implements heap.Interface; use pop.
func (q *queue) Pop() any {
	last := len(*q) - 1
	n := (*q)[last]
	(*q)[last] = nil
	*q = (*q)[:last]
	return n
}
