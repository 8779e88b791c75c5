package stm

import (
	"sort"
	"strings"
	"unicode/utf8"

	"github.com/durachart/durachart/statechart"
)

// source is the text of one file.
type source struct {
	name  string
	text  string
	lines []int // offset of the first byte of each line
}

func newSource(name, text string) *source {
	s := &source{name: name, text: text, lines: []int{0}}
	for i := 0; i < len(text); i++ {
		if text[i] == '\n' {
			s.lines = append(s.lines, i+1)
		}
	}
	return s
}

// line returns line n, counted from 1, without its end.
func (s *source) line(n int) string {
	if n < 1 || n > len(s.lines) {
		return ""
	}
	end := len(s.text)
	if n < len(s.lines) {
		end = s.lines[n] - 1
	}
	return strings.TrimSuffix(s.text[s.lines[n-1]:end], "\r")
}

// pos is the place of the byte at an offset.
func (s *source) pos(offset int) statechart.Pos {
	n := sort.Search(len(s.lines), func(i int) bool { return s.lines[i] > offset })
	return statechart.Pos{File: s.name, Line: n, Column: utf8.RuneCountInString(s.text[s.lines[n-1]:offset]) + 1}
}
