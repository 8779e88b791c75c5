package execution

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// maxName is the length of an event name in bytes (S16).
const maxName = 128

// CheckName returns ErrInvalidEvent unless name is a well-formed event name that
// is not reserved (S16).
func CheckName(name string) error {
	if err := wellFormed(name); err != nil {
		return err
	}
	if reserved(name) {
		return fmt.Errorf("event name %q: %w: reserved", name, ErrInvalidEvent)
	}
	return nil
}

func wellFormed(name string) error {
	if simple(name) {
		return nil
	}
	fault := ""
	switch {
	case name == "":
		fault = "empty"
	case len(name) > maxName:
		fault = "longer than 128 bytes"
	case !utf8.ValidString(name):
		fault = "not valid UTF-8"
	case name[0] == '.' || name[len(name)-1] == '.' || strings.Contains(name, ".."):
		fault = "empty token"
	default:
		for _, r := range name {
			if r < ' ' || r >= 0x7f && r < 0xa0 || r == '*' || r == '|' || r == '#' || r == '"' {
				fault = fmt.Sprintf("character %q", r)
				break
			}
		}
	}
	if fault == "" {
		return nil
	}
	return fmt.Errorf("event name %q: %w: %s", name, ErrInvalidEvent, fault)
}

// simple reports whether name is well-formed for certain: ASCII letters, digits
// and a few signs, without a dot.
func simple(name string) bool {
	if name == "" || len(name) > maxName {
		return false
	}
	for i := 0; i < len(name); i++ {
		c := name[i]
		if c|0x20 < 'a' || c|0x20 > 'z' {
			if (c < '0' || c > '9') && c != '_' && c != '-' {
				return false
			}
		}
	}
	return true
}

// reserved reports whether only the step itself makes events of that name (S16).
func reserved(name string) bool {
	if name == "" {
		return false
	}
	switch name[0] {
	case '$':
		return true
	case 'd':
		return strings.HasPrefix(name, "done.")
	case 'e':
		return strings.HasPrefix(name, "error.")
	case 't':
		return name == "timeout"
	case 'T':
		return name == "Timeout"
	case 'R':
		return name == "Returned"
	}
	return false
}
