package main

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestConsoleNamesTheFirstAndCountTheRest(t *testing.T) {
	var out strings.Builder
	c := newConsole(&out)
	for line := range maxRefused + 2 {
		c.refuse(line+1, "no id")
	}
	c.close()
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	assert.Len(t, lines, maxRefused+1)
	assert.Equal(t, "line 1: no id", lines[0])
	assert.Equal(t, "… and 2 more lines refused", lines[maxRefused])
}
