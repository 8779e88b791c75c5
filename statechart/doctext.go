package statechart

import "strings"

// docText returns a doc comment as a text can hold it: lines that end in no
// blanks.
func docText(doc string) string {
	if doc == "" {
		return ""
	}
	doc = strings.ReplaceAll(strings.ToValidUTF8(doc, "\ufffd"), "\r", "")
	lines := strings.Split(doc, "\n")
	for i, line := range lines {
		lines[i] = strings.TrimRight(line, " \t")
	}
	return strings.Trim(strings.Join(lines, "\n"), "\n")
}
