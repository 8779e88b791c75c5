package statechart

import "fmt"

// usage tells which guards and bindings of a session are used. The machines of a
// file share their declarations, so that one machine alone cannot tell.
type usage struct {
	order []declaration
	used  map[declaration]bool // false: declared only
}

// declaration identifies one. What stands in a text is known by its place, and
// so the same in all machines; what comes from Go belongs to its definition.
type declaration struct {
	what, name string
	pos        Pos
	def        *Definition
}

func (c *compiler) declaration(what, name string, pos Pos) declaration {
	d := declaration{what: what, name: name, pos: pos}
	if !pos.Known() {
		d.def = c.outermost().def
	}
	return d
}

func (u *usage) declare(d declaration) {
	if u.used == nil {
		u.used = make(map[declaration]bool)
	}
	if _, ok := u.used[d]; !ok {
		u.used[d] = false
		u.order = append(u.order, d)
	}
}

// unused reports the declarations that no chart uses.
func (u *usage) unused() Problems {
	var ps Problems
	for _, d := range u.order {
		if !u.used[d] {
			ps = append(ps, Problem{
				Code: "unused", Severity: Warning, Pos: d.pos,
				Message: fmt.Sprintf("nothing uses the %s %q", d.what, d.name),
			})
		}
	}
	return ps
}
