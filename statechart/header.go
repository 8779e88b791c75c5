package statechart

import "strings"

// header takes over what belongs to the chart as a whole. An inline chart has
// the declarations of the chart around it.
func (c *compiler) header() {
	d := c.def
	if c.outer != nil {
		o := c.outer
		c.chart.profile, c.chart.events, c.chart.handlers = o.chart.profile, o.chart.events, o.chart.handlers
		c.events = o.events
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
