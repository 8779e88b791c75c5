package jsonvalue

import (
	"errors"
	"fmt"
)

// ErrInvalid is matched by every error of this package: the input is not a value
// in the sense of S20. The sentinels below tell why.
var ErrInvalid = errors.New("jsonvalue: invalid value")

// The reasons of an [Error].
var (
	// ErrSyntax reports bytes that are not JSON.
	ErrSyntax = errors.New("not JSON")
	// ErrNumber reports an integer beyond int64, or a float that is not finite.
	ErrNumber = errors.New("number out of range")
	// ErrText reports invalid UTF-8, lone surrogates included.
	ErrText = errors.New("text is not valid UTF-8")
	// ErrKey reports a NUL in a key.
	ErrKey = errors.New("key contains NUL")
	// ErrDuplicateKey reports a key that an object has twice.
	ErrDuplicateKey = errors.New("duplicate key")
	// ErrDepth reports nesting deeper than [MaxDepth].
	ErrDepth = errors.New("nested too deep")
	// ErrType reports a value of another type than the one wanted, or a Go value
	// that has no JSON form.
	ErrType = errors.New("wrong type")
	// ErrPath reports that something other than an object stands in the way of a
	// path (S66).
	ErrPath = errors.New("no object on the way")
)

// Error says what is wrong with a value. errors.Is matches [ErrInvalid] and Reason.
type Error struct {
	Reason error  // one of the sentinels
	Offset int    // byte offset in the input, -1 where there is no text
	Detail string // what was found, or empty
}

// Error implements error.
func (e *Error) Error() string {
	s := "jsonvalue: " + e.Reason.Error()
	if e.Detail != "" {
		s += ": " + e.Detail
	}
	if e.Offset >= 0 {
		s += fmt.Sprintf(" (at byte %d)", e.Offset)
	}
	return s
}

// Is reports whether target is [ErrInvalid] or the reason.
func (e *Error) Is(target error) bool { return target == ErrInvalid || target == e.Reason }

func invalid(reason error, detail string) error {
	return &Error{Reason: reason, Offset: -1, Detail: detail}
}
