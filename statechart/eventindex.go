package statechart

// eventIndex holds the declared events of a chart, so that a name or descriptor
// finds them in one look-up.
type eventIndex struct {
	decls []EventDecl
	named map[string]*EventDecl
	match map[string][]*EventDecl // by every descriptor that matches them
	types map[fieldKey][]FieldType
}

type fieldKey struct{ descriptor, field string }

// matches returns the declared events that a descriptor matches.
func (x *eventIndex) matches(descriptor string) []*EventDecl { return x.match[descriptor] }

// typesOf returns the types that the events which a descriptor matches declare
// for a field, each once.
func (x *eventIndex) typesOf(descriptor, field string) []FieldType {
	key := fieldKey{descriptor, field}
	if types, ok := x.types[key]; ok {
		return types
	}
	var types []FieldType
	seen := make(map[FieldType]bool)
	for _, e := range x.match[descriptor] {
		for _, f := range e.Fields {
			if f.Name == field && !seen[f.Type] {
				seen[f.Type] = true
				types = append(types, f.Type)
			}
		}
	}
	x.types[key] = types
	return types
}

// add files e under its name and under every descriptor that matches it.
func (x *eventIndex) add(e *EventDecl) {
	x.named[e.Name] = e
	for i := range len(e.Name) {
		if e.Name[i] == '.' {
			x.match[e.Name[:i]] = append(x.match[e.Name[:i]], e)
		}
	}
	x.match[e.Name] = append(x.match[e.Name], e)
}

// eventsKey tells lists of declarations apart. The machines of a file share one,
// which must not be checked again for each.
type eventsKey struct {
	first   *EventDecl
	n       int
	profile Profile
}

func (c *compiler) declareEvents() {
	var key eventsKey
	if n := len(c.def.Events); n > 0 {
		key = eventsKey{&c.def.Events[0], n, c.chart.profile}
	}
	c.events = c.eventLists[key]
	if c.events == nil {
		c.events = c.indexEvents()
		c.eventLists[key] = c.events
	}
	c.chart.events = c.events.decls
}

// indexEvents checks the declared events.
func (c *compiler) indexEvents() *eventIndex {
	x := &eventIndex{
		decls: make([]EventDecl, len(c.def.Events)), named: make(map[string]*EventDecl),
		match: make(map[string][]*EventDecl), types: make(map[fieldKey][]FieldType),
	}
	for i, e := range c.def.Events {
		e.Fields, e.Doc = c.fields(e), docText(e.Doc)
		x.decls[i] = e
		if fault := eventFault(e.Name); fault != "" {
			c.fail("bad_name", e.Pos, nil, "the name %q of an event %s", e.Name, fault)
			continue
		}
		if ReservedEvent(e.Name, c.chart.profile) {
			c.fail("reserved_event", e.Pos, nil, "%q is an event that the step itself makes", e.Name)
		}
		if x.named[e.Name] != nil {
			c.fail("duplicate", e.Pos, nil, "the event %q is declared twice", e.Name)
			continue
		}
		x.add(&x.decls[i])
	}
	return x
}

func (c *compiler) fields(e EventDecl) []Field {
	fields := make([]Field, len(e.Fields))
	seen := make(map[string]bool)
	for i, f := range e.Fields {
		fields[i] = f
		c.text("field", f.Name, or(f.Pos, e.Pos), nil)
		switch f.Type {
		case String, Int, Float, Bool, Any:
		default:
			c.fail("syntax", or(f.Pos, e.Pos), nil, "field %q of %q: there is no type %q", f.Name, e.Name, string(f.Type)).
				Hint = "the types are string, int, float, bool and any"
		}
		if seen[f.Name] {
			c.fail("duplicate", or(f.Pos, e.Pos), nil, "the event %q declares the field %q twice", e.Name, f.Name)
		}
		seen[f.Name] = true
	}
	return fields
}
