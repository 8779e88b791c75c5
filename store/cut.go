package store

import "strconv"

// CutLeaves returns the leaves that are kept for lists by state: the first 32.
func CutLeaves(leaves []string) []string { return leaves[:min(len(leaves), maxLeaves)] }

// CutError returns an error text as it is stored: at most 500 characters, valid
// UTF-8.
func CutError(text string) string { return cutValid(text, MaxLastError) }

// CutStep returns a trace step as it is stored: the step itself, or a note of its
// length where it is over the cap (D64).
func (l *Limits) CutStep(step []byte) []byte {
	if len(step) <= l.TraceStep {
		return step
	}
	return append(strconv.AppendInt([]byte(`{"truncated": `), int64(len(step)), 10), '}')
}
