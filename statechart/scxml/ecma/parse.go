package ecma

import (
	"fmt"
	"slices"
)

// node is an expression.
type node struct {
	op   string // "number", "text", "name", "list", "object", "call", ".", "[]", "?:", or the operator
	text string // number, text, name; the member of "."
	kids []*node
	keys []string // object
}

// The words that begin a statement or are operators that are not read; alone they
// are no expression.
var statements = []string{
	"break", "case", "catch", "continue", "debugger", "default", "do", "else", "finally", "for", "if",
	"return", "switch", "throw", "try", "var", "let", "const", "while", "with", "in", "instanceof", "class", "enum", "export", "extends", "import", "super",
}

// Words that begin expressions which are not read.
var beyond = []string{"function", "new", "delete", "void", "this", "await", "async", "yield"}

type parser struct {
	toks []token
	pos  int
}

// parse reads a whole expression.
func parse(src string) (*node, error) {
	toks, err := lex(src)
	if err != nil {
		return nil, err
	}
	p := &parser{toks: toks}
	n, err := p.conditional()
	if err != nil {
		return nil, err
	}
	if t := p.peek(); t.kind != end {
		if t.kind == word && (t.text == "in" || t.text == "instanceof") {
			return nil, fmt.Errorf("%w: operator %s", ErrUnsupported, t.text)
		}
		return nil, fmt.Errorf("%w: unexpected %q", ErrSyntax, t.text)
	}
	return n, nil
}

func (p *parser) peek() token { return p.toks[p.pos] }

func (p *parser) take(punctuation string) bool {
	if t := p.peek(); t.kind == punct && t.text == punctuation {
		p.pos++
		return true
	}
	return false
}

func (p *parser) expect(punctuation string) error {
	if !p.take(punctuation) {
		return fmt.Errorf("%w: %q expected", ErrSyntax, punctuation)
	}
	return nil
}

func (p *parser) conditional() (*node, error) {
	cond, err := p.binary(0)
	if err != nil || !p.take("?") {
		return cond, err
	}
	yes, err := p.conditional()
	if err != nil {
		return nil, err
	}
	if err := p.expect(":"); err != nil {
		return nil, err
	}
	no, err := p.conditional()
	return &node{op: "?:", kids: []*node{cond, yes, no}}, err
}

// levels are the binary operators, loosest first.
var levels = [][]string{
	{"||"}, {"&&"}, {"===", "!==", "==", "!="}, {"<=", ">=", "<", ">"}, {"+", "-"}, {"*", "/", "%"},
}

func (p *parser) binary(level int) (*node, error) {
	if level == len(levels) {
		return p.unary()
	}
	left, err := p.binary(level + 1)
	for err == nil {
		t := p.peek()
		if t.kind != punct || !slices.Contains(levels[level], t.text) {
			break
		}
		p.pos++
		var right *node
		if right, err = p.binary(level + 1); err == nil {
			left = &node{op: t.text, kids: []*node{left, right}}
		}
	}
	return left, err
}

func (p *parser) unary() (*node, error) {
	t := p.peek()
	if t.kind == word && t.text == "typeof" {
		p.pos++
		kid, err := p.unary()
		return &node{op: "typeof", kids: []*node{kid}}, err
	}
	for _, op := range []string{"!", "-", "+"} {
		if p.take(op) {
			kid, err := p.unary()
			return &node{op: "u" + op, kids: []*node{kid}}, err
		}
	}
	return p.postfix()
}

func (p *parser) postfix() (*node, error) {
	n, err := p.primary()
	for err == nil {
		switch {
		case p.take("."):
			t := p.peek()
			if t.kind != word {
				return nil, fmt.Errorf("%w: member name expected", ErrSyntax)
			}
			p.pos++
			n = &node{op: ".", text: t.text, kids: []*node{n}}
		case p.take("["):
			var index *node
			if index, err = p.conditional(); err == nil {
				err = p.expect("]")
			}
			n = &node{op: "[]", kids: []*node{n, index}}
		case p.take("("):
			var args []*node
			args, err = p.list(")")
			n = &node{op: "call", kids: append([]*node{n}, args...)}
		default:
			return n, nil
		}
	}
	return nil, err
}

func (p *parser) list(closing string) ([]*node, error) {
	var out []*node
	for !p.take(closing) {
		if len(out) > 0 {
			if err := p.expect(","); err != nil {
				return nil, err
			}
			if p.take(closing) {
				break
			}
		}
		n, err := p.conditional()
		if err != nil {
			return nil, err
		}
		out = append(out, n)
	}
	return out, nil
}

func (p *parser) primary() (*node, error) {
	t := p.peek()
	switch t.kind {
	case number:
		p.pos++
		return &node{op: "number", text: t.text}, nil
	case text:
		p.pos++
		return &node{op: "text", text: t.text}, nil
	case word:
		if slices.Contains(statements, t.text) {
			return nil, fmt.Errorf("%w: %s", ErrSyntax, t.text)
		}
		if slices.Contains(beyond, t.text) {
			return nil, fmt.Errorf("%w: %s", ErrUnsupported, t.text)
		}
		p.pos++
		return &node{op: "name", text: t.text}, nil
	}
	switch {
	case p.take("("):
		n, err := p.conditional()
		if err != nil {
			return nil, err
		}
		return n, p.expect(")")
	case p.take("["):
		kids, err := p.list("]")
		return &node{op: "list", kids: kids}, err
	case p.take("{"):
		return p.object()
	}
	return nil, fmt.Errorf("%w: unexpected %q", ErrSyntax, t.text)
}

func (p *parser) object() (*node, error) {
	n := &node{op: "object"}
	for !p.take("}") {
		if len(n.keys) > 0 {
			if err := p.expect(","); err != nil {
				return nil, err
			}
			if p.take("}") {
				break
			}
		}
		t := p.peek()
		if t.kind == punct || t.kind == end {
			return nil, fmt.Errorf("%w: key expected", ErrSyntax)
		}
		p.pos++
		if err := p.expect(":"); err != nil {
			return nil, err
		}
		v, err := p.conditional()
		if err != nil {
			return nil, err
		}
		n.keys, n.kids = append(n.keys, t.text), append(n.kids, v)
	}
	return n, nil
}
