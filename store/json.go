package store

import "unicode/utf8"

// maxJSONDepth is the nesting that encoding/json refuses to go beyond, too.
const maxJSONDepth = 10_000

// ValidJSON reports whether b is one JSON value in valid UTF-8 (D10).
//
// It is the only scan of a text on the commit path and several times as fast as
// [encoding/json.Valid], which besides does not look at the encoding: the store
// sees every snapshot and event of a runtime once, here.
func ValidJSON(b []byte) bool {
	i := jsonValue(b, jsonSpace(b, 0), 0)
	return i >= 0 && jsonSpace(b, i) == len(b)
}

// The scanners below take the position of the first byte of what they read and
// return the position after it, or -1.

func jsonValue(b []byte, i, depth int) int {
	if i >= len(b) {
		return -1
	}
	switch c := b[i]; {
	case c == '"':
		return jsonString(b, i+1)
	case c == '{':
		return jsonObject(b, i+1, depth+1)
	case c == '[':
		return jsonArray(b, i+1, depth+1)
	case c == '-' || '0' <= c && c <= '9':
		return jsonNumber(b, i)
	case c == 't':
		return jsonWord(b, i, "true")
	case c == 'f':
		return jsonWord(b, i, "false")
	case c == 'n':
		return jsonWord(b, i, "null")
	}
	return -1
}

func jsonSpace(b []byte, i int) int {
	for i < len(b) && b[i] <= ' ' && (b[i] == ' ' || b[i] == '\n' || b[i] == '\t' || b[i] == '\r') {
		i++
	}
	return i
}

func jsonWord(b []byte, i int, word string) int {
	if end := i + len(word); end <= len(b) && string(b[i:end]) == word {
		return end
	}
	return -1
}

func jsonObject(b []byte, i, depth int) int {
	if depth > maxJSONDepth {
		return -1
	}
	i = jsonSpace(b, i)
	if i < len(b) && b[i] == '}' {
		return i + 1
	}
	for {
		if i >= len(b) || b[i] != '"' {
			return -1
		}
		if i = jsonString(b, i+1); i < 0 {
			return -1
		}
		if i = jsonSpace(b, i); i >= len(b) || b[i] != ':' {
			return -1
		}
		if i = jsonValue(b, jsonSpace(b, i+1), depth); i < 0 {
			return -1
		}
		if i = jsonSpace(b, i); i >= len(b) {
			return -1
		}
		switch b[i] {
		case '}':
			return i + 1
		case ',':
			i = jsonSpace(b, i+1)
		default:
			return -1
		}
	}
}

func jsonArray(b []byte, i, depth int) int {
	if depth > maxJSONDepth {
		return -1
	}
	i = jsonSpace(b, i)
	if i < len(b) && b[i] == ']' {
		return i + 1
	}
	for {
		if i = jsonValue(b, i, depth); i < 0 {
			return -1
		}
		if i = jsonSpace(b, i); i >= len(b) {
			return -1
		}
		switch b[i] {
		case ']':
			return i + 1
		case ',':
			i = jsonSpace(b, i+1)
		default:
			return -1
		}
	}
}

// jsonString reads the rest of a string whose opening quote is before i.
func jsonString(b []byte, i int) int {
	for i < len(b) {
		switch c := b[i]; {
		case c == '"':
			return i + 1
		case c == '\\':
			if i = jsonEscape(b, i+1); i < 0 {
				return -1
			}
		case c < ' ':
			return -1
		case c < utf8.RuneSelf:
			i++
		default:
			r, size := utf8.DecodeRune(b[i:])
			if r == utf8.RuneError && size == 1 {
				return -1
			}
			i += size
		}
	}
	return -1
}

func jsonEscape(b []byte, i int) int {
	if i >= len(b) {
		return -1
	}
	switch b[i] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return i + 1
	case 'u':
		if i+5 > len(b) {
			return -1
		}
		for _, c := range b[i+1 : i+5] {
			if !('0' <= c && c <= '9' || 'a' <= c && c <= 'f' || 'A' <= c && c <= 'F') {
				return -1
			}
		}
		return i + 5
	}
	return -1
}

func jsonNumber(b []byte, i int) int {
	if b[i] == '-' {
		i++
	}
	switch {
	case i >= len(b):
		return -1
	case b[i] == '0':
		i++
	default:
		if i = jsonDigits(b, i); i < 0 {
			return -1
		}
	}
	if i < len(b) && b[i] == '.' {
		if i = jsonDigits(b, i+1); i < 0 {
			return -1
		}
	}
	if i < len(b) && (b[i] == 'e' || b[i] == 'E') {
		i++
		if i < len(b) && (b[i] == '+' || b[i] == '-') {
			i++
		}
		i = jsonDigits(b, i)
	}
	return i
}

// jsonDigits reads one digit or more.
func jsonDigits(b []byte, i int) int {
	start := i
	for i < len(b) && '0' <= b[i] && b[i] <= '9' {
		i++
	}
	if i == start {
		return -1
	}
	return i
}
