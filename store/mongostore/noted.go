package mongostore

import "sync"

// noted remembers executions that were reported once, so that the log has one line
// of each and not one per poll. It is bounded: past that, the oldest are forgotten
// and may be reported again. The zero value is ready.
type noted struct {
	mu  sync.Mutex
	has map[string]bool
	ids []string // the oldest first
}

const mostNoted = 256

// add reports whether id is new.
func (n *noted) add(id string) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.has[id] {
		return false
	}
	if n.has == nil {
		n.has = map[string]bool{}
	}
	if len(n.ids) == mostNoted {
		delete(n.has, n.ids[0])
		n.ids = n.ids[1:]
	}
	n.has[id] = true
	n.ids = append(n.ids, id)
	return true
}

// count returns how many are remembered.
func (n *noted) count() int {
	n.mu.Lock()
	defer n.mu.Unlock()
	return len(n.ids)
}
