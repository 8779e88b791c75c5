package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/durachart/durachart/execution"
	"github.com/durachart/durachart/internal/jsonvalue"
	"github.com/durachart/durachart/statechart"
)

// scenario is a row of a scenario file: a chart, steps, and the result that
// another engine gave, with our verdict on it.
type scenario struct {
	ID          string            `json:"id"`
	Area        string            `json:"area"`
	STM         string            `json:"stm"`
	Submachines map[string]string `json:"submachines"`
	Context     json.RawMessage   `json:"context"`
	Steps       []step            `json:"steps"`
	Peer        expectation       `json:"peer_result"`
	Verdict     string            `json:"verdict"`
	Ours        json.RawMessage   `json:"ours"`
	Why         string            `json:"why"`
}

// step is what happens next; exactly one of Send, Clock, Control, LateTimeout.
type step struct {
	Send        string          `json:"send"`
	Data        json.RawMessage `json:"data"`
	EventID     string          `json:"event_id"`
	Clock       *float64        `json:"clock"`
	Control     string          `json:"control"`
	Reason      json.RawMessage `json:"reason"`
	LateTimeout *string         `json:"late_timeout"`
}

// expectation is a result; a nil field is not compared.
type expectation struct {
	Active       []*string           `json:"active"`
	Errors       map[string]string   `json:"errors"`
	Status       string              `json:"status"`
	Outcome      *string             `json:"outcome"`
	Trace        []string            `json:"trace"`
	Context      map[string]any      `json:"context"`
	Held         []string            `json:"held"`
	Children     []childExpectation  `json:"children"`
	RegionTraces map[string][]string `json:"region_traces"`
	Timers       []timerExpectation  `json:"timers"`
	Error        *string             `json:"error"`
	Raised       []string            `json:"raised"`
	DeadLetters  []string            `json:"dead_letters"`
	Regions      map[string]string   `json:"regions"`
	Keys         *keyExpectation     `json:"keys"`
}

// replace takes the fields that stand in ours, each as a whole.
func (e *expectation) replace(ours json.RawMessage) error {
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(ours, &fields); err != nil {
		return err
	}
	for name, empty := range map[string]func(){
		"errors": func() { e.Errors = nil }, "context": func() { e.Context = nil },
		"region_traces": func() { e.RegionTraces = nil }, "regions": func() { e.Regions = nil },
	} {
		if _, ok := fields[name]; ok {
			empty() // decoding would add to a map
		}
	}
	return json.Unmarshal(ours, e)
}

type childExpectation struct {
	Site   string `json:"site"`
	Item   *int   `json:"item"`
	Status string `json:"status"`
	Active string `json:"active"`
}

type timerExpectation struct {
	State string  `json:"state"`
	Due   float64 `json:"due"`
}

type keyExpectation struct {
	Count    int  `json:"count"`
	Distinct bool `json:"distinct"`
}

func (o *options) scenarioTests() ([]test, error) {
	data, err := os.ReadFile(o.scenarios)
	if err != nil {
		return nil, err
	}
	var rows []scenario
	if err := json.Unmarshal(data, &rows); err != nil {
		return nil, fmt.Errorf("%s: %w", o.scenarios, err)
	}
	var out []test
	for _, row := range rows {
		out = append(out, test{name: row.ID, group: row.Area, run: func(ctx context.Context, open opener) verdict {
			return row.run(ctx, open)
		}})
	}
	return out, nil
}

func (row scenario) run(ctx context.Context, open opener) verdict {
	want := row.Peer
	switch row.Verdict {
	case "same":
	case "differs":
		if err := want.replace(row.Ours); err != nil {
			return failed("ours: %v", err)
		}
	default:
		return verdict{unsupported, row.Verdict + ": " + row.Why}
	}
	chart, err := row.chart()
	var problems statechart.Problems
	if errors.As(err, &problems) {
		return refused(problems)
	}
	if err != nil {
		return failed("%v", err)
	}
	p, err := row.play(ctx, open, chart)
	if err != nil {
		return failed("%v", err)
	}
	defer p.w.close()
	faults := p.compare(want, chart)
	if want.Keys != nil {
		faults = append(faults, row.compareKeys(ctx, open, chart, p)...)
	}
	if len(faults) > 0 {
		return failed("%s", strings.Join(faults, "; "))
	}
	return verdict{result: pass}
}

// play runs the steps in a world of its own, which the caller closes.
func (row scenario) play(ctx context.Context, open opener, chart *statechart.Chart) (*play, error) {
	w, err := open(ctx, setting{charts: []*statechart.Chart{chart}, handlers: recorders(chart)})
	if err != nil {
		return nil, err
	}
	p := &play{w: w, begun: w.now(), errors: map[string]string{}}
	err = p.start(chart, row.Context)
	for i, s := range row.Steps {
		if err == nil {
			err = p.step(i+1, s)
		}
	}
	if err != nil {
		w.close()
		return nil, fmt.Errorf("after %d of %d steps: %w", len(p.active), len(row.Steps)+1, err)
	}
	return p, nil
}

// compareKeys runs the row again: the idempotency keys must be the same.
func (row scenario) compareKeys(ctx context.Context, open opener, chart *statechart.Chart, first *play) []string {
	again, err := row.play(ctx, open, chart)
	if err != nil {
		return []string{err.Error()}
	}
	defer again.w.close()
	a, errA := first.keys()
	b, errB := again.keys()
	if err := errors.Join(errA, errB); err != nil {
		return []string{err.Error()}
	}
	if !jsonvalue.Equal(a, b) {
		return []string{fmt.Sprintf("keys %v, and %v when the events are applied again", a, b)}
	}
	return nil
}

