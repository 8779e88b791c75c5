package statechart

import "strings"

// Descriptor is an event descriptor (S17). Name is without a trailing ".*"; "*"
// matches every name. For done.state.X, done.invoke.X and error.invoke.X in a
// trigger Exact is set: they match that very name only, and State is X.
type Descriptor struct {
	Name  string
	Exact bool
	State *State
	Pos   Pos
}

// Matches reports whether the tokens of d are the first tokens of name.
func (d Descriptor) Matches(name string) bool {
	if d.Name == "*" {
		return true
	}
	if !strings.HasPrefix(name, d.Name) {
		return false
	}
	return len(name) == len(d.Name) || (!d.Exact && name[len(d.Name)] == '.')
}
