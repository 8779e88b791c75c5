package stm_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/durachart/durachart/statechart"
	"github.com/durachart/durachart/statechart/stm"
)

// FuzzParse: no text makes the reader panic; every problem has a place in the
// text and a report; and what has no errors is printed as a text that gives an
// equal chart, whose canonical text is the same again (S101).
func FuzzParse(f *testing.F) {
	for _, text := range seeds(f) {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 10_000 {
			return
		}
		file, err := stm.ParseText("in.stm", text)
		if file == nil {
			t.Fatal(err)
		}
		lines := strings.Count(text, "\n") + 1
		for _, p := range file.Problems {
			if p.Pos.Line < 1 || p.Pos.Line > lines || p.Pos.Column < 1 || p.Pos.File != "in.stm" {
				t.Fatalf("%+v has no place in the text", p)
			}
		}
		if report := file.Report(); (len(file.Problems) > 0) != (report != "") {
			t.Fatalf("%d problems, report %q", len(file.Problems), report)
		}
		if (err != nil) != file.Problems.HasErrors() || (err != nil) != (file.Charts == nil) && len(file.Charts) > 0 {
			t.Fatalf("error %v, %d charts", err, len(file.Charts))
		}
		for _, c := range file.Charts {
			checkRoundTrip(t, c)
		}
	})
}

func checkRoundTrip(t *testing.T, c *statechart.Chart) {
	text := stm.Print(c)
	again, err := stm.ParseText("again.stm", text)
	if err != nil {
		t.Fatalf("the printed text has errors:\n%s\n%s", text, again.Report())
	}
	if len(again.Charts) != 1 || !c.Equal(again.Charts[0]) {
		t.Fatalf("the printed text is another chart:\n%s\n%s", text, stm.Print(again.Charts[0]))
	}
	if twice := stm.Print(again.Charts[0]); twice != text {
		t.Fatalf("printed again:\n%s\nat first:\n%s", twice, text)
	}
}

// seeds are all texts of the stories.
func seeds(f *testing.F) []string {
	order, err := os.ReadFile("testdata/order.stm")
	if err != nil {
		f.Fatal(err)
	}
	out := []string{string(order)}
	paths, err := filepath.Glob("testdata/scripts/*.txt")
	if err != nil || len(paths) == 0 {
		f.Fatal("no scripts", err)
	}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		for _, story := range strings.Split(string(text), "\n\n") {
			_, input, ok := strings.Cut(strings.TrimLeft(dropComments(story), "\n"), "\n")
			input, _, split := strings.Cut(input, "\n----")
			if ok && split {
				out = append(out, input, soundChart+input+"\n}")
			}
		}
	}
	return out
}

func dropComments(story string) string {
	for strings.HasPrefix(story, "#") {
		_, story, _ = strings.Cut(story, "\n")
	}
	return story
}

// FuzzFiles: the same for a file that imports another, which imports the first.
func FuzzFiles(f *testing.F) {
	text := seeds(f)
	for i := range text {
		f.Add(text[i], text[(i+7)%len(text)])
	}
	f.Fuzz(func(t *testing.T, main, lib string) {
		if len(main)+len(lib) > 10_000 {
			return
		}
		for _, imports := range []string{"import \"lib.stm\"\n", "import \"lib.stm\" as lib\n"} {
			file, err := stm.Parse(fstest.MapFS{
				"in.stm":  {Data: []byte(imports + main)},
				"lib.stm": {Data: []byte(lib)},
			}, "in.stm")
			if file == nil {
				t.Fatal(err)
			}
			_ = file.Report()
			for _, c := range file.Charts {
				checkPrints(t, c)
			}
		}
	})
}

// checkPrints is checkRoundTrip for charts whose invoked charts are in another
// file: their names are then those of registered charts, which is a warning.
func checkPrints(t *testing.T, c *statechart.Chart) {
	text := stm.Print(c)
	again, err := stm.ParseText("again.stm", text)
	if err != nil {
		t.Fatalf("the printed text has errors:\n%s\n%s", text, again.Report())
	}
	if twice := stm.Print(again.Charts[0]); twice != text {
		t.Fatalf("printed again:\n%s\nat first:\n%s", twice, text)
	}
}
