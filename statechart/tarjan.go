package statechart

// tarjan finds the strongly connected parts of a graph whose nodes are numbered
// from 0. It keeps its own stack: a path may be as long as a chart is large.
type tarjan struct {
	next func(v int) []int

	number, low []int // from 1; 0 means not seen
	open        []bool
	stack       []int
	calls       []call
	count       int
}

// call is a node whose followers are being visited.
type call struct{ node, follower int }

// run calls found with each part, of n nodes.
func (t *tarjan) run(n int, found func(part []int)) {
	t.number, t.low, t.open = make([]int, n), make([]int, n), make([]bool, n)
	for v := range n {
		if t.number[v] == 0 {
			t.visit(v, found)
		}
	}
}

func (t *tarjan) visit(v int, found func(part []int)) {
	t.begin(v)
	for len(t.calls) > 0 {
		c := &t.calls[len(t.calls)-1]
		node := c.node
		if followers := t.next(node); c.follower < len(followers) {
			w := followers[c.follower]
			c.follower++
			if t.number[w] == 0 {
				t.begin(w)
			} else if t.open[w] {
				t.low[node] = min(t.low[node], t.number[w])
			}
			continue
		}
		t.calls = t.calls[:len(t.calls)-1]
		if len(t.calls) > 0 {
			caller := t.calls[len(t.calls)-1].node
			t.low[caller] = min(t.low[caller], t.low[node])
		}
		if t.low[node] == t.number[node] {
			found(t.pop(node))
		}
	}
}

func (t *tarjan) begin(v int) {
	t.count++
	t.number[v], t.low[v], t.open[v] = t.count, t.count, true
	t.stack = append(t.stack, v)
	t.calls = append(t.calls, call{node: v})
}

// pop takes the part off the stack that node began.
func (t *tarjan) pop(node int) []int {
	for i := len(t.stack) - 1; ; i-- {
		t.open[t.stack[i]] = false
		if t.stack[i] == node {
			part := append([]int(nil), t.stack[i:]...)
			t.stack = t.stack[:i]
			return part
		}
	}
}
