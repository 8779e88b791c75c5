package store

import (
	"strings"
	"time"
	"unicode/utf8"
)

// CheckID checks an id: valid UTF-8 of 1 to 255 bytes without NUL (D10). field
// names it in the error.
func CheckID(field, id string) error { return checkID(field, id) }

func checkID(field, id string) error {
	if id == "" {
		return invalid(field, "empty")
	}
	return checkLabel(field, id)
}

// checkLabel is checkID for what may be empty.
func checkLabel(field, s string) error {
	if len(s) > maxID {
		return invalid(field, "longer than 255 bytes")
	}
	return checkText(field, s)
}

func checkText(field, s string) error {
	switch {
	case !utf8.ValidString(s):
		return invalid(field, "not valid UTF-8")
	case strings.IndexByte(s, 0) >= 0:
		return invalid(field, "contains NUL")
	}
	return nil
}

// CheckIDs checks a list of ids of any length.
func CheckIDs(field string, ids []string) error {
	for _, id := range ids {
		if err := checkID(field, id); err != nil {
			return err
		}
	}
	return nil
}

// CheckTimerName checks a timer name: valid UTF-8 of 0 to 255 bytes without NUL.
func CheckTimerName(name string) error { return checkLabel("timer name", name) }

// CheckTime checks a date that has to be there: years 1970 to 9999 (D11).
func CheckTime(field string, t time.Time) error {
	if !storable(t) {
		return invalid(field, "outside the years 1970 to 9999")
	}
	return nil
}

// checkOptionalTime is CheckTime for a date whose zero value has a meaning.
func checkOptionalTime(field string, t time.Time) error {
	if t.IsZero() {
		return nil
	}
	return CheckTime(field, t)
}

// checkJSON checks a text that has to be there: its cap first, which is cheap,
// then that it is JSON.
func checkJSON(field string, text []byte, cap int) error {
	if len(text) > cap {
		return tooLarge(field, len(text), cap)
	}
	if !ValidJSON(text) {
		return invalid(field, "not valid JSON in UTF-8")
	}
	return nil
}

// checkOptionalJSON is checkJSON for what may be absent.
func checkOptionalJSON(field string, text []byte, cap int) error {
	if len(text) == 0 {
		return nil
	}
	return checkJSON(field, text, cap)
}

// CheckLimit checks the limit of a read: negative is refused, 0 means def, and
// anything over most is cut to it.
func CheckLimit(limit, def, most int) (int, error) {
	switch {
	case limit < 0:
		return 0, invalid("limit", "negative")
	case limit == 0:
		return def, nil
	}
	return min(limit, most), nil
}
