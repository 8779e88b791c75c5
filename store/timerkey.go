package store

import (
	"errors"
	"strings"
)

// errTimerKey reports a key that no name encodes to: the document is corrupt.
var errTimerKey = errors.New("store: not a timer key")

// emptyTimer is the key of the empty name. No other name encodes to it, because
// an encoded % is always followed by two digits.
const emptyTimer = "%"

// EncodeTimer makes a field name of a timer name (D6): % . and $ are written as
// %25, %2E and %24, and the empty name as a lone %.
func EncodeTimer(name string) string {
	if name == "" {
		return emptyTimer
	}
	if !strings.ContainsAny(name, "%.$") {
		return name
	}
	var b strings.Builder
	for i := 0; i < len(name); i++ {
		switch c := name[i]; c {
		case '%':
			b.WriteString("%25")
		case '.':
			b.WriteString("%2E")
		case '$':
			b.WriteString("%24")
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}

// DecodeTimer is the inverse of [EncodeTimer]. It fails for a key that no name
// encodes to, which only a corrupt document has.
func DecodeTimer(key string) (string, error) {
	switch {
	case key == emptyTimer:
		return "", nil
	case key == "" || strings.ContainsAny(key, ".$"):
		return "", errTimerKey
	case !strings.Contains(key, "%"):
		return key, nil
	}
	var b strings.Builder
	for rest := key; rest != ""; {
		plain, after, escaped := strings.Cut(rest, "%")
		b.WriteString(plain)
		if !escaped {
			break
		}
		switch {
		case strings.HasPrefix(after, "25"):
			b.WriteByte('%')
		case strings.HasPrefix(after, "2E"):
			b.WriteByte('.')
		case strings.HasPrefix(after, "24"):
			b.WriteByte('$')
		default:
			return "", errTimerKey
		}
		rest = after[2:]
	}
	return b.String(), nil
}
