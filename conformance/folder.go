package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/durachart/durachart/execution"
	"github.com/durachart/durachart/statechart"
	"github.com/durachart/durachart/statechart/scxml"
)

// test is one test of the material.
type test struct {
	name  string
	group string
	run   func(ctx context.Context, open opener) verdict
}

func (o *options) tests() ([]test, error) {
	if o.scenarios != "" {
		return o.scenarioTests()
	}
	if _, err := os.Stat(o.dir); err != nil {
		return nil, err // by the name that was given
	}
	fsys := os.DirFS(o.dir)
	files, err := documents(fsys)
	if err != nil {
		return nil, err
	}
	if len(files) == 0 {
		return nil, fmt.Errorf("no .scxml file in %s", o.dir)
	}
	var out []test
	for _, file := range files {
		out = append(out, test{
			name: strings.TrimSuffix(file, ".scxml"), group: path.Dir(file),
			run: func(ctx context.Context, open opener) verdict {
				return runDocument(ctx, fsys, file, o.profile, open)
			},
		})
	}
	return out, nil
}

var srcAttribute = regexp.MustCompile(`\bsrc(?:expr)?\s*=\s*["']+(?:file:)?([^"']+)`)

// documents lists the SCXML files that are tests: all but those that only serve
// another one.
func documents(fsys fs.FS) ([]string, error) {
	var files []string
	served := map[string]bool{}
	err := fs.WalkDir(fsys, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || path.Ext(name) != ".scxml" {
			return err
		}
		files = append(files, name)
		data, err := fs.ReadFile(fsys, name)
		for _, m := range srcAttribute.FindAllStringSubmatch(string(data), -1) {
			if target := path.Join(path.Dir(name), m[1]); target != name {
				served[target] = true
			}
		}
		return err
	})
	files = slices.DeleteFunc(files, func(name string) bool {
		_, err := fs.Stat(fsys, scriptOf(name))
		return served[name] && err != nil
	})
	return files, err
}

func scriptOf(file string) string { return strings.TrimSuffix(file, ".scxml") + ".json" }

// script is what a test of the SCXML Test Framework expects.
type script struct {
	InitialConfiguration []string
	Events               []struct {
		After             float64
		Event             struct{ Name string }
		NextConfiguration []string
	}
}

func runDocument(ctx context.Context, fsys fs.FS, file string, profile statechart.Profile, open opener) verdict {
	doc, err := scxml.Read(fsys, file, profile)
	var problems statechart.Problems
	if errors.As(err, &problems) {
		return refused(problems)
	}
	if err != nil {
		return failed("%v", err)
	}
	w, err := open(ctx, setting{charts: []*statechart.Chart{doc.Chart}, handlers: handlersOf(doc)})
	if err != nil {
		return failed("%v", err)
	}
	defer w.close()
	if err := w.start("test", doc.Chart.Name(), nil); err != nil {
		return failed("start: %v", err)
	}
	data, err := fs.ReadFile(fsys, scriptOf(file))
	if errors.Is(err, fs.ErrNotExist) {
		return judge(w, doc)
	}
	var s script
	if err := errors.Join(err, json.Unmarshal(data, &s)); err != nil {
		return failed("%s: %v", scriptOf(file), err)
	}
	return follow(w, doc, s)
}

// refused tells a document that cannot be translated from one that is wrong: both
// are named, neither is a failure of the semantics.
func refused(problems statechart.Problems) verdict {
	for _, p := range problems {
		if p.Severity == statechart.Error {
			return verdict{unsupported, p.String()}
		}
	}
	return failed("%v", problems)
}

// follow sends the events of a script.
func follow(w world, doc *scxml.Document, s script) verdict {
	if got := leaves(w, doc); !sameSet(got, s.InitialConfiguration) {
		return failed("after the start: %v, not %v", got, s.InitialConfiguration)
	}
	for i, e := range s.Events {
		if err := w.advance(time.Duration(e.After * float64(time.Millisecond))); err != nil {
			return failed("before event %d: %v", i+1, err)
		}
		ev, err := execution.NewEvent(fmt.Sprintf("event-%d", i+1), e.Event.Name, nil)
		if err == nil {
			err = w.send("test", ev)
		}
		if err != nil && !errors.Is(err, errEnded) {
			return failed("event %d, %s: %v", i+1, e.Event.Name, err)
		}
		if got := leaves(w, doc); !sameSet(got, e.NextConfiguration) {
			return failed("after event %d, %s: %v, not %v", i+1, e.Event.Name, got, e.NextConfiguration)
		}
	}
	return verdict{result: pass}
}

// judgeTime is how long a document that judges itself may take. Its own time-outs
// are some seconds.
const judgeTime = 10 * time.Minute

// judge lets time go on until a document has ended, and looks where.
func judge(w world, doc *scxml.Document) verdict {
	for begun := w.now(); ; {
		s, err := w.snapshot("test")
		if err != nil {
			return failed("%v", err)
		}
		if ended(s) {
			break
		}
		next, ok := w.nextTimer()
		if !ok || next.Sub(begun) > judgeTime {
			return failed("stays in %v", leaves(w, doc))
		}
		if err := w.advance(next.Sub(w.now())); err != nil {
			return failed("%v", err)
		}
	}
	got := leaves(w, doc)
	if len(got) == 1 && got[0] == "pass" {
		return verdict{result: pass}
	}
	s, _ := w.snapshot("test")
	return failed("%s in %v %s", s.Status, got, s.Error)
}

func sameSet(a, b []string) bool {
	a, b = slices.Clone(a), slices.Clone(b)
	slices.Sort(a)
	slices.Sort(b)
	return slices.Equal(a, b)
}