// play is a scenario that is being run.
type play struct {
	w      world
	begun  time.Time
	active []string
	errors map[string]string
}

// subject is the id of the execution of a scenario.
const subject = "test"

func (p *play) start(chart *statechart.Chart, context json.RawMessage) error {
	if context == nil {
		context = json.RawMessage("{}")
	}
	if err := p.w.start(subject, chart.Name(), context); err != nil {
		return err
	}
	return p.note()
}

// note takes down where the execution stands.
func (p *play) note() error {
	s, err := p.w.snapshot(subject)
	if err != nil {
		return err
	}
	p.active = append(p.active, strings.Join(s.Configuration, ","))
	return nil
}

// step takes a step. An answer that callers get is taken down; an error is a
// fault of the run.
func (p *play) step(n int, s step) error {
	var err error
	switch {
	case s.Send != "":
		err = p.send(n, s)
	case s.Clock != nil:
		at := p.begun.Add(time.Duration(*s.Clock * float64(time.Second)))
		err = p.w.advance(at.Sub(p.w.now()))
	case s.Control != "":
		var reason any
		if s.Reason != nil {
			reason = s.Reason
		}
		err = p.w.control(subject, s.Control, reason)
	case s.LateTimeout != nil:
		err = p.w.send(subject, execution.TimerEvent(subject, "timeout:"+*s.LateTimeout, 0))
	default:
		return errors.New("a step of no known kind")
	}
	switch {
	case errors.Is(err, errEnded):
		p.errors[strconv.Itoa(n)] = "ended"
	case errors.Is(err, execution.ErrInvalidEvent):
		p.errors[strconv.Itoa(n)] = "reserved"
	case err != nil:
		return err
	}
	return p.note()
}

func (p *play) send(n int, s step) error {
	id := s.EventID
	if id == "" {
		id = "step-" + strconv.Itoa(n)
	}
	var data any
	if s.Data != nil {
		data = s.Data
	}
	e, err := execution.NewEvent(id, s.Send, data)
	if err != nil {
		return err
	}
	return p.w.send(subject, e)
}

// compare lists what is not as expected.
func (p *play) compare(want expectation, chart *statechart.Chart) []string {
	var faults []string
	check := func(what string, got, want any) {
		g, _ := json.Marshal(got)
		w, _ := json.Marshal(want)
		if string(g) != string(w) {
			faults = append(faults, fmt.Sprintf("%s %s, not %s", what, g, w))
		}
	}
	s, err := p.w.snapshot(subject)
	if err != nil {
		return []string{err.Error()}
	}
	context, err := jsonvalue.DecodeObject(s.Context)
	if err != nil {
		return []string{err.Error()}
	}
	if want.Active != nil {
		check("active", p.active, want.Active)
	}
	check("errors", p.errors, orEmpty(want.Errors))
	check("status", strings.ToLower(string(s.Status)), want.Status)
	check("outcome", s.Outcome, wantedOutcome(want))
	check("trace", recorded(context), orEmptyList(want.Trace))
	check("context", without(context), without(orEmpty(want.Context)))
	if want.Held != nil {
		check("held", names(s.Deferred), want.Held)
	}
	if want.Error != nil {
		check("failed with an error", s.Error != "", true)
	}
	if want.Timers != nil {
		check("timers", p.timers(s), want.Timers)
	}
	if want.DeadLetters != nil {
		letters, err := p.w.letters(subject)
		if err != nil {
			faults = append(faults, err.Error())
		}
		check("dead letters", names(letters), want.DeadLetters)
	}
	if want.Keys != nil {
		check("keys", keysOf(context), *want.Keys)
	}
	return append(faults, p.compareChildren(want, chart)...)
}

// wantedOutcome is the outcome as we write it: a final without one is a success
// with us (S11).
func wantedOutcome(want expectation) string {
	if want.Outcome != nil {
		return *want.Outcome
	}
	if want.Status == "done" {
		return "success"
	}
	return ""
}

// notCompared are keys of the context that the scenarios leave out.
var notCompared = []string{traceKey, listKey, "region_results", "__attempt", "k"}

func without(context map[string]any) map[string]any {
	out := maps.Clone(context)
	for _, key := range notCompared {
		delete(out, key)
	}
	return out
}

func orEmpty[V any](m map[string]V) map[string]V {
	if m == nil {
		return map[string]V{}
	}
	return m
}

func orEmptyList(l []string) []string {
	if l == nil {
		return []string{}
	}
	return l
}

func names(events []execution.Event) []string {
	out := []string{}
	for _, e := range events {
		out = append(out, e.Name)
	}
	return out
}

func (p *play) timers(s *execution.Snapshot) []timerExpectation {
	var out []timerExpectation
	for _, t := range s.Timers {
		state := strings.TrimPrefix(t.Name, "timeout:")
		out = append(out, timerExpectation{state, time.UnixMilli(t.At).Sub(p.begun).Seconds()})
	}
	return out
}

// keys returns the idempotency keys that the actions have left.
func (p *play) keys() (any, error) {
	s, err := p.w.snapshot(subject)
	if err != nil {
		return nil, err
	}
	context, err := jsonvalue.DecodeObject(s.Context)
	return context["k"], err
}

func keysOf(context map[string]any) keyExpectation {
	keys, _ := context["k"].([]any)
	texts := make([]string, len(keys))
	for i, k := range keys {
		texts[i], _ = k.(string)
	}
	slices.Sort(texts)
	return keyExpectation{len(texts), len(slices.Compact(texts)) == len(keys)}
}
