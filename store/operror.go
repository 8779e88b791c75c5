package store

import (
	"strconv"
	"unicode/utf8"
)

// maxErrorText is the length, in characters, that an error text is cut at (D29).
const maxErrorText = 500

// OpError names the operation and the id that err belongs to and keeps err for
// errors.Is and errors.As. Its text is made only when asked for and is cut at
// 500 characters (D29). A nil err stays nil.
func OpError(op, id string, err error) error {
	if err == nil {
		return nil
	}
	return &opError{op: op, id: id, err: err}
}

type opError struct {
	op, id string
	err    error
}

func (e *opError) Error() string {
	text := e.op
	if e.id != "" {
		text += " " + strconv.Quote(cutText(e.id, maxID))
	}
	return cutText(text+": "+e.err.Error(), maxErrorText)
}

func (e *opError) Unwrap() error { return e.err }

// cutText returns the first n characters of s.
func cutText(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for i := range s {
		if n == 0 {
			return s[:i]
		}
		n--
	}
	return s
}

// cutValid is cutText for text of unknown origin: what is not UTF-8 becomes the
// replacement character.
func cutValid(s string, n int) string {
	if utf8.ValidString(s) {
		return cutText(s, n)
	}
	valid := make([]rune, 0, min(len(s), n))
	for _, r := range s {
		if len(valid) == n {
			break
		}
		valid = append(valid, r)
	}
	return string(valid)
}
