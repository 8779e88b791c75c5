package actor

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/google/uuid"
)

// maxGivenID is the longest id that callers may give; derived ids are longer
// (statechart specification, section 1).
const maxGivenID = 200

// maxDerivedID is the longest id of all: that of a child, say.
const maxDerivedID = 255

// checkID returns ErrInvalidID unless id may be given by a caller to something new.
func checkID(what, id string) error { return checkText(what, id, maxGivenID) }

// checkTarget returns ErrInvalidID unless id may be that of an execution.
func checkTarget(id string) error { return checkText("execution id", id, maxDerivedID) }

func checkText(what, id string, most int) error {
	switch {
	case id == "":
		return fmt.Errorf("%w: %s is empty", ErrInvalidID, what)
	case len(id) > most:
		return fmt.Errorf("%w: %s has %d bytes, at most %d", ErrInvalidID, what, len(id), most)
	case !utf8.ValidString(id):
		return fmt.Errorf("%w: %s is not valid UTF-8", ErrInvalidID, what)
	case strings.IndexByte(id, 0) >= 0:
		return fmt.Errorf("%w: %s holds a NUL", ErrInvalidID, what)
	}
	return nil
}

// givenOrNew returns id, or a new one if it is empty.
func givenOrNew(what, id string) (string, error) {
	if id == "" {
		return newID(), nil
	}
	return id, checkID(what, id)
}

// newID returns a version 7 UUID: ids of one process sort by time.
func newID() string {
	id, err := uuid.NewV7()
	if err != nil { // the system has no randomness: nothing will work
		panic(fmt.Sprintf("actor: new id: %v", err))
	}
	return id.String()
}
