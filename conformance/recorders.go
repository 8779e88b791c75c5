package main

import (
	"errors"

	"github.com/durachart/durachart/execution"
	"github.com/durachart/durachart/statechart"
)

const (
	traceKey = "t" // names of the actions in the order they ran
	listKey  = "p" // what pick takes its values from
	takeName = "take_from_list"
)

// untyped is the scope of the actions here.
type untyped = execution.Scope[map[string]any]

// special are the actions that do more than to record their name.
var special = map[string]func(s *untyped, context map[string]any) error{
	"keep": func(s *untyped, c map[string]any) error { c["seen"] = s.Event().Map(); return nil },
	"note": func(_ *untyped, c map[string]any) error { c["note"] = "n1"; return nil },
	"inc":  func(_ *untyped, c map[string]any) error { c["n"] = whole(c["n"]) + 1; return nil },
	"keyf": func(s *untyped, c map[string]any) error { c["k"] = append(list(c["k"]), s.Key()); return nil },
	"boom": func(*untyped, map[string]any) error { return errors.New("boom") },
	"backoff": func(s *untyped, c map[string]any) error {
		into, _ := s.Input("into").(string)
		n := whole(c["__attempt"])
		c[into], c["__attempt"] = whole(s.Input("base"))<<n, n+1
		return nil
	},
	takeName: func(_ *untyped, c map[string]any) error {
		if l := list(c[listKey]); len(l) > 0 {
			c[listKey] = l[1:]
		}
		return nil
	},
}

// selectors are the functions that charts of scenarios choose by.
var selectors = map[string]execution.Selector{
	"pick": func(v execution.View[map[string]any]) (string, error) {
		l := list(v.Context()[listKey])
		if len(l) == 0 {
			return "", errors.New("nothing is left to pick")
		}
		text, _ := l[0].(string)
		return text, nil
	},
	"okq": func(v execution.View[map[string]any]) (string, error) {
		if v.Context()["ok"] == true {
			return "y", nil
		}
		return "n", nil
	},
	"vote": func(v execution.View[map[string]any]) (string, error) {
		results, _ := v.Event().Map()["results"].(map[string]any)
		for _, r := range results {
			if r, ok := r.(map[string]any); ok && r["outcome"] == "failed" {
				return "bad", nil
			}
		}
		return "good", nil
	},
}

func whole(v any) int64 { n, _ := v.(int64); return n }
func list(v any) []any  { l, _ := v.([]any); return l }

// recorders are the handlers of a chart and those that it brings along.
func recorders(chart *statechart.Chart) execution.Handlers {
	out := execution.Handlers{}
	for name, f := range selectors {
		out[name] = f
	}
	for name := range actionNames(chart) {
		act := special[name]
		out[name] = execution.Action(func(_ execution.Ctx, s *untyped) error {
			context := *s.Context()
			if act != nil {
				return act(s, context)
			}
			context[traceKey] = append(list(context[traceKey]), name)
			return nil
		})
	}
	return out
}

// recorded is the trace that the actions left in a context.
func recorded(context map[string]any) []string {
	out := []string{}
	for _, v := range list(context[traceKey]) {
		text, _ := v.(string)
		out = append(out, text)
	}
	return out
}

// actionNames are the names of the actions that a chart calls.
func actionNames(chart *statechart.Chart) map[string]bool {
	out := map[string]bool{}
	add := func(actions []statechart.Action) {
		for _, a := range actions {
			if c, ok := a.(*statechart.CallAction); ok {
				out[chart.Handler(c.Name)] = true
			}
		}
	}
	for _, s := range chart.States() {
		add(s.OnEnter)
		add(s.OnExit)
		add(s.Finalize)
		for _, e := range []*statechart.Entry{s.Initial, s.Default} {
			if e != nil {
				add(e.Do)
			}
		}
		for _, t := range s.Transitions {
			add(t.Do)
		}
	}
	for _, c := range chart.Charts() {
		for name := range actionNames(c) {
			out[name] = true
		}
	}
	return out
}
