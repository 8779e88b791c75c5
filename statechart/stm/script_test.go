package stm_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/cockroachdb/datadriven"

	"github.com/durachart/durachart/statechart"
	"github.com/durachart/durachart/statechart/stm"
)

// TestScripts runs the stories in testdata. Commands:
//
//	file NAME   keeps its input as a file that others import
//	problems    reads its input and shows the problems, without the remarks that
//	            no events are declared; "none" if there are none
//	codes       the same, only line, column and code of each
//	print       reads its input, which has no errors, and shows the canonical text
//	            of its charts
//
// What print shows is read again and must give an equal chart.
func TestScripts(t *testing.T) {
	datadriven.Walk(t, "testdata/scripts", func(t *testing.T, path string) {
		files := fstest.MapFS{}
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			if d.Cmd == "file" {
				files[d.CmdArgs[0].Key] = &fstest.MapFile{Data: []byte(d.Input + "\n")}
				return ""
			}
			files["in.stm"] = &fstest.MapFile{Data: []byte(d.Input + "\n")}
			f, err := stm.Parse(files, "in.stm")
			if f == nil {
				return err.Error() + "\n"
			}
			switch d.Cmd {
			case "problems":
				return problems(f)
			case "codes":
				return codes(f)
			case "print":
				if err != nil {
					return problems(f)
				}
				return printed(t, f)
			}
			t.Fatalf("%s: unknown command %q", d.Pos, d.Cmd)
			return ""
		})
	})
}

func interesting(f *stm.File) statechart.Problems {
	var ps statechart.Problems
	for _, p := range f.Problems {
		if p.Code != "events_undeclared" {
			ps = append(ps, p)
		}
	}
	return ps
}

func problems(f *stm.File) string {
	var b strings.Builder
	for _, p := range interesting(f) {
		b.WriteString(f.Format(p))
	}
	if b.Len() == 0 {
		return "none\n"
	}
	return b.String()
}

func codes(f *stm.File) string {
	var b strings.Builder
	for _, p := range interesting(f) {
		fmt.Fprintf(&b, "%s:%d:%d %s\n", p.Pos.File, p.Pos.Line, p.Pos.Column, p.Code)
	}
	if b.Len() == 0 {
		return "none\n"
	}
	return b.String()
}

func printed(t *testing.T, f *stm.File) string {
	var b strings.Builder
	for _, c := range f.Charts {
		text := stm.Print(c)
		b.WriteString(text)
		again, err := stm.ParseText("printed.stm", text)
		if err != nil {
			t.Errorf("the printed text has errors: %v", err)
		} else if !again.Charts[0].Equal(c) {
			t.Errorf("the printed text is another chart:\n%s", stm.Print(again.Charts[0]))
		}
	}
	return b.String()
}
