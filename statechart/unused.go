package statechart

// usage tells which guards and bindings of a session are used. The machines of a
// file share their declarations, so that one machine alone cannot tell.
type usage struct {
	order []declaration
	by    map[declaration]*compiler // who declared it first
	used  map[declaration]bool
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

func (c *compiler) declare(d declaration) {
	u := &c.usage
	if u.by == nil {
		u.by, u.used = make(map[declaration]*compiler), make(map[declaration]bool)
	}
	if u.by[d] == nil {
		u.by[d] = c
		u.order = append(u.order, d)
	}
}

// report warns of the declarations that no chart uses.
func (u *usage) report() {
	for _, d := range u.order {
		if !u.used[d] {
			u.by[d].warn("unused", d.pos, nil, "nothing uses the %s %q", d.what, d.name)
		}
	}
}
