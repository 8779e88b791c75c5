package ecma

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Scope says what the names of an expression mean.
type Scope struct {
	// State gives the path of the state with that id.
	State func(id string) (path string, ok bool)
	// Fixed are names with a constant value, written as CEL: "_name" is one.
	Fixed map[string]string
}

// Data is the member of an event's data that holds a payload which is no object:
// the data of an execution's events always is one.
const Data = "_data"

// Condition writes src as a boolean CEL expression.
func Condition(src string, s Scope) (string, error) { return s.write(src, (*writer).truth) }

// Value writes src as a CEL expression.
func Value(src string, s Scope) (string, error) {
	return s.write(src, func(w *writer, n *node) string { return w.expr(n).cel })
}

// Constant returns the value of src if it is a text or number literal, as text.
func Constant(src string) (string, bool) {
	n, err := parse(src)
	if err != nil || (n.op != "text" && n.op != "number") {
		return "", false
	}
	return n.text, true
}

func (s Scope) write(src string, f func(*writer, *node) string) (string, error) {
	n, err := parse(src)
	if err != nil {
		return "", err
	}
	w := &writer{scope: s}
	out := f(w, n)
	return out, w.err
}

// hint is what is known of the type of a written expression.
type hint uint8

const (
	unknown hint = iota
	boolean
	textual
	numeric
)

type written struct {
	cel  string
	hint hint
}

type writer struct {
	scope Scope
	err   error // the first thing that cannot be written
}

func (w *writer) unsupported(format string, args ...any) written {
	if w.err == nil {
		w.err = fmt.Errorf("%w: %s", ErrUnsupported, fmt.Sprintf(format, args...))
	}
	return written{cel: "null"}
}

// truth writes n as a boolean: what ECMAScript calls falsy is false.
func (w *writer) truth(n *node) string {
	e := w.expr(n)
	if e.hint == boolean {
		return e.cel
	}
	return fmt.Sprintf(`!(%s in [false, 0, "", null])`, e.cel)
}

func (w *writer) expr(n *node) written {
	switch n.op {
	case "number":
		return written{n.text, numeric}
	case "text":
		return written{quote(n.text), textual}
	case "name":
		return w.name(n.text)
	case "list":
		parts := make([]string, len(n.kids))
		for i, k := range n.kids {
			parts[i] = w.expr(k).cel
		}
		return written{"[" + strings.Join(parts, ", ") + "]", unknown}
	case "object":
		parts := make([]string, len(n.kids))
		for i, k := range n.kids {
			parts[i] = quote(n.keys[i]) + ": " + w.expr(k).cel
		}
		return written{"{" + strings.Join(parts, ", ") + "}", unknown}
	case ".", "[]":
		return w.member(n)
	case "call":
		return w.call(n)
	case "?:":
		yes, no := w.expr(n.kids[1]), w.expr(n.kids[2])
		return written{fmt.Sprintf("(%s ? dyn(%s) : dyn(%s))", w.truth(n.kids[0]), yes.cel, no.cel), unknown}
	case "typeof":
		return w.typeName(n.kids[0])
	default:
		return w.operator(n)
	}
}

func (w *writer) operator(n *node) written {
	switch n.op {
	case "&&", "||":
		return written{fmt.Sprintf("(%s %s %s)", w.truth(n.kids[0]), n.op, w.truth(n.kids[1])), boolean}
	case "u!":
		return written{"!" + parens(w.truth(n.kids[0])), boolean}
	case "u-":
		return written{"-" + parens(w.expr(n.kids[0]).cel), numeric}
	case "u+":
		return written{w.expr(n.kids[0]).cel, numeric}
	case "===", "==", "!==", "!=":
		return w.equality(n)
	}
	a, b := w.expr(n.kids[0]), w.expr(n.kids[1])
	switch n.op {
	case "<", "<=", ">", ">=":
		return written{fmt.Sprintf("(dyn(%s) %s dyn(%s))", a.cel, n.op, b.cel), boolean}
	case "+":
		if a.hint == textual || b.hint == textual {
			return written{fmt.Sprintf("(%s + %s)", asText(a), asText(b)), textual}
		}
		return written{fmt.Sprintf("(dyn(%s) + dyn(%s))", a.cel, b.cel), hintOfSum(a, b)}
	case "/": // 7 / 2 is 3.5
		return written{fmt.Sprintf("(double(%s) / double(%s))", a.cel, b.cel), numeric}
	case "-", "*", "%":
		return written{fmt.Sprintf("(dyn(%s) %s dyn(%s))", a.cel, n.op, b.cel), numeric}
	}
	return w.unsupported("operator %s", n.op)
}

