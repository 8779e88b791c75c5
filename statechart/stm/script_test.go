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
//	item CODE   puts its input, from line 8 on, into a machine without findings,
//	            which has then one finding and no other: CODE
//	text CODE   reads its input, which has one finding and no other: CODE
//	lines       puts each line of its input into such a machine of its own and shows
//	            the first problem, "none" without one
//	print       reads its input, which has no errors, and shows the canonical text
//	            of its charts
//
// What print shows is read again and must give an equal chart.
//
// Every code of section 14 is the one finding of an item or text somewhere.
func TestScripts(t *testing.T) {
	foundAlone := make(map[string]bool)
	t.Cleanup(func() {
		for _, code := range strings.Fields(sectionFourteen) {
			if !foundAlone[code] {
				t.Errorf("no story has the finding %s alone", code)
			}
		}
	})
	datadriven.Walk(t, "testdata/scripts", func(t *testing.T, path string) {
		files := fstest.MapFS{}
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			if d.Cmd == "file" {
				files[d.CmdArgs[0].Key] = &fstest.MapFile{Data: []byte(d.Input + "\n")}
				return ""
			}
			if d.Cmd == "lines" {
				return firstOfEach(t, d.Input)
			}
			input := d.Input + "\n"
			if d.Cmd == "item" {
				input = soundChart + input + "}\n"
			}
			files["in.stm"] = &fstest.MapFile{Data: []byte(input)}
			f, err := stm.Parse(files, "in.stm")
			if f == nil {
				return err.Error() + "\n"
			}
			switch d.Cmd {
			case "problems":
				return problems(f)
			case "codes":
				return codes(f)
			case "item", "text":
				return onlyFinding(t, d, f, foundAlone)
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

// sectionFourteen lists the codes of section 14 but unbound_handler, which needs
// handlers.
const sectionFourteen = `syntax duplicate bad_name too_large item_misplaced empty_machine missing_initial
	region_shape unknown_state initial_unresolved ambiguous_state crosses_region bad_targets final_with_exit dead_end
	outcome_on_composite outcome_on_nonterminal unreachable nondeterministic_automatic shadowed_transition shadowed_event
	eventless_cycle bad_done_trigger invoke_no_exit invoke_automatic_exit invoke_on_composite invoke_without_chart
	with_unused unknown_chart join_misplaced join_conflict join_count selector_malformed selector_target_unresolved
	selector_phantom_branch selector_non_exhaustive reserved_event unknown_event events_undeclared unknown_event_field
	op_type_mismatch literal_type_mismatch timeout_invalid timeout_unhandled timeout_never history_no_default
	history_unused internal_ignored no_history_ignored activity_dropped carry_reserved bad_expression unknown_fragment
	bad_argument fragment_recursion import_missing import_cycle unused peer_spelling`

const soundChart = `event E { n: int }
event F { flag: bool? text: string? }
machine m {
  initial A
  state A {}
  final Z
  from A to Z on E
`

func onlyFinding(t *testing.T, d *datadriven.TestData, f *stm.File, foundAlone map[string]bool) string {
	code := d.CmdArgs[0].Key
	if len(f.Problems) != 1 || f.Problems[0].Code != code {
		return fmt.Sprintf("want %s and nothing else, got:\n%s", code, f.Report())
	}
	foundAlone[code] = true
	var b strings.Builder
	for _, p := range f.Problems {
		fmt.Fprintf(&b, "%s %s:%d:%d: %s\n", p.Severity, p.Pos.File, p.Pos.Line, p.Pos.Column, p.Message)
	}
	return b.String()
}

func firstOfEach(t *testing.T, input string) string {
	var b strings.Builder
	for line := range strings.SplitSeq(input, "\n") {
		f, _ := stm.ParseText("in.stm", soundChart+line+"\n}\n")
		if len(f.Problems) == 0 {
			b.WriteString("none\n")
			continue
		}
		p := f.Problems[0]
		fmt.Fprintf(&b, "%d:%d %s: %s", p.Pos.Line-7, p.Pos.Column, p.Code, p.Message)
		if p.Hint != "" {
			fmt.Fprintf(&b, " (%s)", p.Hint)
		}
		b.WriteByte('\n')
	}
	return b.String()
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
