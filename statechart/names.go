package statechart

import "strings"

// nameSet is a set of event descriptors that answers in one look-up per token of
// the name, whatever its size: routing asks it for every event (S56).
type nameSet struct {
	all   bool
	names map[string]struct{}
}

func (n *nameSet) add(descriptor string) {
	if descriptor == "*" {
		n.all = true
		return
	}
	if n.names == nil {
		n.names = make(map[string]struct{})
	}
	n.names[descriptor] = struct{}{}
}

// matches reports whether one descriptor's tokens are the first of name (S17).
func (n *nameSet) matches(name string) bool {
	if n == nil {
		return false
	}
	if n.all {
		return true
	}
	if len(n.names) == 0 {
		return false
	}
	for {
		if _, ok := n.names[name]; ok {
			return true
		}
		dot := strings.LastIndexByte(name, '.')
		if dot < 0 {
			return false
		}
		name = name[:dot]
	}
}
