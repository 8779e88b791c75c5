package execution

import (
	"unicode"

	"github.com/durachart/durachart/internal/jsonvalue"
)

// word returns s as a word of the text form: as it is, or as a JSON text if it
// is empty or has characters that could be mistaken (S86).
func word(s string) string {
	if plain(s) {
		return s
	}
	return jsonText(s)
}

func plain(s string) bool {
	if s == "" {
		return false
	}
	for _, r := range s {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9':
		case r == '_', r == '.', r == ':', r == '#', r == '/', r == '@', r == '$', r == '*', r == '~', r == '-':
		case r > unicode.MaxASCII && r != unicode.ReplacementChar && (unicode.IsLetter(r) || unicode.IsDigit(r)):
		default:
			return false
		}
	}
	return true
}

func jsonText(s string) string { return string(jsonvalue.AppendText(nil, s)) }

// pathWord is word for the path of a state; the root of a chart is written ".".
func pathWord(path string) string {
	if path == "" {
		return "."
	}
	return word(path)
}
