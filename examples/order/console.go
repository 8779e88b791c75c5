package main

import (
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"github.com/mattn/go-isatty"
)

// maxRefused bounds the lines that are named one by one.
const maxRefused = 20

// console tells a person how it goes: which lines were refused, the first ones
// each with its reason, the rest as a count; and, on a terminal, how many lines
// are done. It is safe for concurrent use.
type console struct {
	mu       sync.Mutex
	w        io.Writer
	terminal bool
	began    time.Time
	shown    time.Time // when progress was last shown
	done     int
	refused  int
}

func newConsole(w io.Writer) *console {
	f, isFile := w.(*os.File)
	return &console{w: w, terminal: isFile && isatty.IsTerminal(f.Fd()), began: time.Now()}
}

// refuse reports one line that is not used.
func (c *console) refuse(line int, reason string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.refused++; c.refused <= maxRefused {
		c.clear()
		fmt.Fprintf(c.w, "line %d: %s\n", line, reason)
	}
}

// advance counts one line that is done with.
func (c *console) advance() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.done++
	if c.terminal && time.Since(c.shown) >= 200*time.Millisecond {
		c.shown = time.Now()
		c.clear()
		fmt.Fprintf(c.w, "%d lines, %.0f/s", c.done, float64(c.done)/time.Since(c.began).Seconds())
	}
}

// clear takes the progress off the terminal.
func (c *console) clear() {
	if c.terminal {
		fmt.Fprint(c.w, "\r\033[K")
	}
}

// close says how many refused lines were not named.
func (c *console) close() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.clear()
	if more := c.refused - maxRefused; more > 0 {
		fmt.Fprintf(c.w, "… and %d more lines refused\n", more)
	}
}
