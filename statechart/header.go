package statechart

import "strings"

// header takes over what belongs to the chart as a whole. An inline chart has
// the declarations of the chart around it.
func (c *compiler) header() {
	d := c.def
	if c.outer != nil {
		o := c.outer
		c.chart.profile, c.chart.events, c.chart.handlers = o.chart.profile, o.chart.events, o.chart.handlers
		c.event = o.event
		return
	}
	c.chart.name, c.chart.version, c.chart.profile, c.chart.doc = d.Name, d.Version, d.Profile, docText(d.Doc)
	c.checkName("chart", d.Name, d.Pos, nil)
	if d.Profile != ProfileNone && d.Profile != ProfileSCXML {
		c.fail("syntax", d.Pos, nil, "there is no profile %q", string(d.Profile)).Hint = `the only profile is "scxml"`
	}
	c.text("version", d.Version, d.Pos, nil)
	c.declareEvents()
	c.declareGuards()
	c.declareBindings()
}

func (c *compiler) declareEvents() {
	c.event = make(map[string][]*EventDecl)
	seen := make(map[string]bool)
	c.chart.events = make([]EventDecl, len(c.def.Events))
	for i, e := range c.def.Events {
		e.Fields = c.fields(e)
		e.Doc = docText(e.Doc)
		c.chart.events[i] = e
		if fault := eventFault(e.Name); fault != "" {
			c.fail("bad_name", e.Pos, nil, "the name %q of an event %s", e.Name, fault)
			continue
		}
		if ReservedEvent(e.Name, c.chart.profile) {
			c.fail("reserved_event", e.Pos, nil, "%q is an event that the step itself makes", e.Name)
		}
		if seen[e.Name] {
			c.fail("duplicate", e.Pos, nil, "the event %q is declared twice", e.Name)
			continue
		}
		seen[e.Name] = true
		c.indexEvent(&c.chart.events[i])
	}
}

// indexEvent files e under every descriptor that matches it.
func (c *compiler) indexEvent(e *EventDecl) {
	for i := range len(e.Name) {
		if e.Name[i] == '.' {
			c.event[e.Name[:i]] = append(c.event[e.Name[:i]], e)
		}
	}
	c.event[e.Name] = append(c.event[e.Name], e)
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

func (c *compiler) declareGuards() {
	c.named = make(map[string]*namedGuard)
	for _, g := range c.def.Guards {
		if g == nil {
			continue
		}
		if !isName(g.Name) {
			c.fail("bad_name", g.Pos, nil, "the name %q of a guard must be a word that is not reserved", g.Name)
		}
		if c.named[g.Name] != nil {
			c.fail("duplicate", g.Pos, nil, "the guard %q is declared twice", g.Name)
			continue
		}
		c.named[g.Name] = &namedGuard{decl: g}
		c.declare(c.declaration("guard", g.Name, g.Pos))
	}
}

func (c *compiler) declareBindings() {
	c.chart.handlers = make(map[string]string, len(c.def.Bindings))
	c.bindings = make(map[string]declaration, len(c.def.Bindings))
	c.bound = make(map[string]bool)
	for _, b := range c.def.Bindings {
		if !isWord(b.Name) {
			c.fail("bad_name", b.Pos, nil, "the name %q in a bind must be a word", b.Name)
		}
		if !isHandler(b.Handler) {
			c.fail("bad_name", b.Pos, nil, "the handler name %q must be words joined by dots", b.Handler)
		}
		if _, ok := c.chart.handlers[b.Name]; ok {
			c.fail("duplicate", b.Pos, nil, "the name %q is bound twice", b.Name)
			continue
		}
		c.chart.handlers[b.Name] = b.Handler
		c.bindings[b.Name] = c.declaration("bind", b.Name, b.Pos)
		c.declare(c.bindings[b.Name])
	}
}

// text checks what is written as a Str: it must be UTF-8.
func (c *compiler) text(what, s string, pos Pos, about *State) {
	if strings.ToValidUTF8(s, "") != s {
		c.fail("syntax", pos, about, "the %s %q is not UTF-8", what, s)
	}
}
