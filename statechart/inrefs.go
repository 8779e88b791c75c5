package statechart

import (
	"strings"

	"github.com/durachart/durachart/statechart/expr"
)

// An expression that asks In("X") means the state that X meant where it was
// written. The canonical text puts the expression in the body of the parent of
// its source, without the fragment that it came from (S101), where X may mean
// another state. Such an X is replaced by a path from the root.

// rooted returns source with every such X replaced. At is the state in whose body
// the text will stand, mean what each X means.
func (c *compiler) rooted(source string, at *State, mean func(x string) *State) string {
	if !strings.Contains(source, "In") {
		return source
	}
	var b strings.Builder
	done := 0
	for _, lit := range inLiterals(source) {
		x, ok := literalText(source[lit.start:lit.end])
		s := mean(x)
		if !ok || s == nil || c.chart.means(at, x, s) {
			continue
		}
		b.WriteString(source[done:lit.start])
		b.WriteString(`'.` + strings.ReplaceAll(strings.ReplaceAll(s.Path, `\`, `\\`), `'`, `\'`) + `'`)
		done = lit.end
	}
	if done == 0 {
		return source
	}
	b.WriteString(source[done:])
	return b.String()
}

// means reports whether x stands for s, and for nothing else, in the body of at
// when there are no fragments.
func (c *Chart) means(at *State, x string, s *State) bool {
	full := c.byPath[x]
	if rest, ok := strings.CutPrefix(x, "."); ok {
		return c.byPath[rest] == s
	}
	near := c.near(at, x)
	return (near == s || near == nil && full == s) && (full == nil || full == s)
}

// plain resolves x as the text of the chart does, where there are no fragments.
// It returns nil only if x hits nothing.
func (c *Chart) plain(at *State, x string) *State {
	if rest, ok := strings.CutPrefix(x, "."); ok {
		return c.byPath[rest]
	}
	if s := c.near(at, x); s != nil {
		return s
	}
	return c.byPath[x]
}

type span struct{ start, end int }

// inLiterals finds the text literals X of all In(X) in a CEL source that
// compiles.
func inLiterals(source string) []span {
	var found []span
	for i := 0; i < len(source); {
		switch b := source[i]; {
		case strings.HasPrefix(source[i:], "//"):
			i = until(source, i, "\n")
		case isQuote(source, i):
			i = literalEnd(source, i)
		case b == '`':
			i = until(source, i+1, "`")
		case isWord(string(b)) && b < 0x80:
			end := i
			for end < len(source) && isWord("_"+source[end:end+1]) {
				end++
			}
			if source[i:end] == "In" {
				if lit, ok := argument(source, end); ok {
					found = append(found, lit)
				}
			}
			i = end
		default:
			i++
		}
	}
	return found
}

// argument returns the literal in brackets that follows In.
func argument(source string, i int) (span, bool) {
	i = skipBlanks(source, i)
	if i >= len(source) || source[i] != '(' {
		return span{}, false
	}
	i = skipBlanks(source, i+1)
	if !isQuote(source, i) {
		return span{}, false
	}
	return span{i, literalEnd(source, i)}, true
}

func skipBlanks(source string, i int) int {
	for i < len(source) && strings.ContainsRune(" \t\r\n\f", rune(source[i])) {
		i++
	}
	return i
}

func until(source string, i int, end string) int {
	if n := strings.Index(source[min(i, len(source)):], end); n >= 0 {
		return i + n + len(end)
	}
	return len(source)
}

// isQuote reports whether a text or bytes literal begins at i.
func isQuote(source string, i int) bool {
	rest := strings.TrimLeft(source[min(i, len(source)):], "rRbB")
	return len(source)-i-len(rest) <= 2 && rest != "" && (rest[0] == '"' || rest[0] == '\'')
}

// literalEnd returns the end of the literal that begins at i.
func literalEnd(source string, i int) int {
	raw := false
	for ; source[i] != '"' && source[i] != '\''; i++ {
		raw = raw || source[i] == 'r' || source[i] == 'R'
	}
	quote := source[i : i+1]
	if strings.HasPrefix(source[i:], strings.Repeat(quote, 3)) {
		quote = strings.Repeat(quote, 3)
	}
	for i += len(quote); i < len(source) && !strings.HasPrefix(source[i:], quote); i++ {
		if source[i] == '\\' && !raw {
			i++
		}
	}
	return min(i+len(quote), len(source))
}

// literalText is the text of a CEL literal.
func literalText(literal string) (string, bool) {
	if inner := literal[1:max(1, len(literal)-1)]; literal[0] != 'r' && literal[0] != 'R' && !strings.ContainsAny(inner, `\"'`) {
		return inner, true
	}
	p, err := expr.Compile(literal, expr.Options{})
	if err != nil {
		return "", false
	}
	v, err := p.Eval(&expr.Vars{})
	text, ok := v.(string)
	return text, ok && err == nil
}
