package scxml

import (
	"encoding/xml"
	"errors"
	"io"
	"strings"

	"github.com/durachart/durachart/statechart"
)

// node is an element of the document.
type node struct {
	name  string // local name
	attrs map[string]string
	kids  []*node
	text  string // character data directly inside
	pos   statechart.Pos
}

func (n *node) attr(name string) string { return n.attrs[name] }

func (n *node) has(name string) bool { _, ok := n.attrs[name]; return ok }

// first returns the first child element of that name, or nil.
func (n *node) first(name string) *node {
	for _, k := range n.kids {
		if k.name == name {
			return k
		}
	}
	return nil
}

// all returns the child elements of that name.
func (n *node) all(name string) []*node {
	var out []*node
	for _, k := range n.kids {
		if k.name == name {
			out = append(out, k)
		}
	}
	return out
}

// walk calls f for n and everything below it, but not into documents that stand
// inside of it.
func (n *node) walk(f func(*node)) {
	f(n)
	for _, k := range n.kids {
		if k.name != "scxml" {
			k.walk(f)
		}
	}
}

var errNoDocument = errors.New("no element")

// parseXML reads a document into a tree. The error is a syntax error of the XML,
// at the returned position.
func parseXML(file string, r io.Reader) (*node, statechart.Pos, error) {
	d := xml.NewDecoder(r)
	d.CharsetReader = func(_ string, in io.Reader) (io.Reader, error) { return in, nil }
	var root *node
	var open []*node
	for {
		line, column := d.InputPos()
		pos := statechart.Pos{File: file, Line: line, Column: column}
		tok, err := d.Token()
		if err == io.EOF {
			if root == nil {
				return nil, pos, errNoDocument
			}
			return root, pos, nil
		}
		if err != nil {
			return nil, pos, err
		}
		switch t := tok.(type) {
		case xml.StartElement:
			n := &node{name: t.Name.Local, attrs: attributes(t.Attr), pos: pos}
			if len(open) > 0 {
				parent := open[len(open)-1]
				parent.kids = append(parent.kids, n)
			} else if root == nil {
				root = n
			}
			open = append(open, n)
		case xml.EndElement:
			open = open[:len(open)-1]
		case xml.CharData:
			if len(open) > 0 {
				open[len(open)-1].text += string(t)
			}
		}
	}
}

func attributes(in []xml.Attr) map[string]string {
	out := make(map[string]string, len(in))
	for _, a := range in {
		if a.Name.Space == "xmlns" || a.Name.Local == "xmlns" {
			continue
		}
		out[a.Name.Local] = strings.TrimSpace(a.Value)
	}
	return out
}

// words normalises white space as the Recommendation wants for text content.
func words(s string) string { return strings.Join(strings.Fields(s), " ") }