func hintOfSum(a, b written) hint {
	if a.hint == numeric && b.hint == numeric {
		return numeric
	}
	return unknown
}

func asText(e written) string {
	if e.hint == textual {
		return e.cel
	}
	return "string(" + e.cel + ")"
}

func (w *writer) equality(n *node) written {
	op := n.op[:2] // === and == are one: CEL has no coercion
	if e, ok := w.typeTest(n.kids[0], n.kids[1]); ok {
		if op == "!=" {
			e = "!" + e
		}
		return written{e, boolean}
	}
	a, b := w.optional(n.kids[0], n.kids[1]), w.optional(n.kids[1], n.kids[0])
	return written{fmt.Sprintf("(dyn(%s) %s dyn(%s))", a, op, b), boolean}
}

// optional writes n so that an absent member is null where it is compared with
// undefined or null.
func (w *writer) optional(n, other *node) string {
	e := w.expr(n)
	if (other.op == "name" && (other.text == "undefined" || other.text == "null")) && isMember(n) {
		return fmt.Sprintf("(%s ? dyn(%s) : null)", w.present(n), e.cel)
	}
	return e.cel
}

func isMember(n *node) bool { return n.op == "name" || n.op == "." }

// typeTest writes typeof x === 'name'.
func (w *writer) typeTest(a, b *node) (string, bool) {
	if b.op == "typeof" {
		a, b = b, a
	}
	if a.op != "typeof" || b.op != "text" {
		return "", false
	}
	x := a.kids[0]
	if b.text == "undefined" {
		return "(!" + w.present(x) + ")", true
	}
	e := w.expr(x).cel
	tests := map[string]string{
		"string":  "type(%s) == string",
		"boolean": "type(%s) == bool",
		"number":  "type(%[1]s) == int || type(%[1]s) == double",
		"object":  "type(%[1]s) == map || type(%[1]s) == list || %[1]s == null",
	}
	f, ok := tests[b.text]
	if !ok {
		w.unsupported("typeof compared with %q", b.text)
		return "false", true
	}
	return fmt.Sprintf("(%s && (%s))", w.present(x), fmt.Sprintf(f, e)), true
}

// present writes that n has a value: it is there and is not undefined.
func (w *writer) present(n *node) string {
	if n.op == "name" && n.text != "_event" {
		if _, fixed := w.scope.Fixed[n.text]; fixed {
			return "true"
		}
		if n.text == "undefined" {
			return "false"
		}
		return fmt.Sprintf("(%s in context && %s != null)", quote(n.text), contextMember(n.text))
	}
	if n.op == "." {
		if eventMember(n) {
			switch n.text {
			case "name", "type":
				return "true"
			case "data":
				return "(size(event.data) > 0)"
			}
			return fmt.Sprintf("(%s in event.data)", quote("_"+n.text))
		}
		e := w.expr(n.kids[0]).cel
		return fmt.Sprintf("(%s && %s in %s)", w.present(n.kids[0]), quote(n.text), e)
	}
	return "(" + w.expr(n).cel + " != null)"
}

func (w *writer) typeName(n *node) written {
	return w.unsupported("typeof outside of a comparison with a text")
}

