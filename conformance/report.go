package main

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
)

// Results of a test.
const (
	pass        = "pass"
	fail        = "fail"
	unsupported = "unsupported"
)

// verdict is what became of a test.
type verdict struct {
	result string
	detail string
}

func failed(format string, args ...any) verdict {
	return verdict{fail, fmt.Sprintf(format, args...)}
}

// report prints verdicts and counts them, in all and by group.
type report struct {
	out    io.Writer
	json   bool
	all    counts
	groups map[string]*counts
}

type counts struct{ Pass, Fail, Unsupported int }

func (c *counts) add(result string) {
	switch result {
	case pass:
		c.Pass++
	case unsupported:
		c.Unsupported++
	default:
		c.Fail++
	}
}

func (c counts) String() string {
	return fmt.Sprintf("%d pass, %d fail, %d unsupported", c.Pass, c.Fail, c.Unsupported)
}

func (r *report) add(test, group string, v verdict) {
	r.all.add(v.result)
	if r.groups == nil {
		r.groups = map[string]*counts{}
	}
	if r.groups[group] == nil {
		r.groups[group] = &counts{}
	}
	r.groups[group].add(v.result)
	if r.json {
		line, _ := json.Marshal(struct {
			Test   string `json:"test"`
			Result string `json:"result"`
			Detail string `json:"detail"`
		}{test, v.result, v.detail})
		fmt.Fprintf(r.out, "%s\n", line)
		return
	}
	fmt.Fprintf(r.out, "%-12s %s", v.result, test)
	if v.detail != "" {
		fmt.Fprintf(r.out, ": %s", v.detail)
	}
	fmt.Fprintln(r.out)
}

// close prints the counts and returns the exit code.
func (r *report) close() int {
	if r.json {
		line, _ := json.Marshal(map[string]int{pass: r.all.Pass, fail: r.all.Fail, unsupported: r.all.Unsupported})
		fmt.Fprintf(r.out, "%s\n", line)
	} else {
		names := make([]string, 0, len(r.groups))
		for name := range r.groups {
			names = append(names, name)
		}
		slices.Sort(names)
		for _, name := range names {
			fmt.Fprintf(r.out, "  %-36s %s\n", name, *r.groups[name])
		}
		fmt.Fprintln(r.out, r.all)
	}
	if r.all.Fail > 0 {
		return 1
	}
	return 0
}
