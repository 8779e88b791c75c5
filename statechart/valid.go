package statechart

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxName is the length of a state, chart or event name in bytes (S2, S16).
const maxName = 128

// ValidName reports whether name can be that of a state, a chart or a delayed
// send (S2, S50).
func ValidName(name string) bool { return nameFault(name) == "" && len(name) <= maxName }

// nameFault says what is wrong with a name, its length aside.
func nameFault(name string) string {
	switch {
	case name == "":
		return "is empty"
	case !utf8.ValidString(name):
		return "is not UTF-8"
	case strings.ContainsFunc(name, unicode.IsControl):
		return "has a control character"
	case strings.ContainsAny(name, `.:#@/"`):
		return `has one of the characters . : # @ / "`
	case strings.TrimFunc(name, unicode.IsSpace) != name:
		return "has a blank at an end"
	case name[0] == '$':
		return "starts with $"
	}
	return ""
}

// checkName checks a name of S2.
func (c *compiler) checkName(what, name string, pos Pos, s *State) {
	if len(name) > maxName {
		c.fail("too_large", pos, s, "the name of the %s is longer than %d bytes", what, maxName)
	} else if fault := nameFault(name); fault != "" {
		c.fail("bad_name", pos, s, "the name %q of a %s %s", name, what, fault)
	}
}

// ValidEvent reports whether name is well formed as that of an event (S16).
func ValidEvent(name string) bool { return eventFault(name) == "" }

func eventFault(name string) string {
	switch {
	case name == "":
		return "is empty"
	case len(name) > maxName:
		return "is longer than 128 bytes"
	case !utf8.ValidString(name):
		return "is not UTF-8"
	case strings.ContainsFunc(name, unicode.IsControl):
		return "has a control character"
	case strings.ContainsAny(name, `*|#"`):
		return `has one of the characters * | # "`
	case name[0] == '.', name[len(name)-1] == '.', strings.Contains(name, ".."):
		return "has an empty part"
	}
	return ""
}

// ReservedEvent reports whether only the step itself can make an event of that
// name (S16). Under profile scxml timeout is an ordinary name (S29).
func ReservedEvent(name string, profile Profile) bool {
	switch name {
	case "timeout":
		return profile != ProfileSCXML
	case "Timeout", "Returned":
		return true
	}
	return strings.HasPrefix(name, "done.") || strings.HasPrefix(name, "error.") || strings.HasPrefix(name, "$")
}

// isWord reports whether s is a Word of the text language (S88).
func isWord(s string) bool {
	for i := range len(s) {
		switch b := s[i]; {
		case b == '_', 'a' <= b && b <= 'z', 'A' <= b && b <= 'Z':
		case '0' <= b && b <= '9' && i > 0:
		default:
			return false
		}
	}
	return s != ""
}

// isReservedWord reports whether s is quoted where it is a name (S90).
func isReservedWord(s string) bool {
	switch s {
	case "import", "bind", "guard", "event", "machine", "fragment",
		"version", "profile", "initial", "on", "timeout", "outcome", "carry", "defer", "with", "invoke",
		"autoforward", "finalize", "resting", "use", "state", "parallel", "orthogonal", "final", "history", "from",
		"to", "self", "internal", "always", "after", "at", "select", "returns", "join", "else", "where", "when",
		"do", "as", "for", "in", "limit",
		"raise", "send", "cancel", "set", "log", "and", "or", "not", "true", "false":
		return true
	}
	return false
}

// isHandler reports whether s is a Handler: a Word that is not reserved, or Words
// joined by ".".
func isHandler(s string) bool {
	if !strings.Contains(s, ".") {
		return isWord(s) && !isReservedWord(s)
	}
	for part := range strings.SplitSeq(s, ".") {
		if !isWord(part) {
			return false
		}
	}
	return true
}
