package executiontest

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/cockroachdb/datadriven"
)

// show runs the commands that only look.
func (s *script) show(d *datadriven.TestData) string {
	var b strings.Builder
	switch d.Cmd {
	case "effects":
		for _, x := range s.w.Pending() {
			fmt.Fprintln(&b, x)
		}
	case "timers":
		for _, t := range s.w.Timers() {
			fmt.Fprintf(&b, "%s %s %d %s\n", t.ID, t.Name, t.Entry, t.At.UTC().Format("2006-01-02T15:04:05.000Z07:00"))
		}
	case "letters":
		for _, l := range s.w.Letters() {
			fmt.Fprintf(&b, "%s %s %s\n", l.ID, l.Reason, l.Event)
		}
	case "state":
		snap := s.w.Snapshot(arg(d, 0))
		if snap == nil {
			return "no execution " + arg(d, 0)
		}
		fmt.Fprintf(&b, "%s\n%s\n", snap, snap.Context)
	case "snapshot":
		return s.snapshot(d)
	}
	return b.String()
}

// snapshot prints the stored form of an execution, or some fields of it.
func (s *script) snapshot(d *datadriven.TestData) string {
	snap := s.w.Snapshot(arg(d, 0))
	if snap == nil {
		return "no execution " + arg(d, 0)
	}
	text := snap.Encode()
	if len(d.CmdArgs) == 1 {
		return string(text)
	}
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(text, &fields); err != nil {
		return "! " + err.Error()
	}
	var b strings.Builder
	for _, a := range d.CmdArgs[1:] {
		fmt.Fprintf(&b, "%s %s\n", a.Key, fields[a.Key])
	}
	return b.String()
}
