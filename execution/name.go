package execution

import (
	"fmt"

	"github.com/durachart/durachart/statechart"
)

// maxSimpleName is the length up to which a name is looked at byte by byte.
const maxSimpleName = 128

// CheckName returns ErrInvalidEvent unless name is a well-formed event name that
// is not reserved (S16).
func CheckName(name string) error { return checkName(name, statechart.ProfileNone) }

// checkName is CheckName for events of charts with that profile (S29).
func checkName(name string, profile statechart.Profile) error {
	if !simple(name) && !statechart.ValidEvent(name) {
		return fmt.Errorf("event name %q: %w: malformed", name, ErrInvalidEvent)
	}
	if statechart.ReservedEvent(name, profile) {
		return fmt.Errorf("event name %q: %w: reserved", name, ErrInvalidEvent)
	}
	return nil
}

// simple reports whether name is well-formed for certain: ASCII letters, digits
// and two signs, as most names are.
func simple(name string) bool {
	if name == "" || len(name) > maxSimpleName {
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
