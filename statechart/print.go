package statechart

import (
	"fmt"
	"strings"
)

// Text returns the canonical text of c (S101), in the language that
// statechart/stm reads: one item a line, fragments expanded, triggers in normal
// form, references written so that they resolve where they stand. Reading it
// gives a chart that is equal to c. Of a chart that c invokes it says name and
// version, except for inline ones.
//
// Each transition stands in the body of the parent of its source, behind the
// children.
func (c *Chart) Text() string { return printChart(c, true) }

// printer writes canonical text.
type printer struct {
	strings.Builder
	chart  *Chart
	docs   bool
	indent int
}

func printChart(c *Chart, docs bool) string {
	p := &printer{chart: c, docs: docs}
	p.declarations()
	p.doc(c.doc)
	p.line("machine %s {", ref(c.name))
	p.indent++
	if c.version != "" && !c.hashed {
		p.line("version %s", quote(c.version))
	}
	if c.profile != ProfileNone {
		p.line("profile %s", c.profile)
	}
	p.body(c.Root())
	p.close()
	return p.String()
}

// declarations writes what stands before the machine.
func (p *printer) declarations() {
	for _, e := range p.chart.events {
		p.doc(e.Doc)
		p.line("event %s %s", event(e.Name), fieldList(e.Fields))
	}
	for _, g := range p.chart.guards {
		p.doc(g.Doc)
		if g.Expr != nil {
			p.line("guard %s = when %s", g.Name, quote(g.Expr.Source))
		} else {
			p.line("guard %s = %s", g.Name, predicate(g.Pred, 0))
		}
	}
	if len(p.chart.handlers) > 0 {
		p.open("bind")
		for name := range sortedKeys(p.chart.handlers) {
			p.line("%s = %s", name, p.chart.handlers[name])
		}
		p.close()
	}
}

func fieldList(fields []Field) string {
	parts := make([]string, len(fields))
	for i, f := range fields {
		parts[i] = key(f.Name) + ": " + string(f.Type)
		if f.Optional {
			parts[i] += "?"
		}
	}
	return braces(parts, ", ")
}

// line writes one indented line.
func (p *printer) line(format string, args ...any) {
	for range p.indent {
		p.WriteString("  ")
	}
	fmt.Fprintf(p, format, args...)
	p.WriteByte('\n')
}

func (p *printer) open(head string) {
	p.line("%s {", head)
	p.indent++
}

func (p *printer) close() {
	p.indent--
	p.line("}")
}

func (p *printer) doc(text string) {
	if text == "" || !p.docs {
		return
	}
	for line := range strings.SplitSeq(text, "\n") {
		p.line("%s", strings.TrimRight("/// "+line, " "))
	}
}

// braces joins parts in braces.
func braces(parts []string, separator string) string {
	if len(parts) == 0 {
		return "{}"
	}
	return "{ " + strings.Join(parts, separator) + " }"
}
