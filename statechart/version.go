package statechart

import (
	"crypto/sha256"
	"encoding/hex"
	"io"
	"slices"
)

// fixVersions gives every chart its version, and every invoke of a known chart
// the name and version of that (S13, S63). The hash of a chart covers the
// versions of what it invokes, so those come first.
//
// Charts without a declared version that invoke each other in a circle cannot
// wait for each other: the hash of each is then taken over the texts of all of
// them, in which they name each other without a version.
func (s *session) fixVersions() {
	v := versioner{session: s, seen: make(map[*compiler]*visit)}
	for _, c := range s.order {
		v.visit(c)
	}
}

// versioner finds the circles: it is Tarjan's algorithm.
type versioner struct {
	*session
	seen  map[*compiler]*visit
	stack []*compiler
}

type visit struct {
	number, low int
	open        bool // still on the stack
}

func (v *versioner) visit(c *compiler) *visit {
	if n := v.seen[c]; n != nil {
		return n
	}
	n := &visit{number: len(v.seen), low: len(v.seen), open: true}
	v.seen[c] = n
	v.stack = append(v.stack, c)
	for _, target := range c.invoked() {
		if m := v.visit(target); m.open {
			n.low = min(n.low, m.low)
		}
	}
	if n.low == n.number {
		at := slices.Index(v.stack, c)
		v.settle(slices.Clone(v.stack[at:]))
		v.stack = v.stack[:at]
	}
	return n
}

// settle fixes the versions of charts that invoke each other in a circle, or of
// one chart.
func (v *versioner) settle(circle []*compiler) {
	alone := len(circle) == 1 && !slices.Contains(circle[0].invoked(), circle[0])
	for _, c := range circle {
		v.seen[c].open = false
		c.pinInvokes()
	}
	texts := make([]string, len(circle))
	for i, c := range circle {
		texts[i] = printChart(c.chart, false)
	}
	rest := circleDigest(texts)
	for i, c := range circle {
		if c.chart.version == "" {
			c.chart.version, c.chart.hashed = contentHash(texts[i], rest), alone
		}
	}
	for _, c := range circle {
		c.pinInvokes()
		for _, in := range c.withInline() {
			in.chart.version, in.chart.hashed = c.chart.version, c.chart.hashed
		}
	}
}

// circleDigest covers the texts of all charts of a circle, in an order that does
// not depend on where it was entered. One chart alone needs none.
func circleDigest(texts []string) []byte {
	if len(texts) == 1 {
		return nil
	}
	h := sha256.New()
	for _, t := range slices.Sorted(slices.Values(texts)) {
		io.WriteString(h, t)
	}
	return h.Sum(nil)
}

// contentHash hashes the text of a chart and, behind it, the digest of its circle.
func contentHash(text string, circle []byte) string {
	h := sha256.New()
	io.WriteString(h, text)
	h.Write(circle)
	return hex.EncodeToString(h.Sum(nil))[:16]
}

// invoked returns the definitions without a declared version whose charts c
// invokes: their hashes must be known before that of c.
func (c *compiler) invoked() []*compiler {
	var out []*compiler
	for _, in := range c.withInline() {
		for i, s := range in.chart.states {
			if s.Invoke == nil || s.Invoke.Inline != nil {
				continue
			}
			if m := c.machine(in.decls[i].Invoke.Chart); m != nil && m.Version == "" {
				out = append(out, c.compiled[m])
			}
		}
	}
	return out
}

// pinInvokes gives every invoke of a known chart its name and version, and the
// chart a list of what it brings along. It may be repeated.
func (c *compiler) pinInvokes() {
	for _, in := range c.withInline() {
		in.chart.charts = nil
		listed := map[*Chart]bool{in.chart: true}
		for i, s := range in.chart.states {
			if s.Invoke == nil {
				continue
			}
			target := s.Invoke.Inline
			if target == nil {
				d := in.decls[i].Invoke
				s.Invoke.Chart, s.Invoke.Version = d.Chart, d.Version
				target = c.known(d)
			}
			if target == nil {
				continue
			}
			s.Invoke.Chart, s.Invoke.Version = target.name, target.version
			if !listed[target] {
				listed[target] = true
				in.chart.charts = append(in.chart.charts, target)
			}
		}
	}
}

// withInline returns c and the compilers of its inline charts, at any depth.
func (c *compiler) withInline() []*compiler {
	all := []*compiler{c}
	for _, in := range c.inline {
		all = append(all, in.withInline()...)
	}
	return all
}

// known returns the machine or imported chart that d names, or nil. One of
// another version than d asks for is not meant.
func (c *compiler) known(d *InvokeDecl) *Chart {
	target := c.importedChart(d.Chart)
	if m := c.machine(d.Chart); m != nil {
		target = c.compiled[m].chart
	}
	if target != nil && d.Version != "" && target.version != "" && target.version != d.Version {
		return nil
	}
	return target
}