func (w *writer) name(name string) written {
	if v, ok := w.scope.Fixed[name]; ok {
		return written{v, unknown}
	}
	switch name {
	case "true", "false":
		return written{name, boolean}
	case "null", "undefined":
		return written{"null", unknown}
	case "_event":
		return written{"event", unknown}
	case "NaN", "Infinity":
		return w.unsupported("%s", name)
	}
	return written{contextMember(name), unknown}
}

func eventMember(n *node) bool {
	return n.op == "." && n.kids[0].op == "name" && n.kids[0].text == "_event"
}

func (w *writer) member(n *node) written {
	if eventMember(n) {
		return w.event(n.text)
	}
	base := w.expr(n.kids[0]).cel
	if n.op == "[]" {
		return written{fmt.Sprintf("%s[%s]", base, w.expr(n.kids[1]).cel), unknown}
	}
	if n.text == "length" {
		return written{"size(" + base + ")", numeric}
	}
	return written{base + selector(n.text), unknown}
}

// event writes a member of _event. What our events do not have travels in their
// data under the name with a leading "_".
func (w *writer) event(member string) written {
	switch member {
	case "name":
		return written{"event.name", textual}
	case "data":
		return written{fmt.Sprintf("(has(event.data.%[1]s) ? dyn(event.data.%[1]s) : dyn(event.data))", Data), unknown}
	case "type":
		return written{`(event.name.startsWith("error.") || event.name.startsWith("done.") ? "platform" : (has(event.data._type) ? event.data._type : "external"))`, textual}
	case "sendid", "origin", "origintype", "invokeid":
		return written{"event.data._" + member, unknown}
	}
	return w.unsupported("_event.%s", member)
}

func (w *writer) call(n *node) written {
	f, args := n.kids[0], n.kids[1:]
	switch {
	case f.op == "name" && f.text == "In" && len(args) == 1 && args[0].op == "text":
		path, ok := w.scope.State(args[0].text)
		if !ok {
			return written{"false", boolean}
		}
		return written{"In(" + quote(path) + ")", boolean}
	case f.op == "." && f.text == "concat":
		parts := make([]string, 0, len(args)+1)
		for _, k := range append([]*node{f.kids[0]}, args...) {
			parts = append(parts, "dyn("+w.expr(k).cel+")")
		}
		return written{"(" + strings.Join(parts, " + ") + ")", unknown}
	case f.op == "." && f.text == "indexOf" && len(args) == 1:
		return written{fmt.Sprintf("%s.indexOf(%s)", w.expr(f.kids[0]).cel, w.expr(args[0]).cel), numeric}
	case f.op == "." && f.text == "toString" && len(args) == 0:
		return written{"string(" + w.expr(f.kids[0]).cel + ")", textual}
	case f.op == "." && f.kids[0].op == "name" && f.kids[0].text == "Math" && f.text == "pow" && len(args) == 2 && args[1].op == "number":
		return w.power(args[0], args[1].text)
	}
	return w.unsupported("a call")
}

func (w *writer) power(base *node, exponent string) written {
	k, err := strconv.Atoi(exponent)
	if err != nil || k < 1 || k > 16 {
		return w.unsupported("Math.pow with exponent %s", exponent)
	}
	return written{"(" + strings.Join(slices.Repeat([]string{"dyn(" + w.expr(base).cel + ")"}, k), " * ") + ")", numeric}
}

func contextMember(name string) string { return "context" + selector(name) }

var (
	celName     = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)
	celReserved = strings.Fields("true false null in as break const continue else for function if import let loop package namespace return var void while")
)

// selector writes a member access.
func selector(name string) string {
	if celName.MatchString(name) && !slices.Contains(celReserved, name) {
		return "." + name
	}
	return "[" + quote(name) + "]"
}

func quote(s string) string { return strconv.Quote(s) }

func parens(s string) string { return "(" + s + ")" }
