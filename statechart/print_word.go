package statechart

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"

	"github.com/durachart/durachart/internal/jsonvalue"
)

// each returns f of every element.
func each[T any](list []T, f func(T) string) []string {
	out := make([]string, len(list))
	for i, v := range list {
		out[i] = f(v)
	}
	return out
}

func decimal(n int64) string { return strconv.FormatInt(n, 10) }

// quote writes s as a Str (S89).
func quote(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\r':
			b.WriteString(`\r`)
		case r == '\t':
			b.WriteString(`\t`)
		case unicode.IsControl(r) || r == '\u2028' || r == '\u2029' || r == '\ufeff':
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}

func isName(s string) bool { return isWord(s) && !isReservedWord(s) }

// ref writes a name where the grammar wants a Ref.
func ref(name string) string {
	if isName(name) {
		return name
	}
	return quote(name)
}

// outcome writes an outcome behind the name of a final. "no" is quoted: before a
// history state it would be read as "no history" (S92).
func outcome(o string) string {
	if o == "no" {
		return quote(o)
	}
	return ref(o)
}

// handler writes the name of a Go handler or of an invoked chart.
func handler(name string) string {
	if isHandler(name) {
		return name
	}
	return quote(name)
}

// key writes a Key.
func key(k string) string {
	if isWord(k) {
		return k
	}
	return quote(k)
}

// dotted writes names that are joined by ".", perhaps with a leading ".". Only
// the first must be no reserved word.
func dotted(path string) string {
	bare := true
	first := true
	for name := range strings.SplitSeq(strings.TrimPrefix(path, "."), ".") {
		bare = bare && isWord(name) && !(first && isReservedWord(name))
		first = false
	}
	if bare {
		return path
	}
	return quote(path)
}

// contextPath writes a CPath.
func contextPath(path []string) string { return dotted(joinPath(path)) }

// event writes the name or descriptor of an event. What would begin an item
// behind "on" is quoted (S92).
func event(name string) string {
	switch first, _, _ := strings.Cut(name, "."); {
	case name == "*", name == "timeout", name == "cancel":
		return name
	case name[0] == '.', first == "enter", first == "exit", first == "activity":
		return quote(name)
	}
	return dotted(name)
}

func descriptors(ds []Descriptor, separator string) string {
	return strings.Join(each(ds, func(d Descriptor) string { return event(d.Name) }), separator)
}

// value writes a literal.
func value(v any) string {
	switch v := v.(type) {
	case string:
		return quote(v)
	case bool:
		return strconv.FormatBool(v)
	case int64:
		return decimal(v)
	case float64:
		return string(jsonvalue.AppendFloat(nil, v))
	case []any:
		return "[" + strings.Join(each(v, value), ", ") + "]"
	default:
		return ""
	}
}

// The strength with which the parts of a predicate bind.
const (
	looseOr = iota
	looseAnd
	tight
)

// predicate writes p, in brackets if it binds looser than what is around it.
func predicate(p Pred, around int) string {
	part := func(strength int) func(Pred) string {
		return func(q Pred) string { return predicate(q, strength) }
	}
	text, own := "", tight
	switch p := p.(type) {
	case OrPred:
		text, own = strings.Join(each(p, part(looseAnd)), " or "), looseOr
	case AndPred:
		text, own = strings.Join(each(p, part(tight)), " and "), looseAnd
	case NotPred:
		text = "not " + predicate(p.X, tight)
	case *ComparePred:
		text = contextPath(p.Field) + " " + p.Op + " " + value(p.Value)
	case *NamedPred:
		text = p.Name
	}
	if own < around {
		return "(" + text + ")"
	}
	return text
}
