package executiontest

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/durachart/durachart/execution"
	"github.com/durachart/durachart/statechart"
)

// Config says what a World knows. The zero value is an empty world.
type Config struct {
	// Charts that can be started and invoked; those that they bring along are
	// registered too.
	Charts []*statechart.Chart
	// Handlers are the Go actions, guards and selectors of all charts.
	Handlers execution.Handlers
	// Limits bound all steps.
	Limits execution.Limits
	// NoTrace leaves the trace out of the results.
	NoTrace bool
	// Start is the time at which the clock stands first. Default:
	// 2030-01-01T00:00:00Z.
	Start time.Time
}

// World holds executions and what is on its way between them. It belongs to one
// goroutine.
type World struct {
	cfg      Config
	charts   *Registry
	now      time.Time
	snaps    map[string]*execution.Snapshot
	pending  []pending
	inbox    map[string][]execution.Event // what a held execution could not take
	timers   map[timerKey]timer           // by the effects, not by the snapshots
	retries  []retry
	attempts map[string]int
	letters  []Letter
}

// Step is one step of one execution.
type Step struct {
	ID         string // execution
	Result     execution.Result
	Err        error    // of Step itself; then there is no Result
	Complaints []string // what the world found wrong with it
}

// String returns the text form of the result, or the error, and the complaints.
func (s Step) String() string {
	text := ""
	if s.Err != nil {
		text = "error: " + s.Err.Error()
	} else {
		text = s.Result.String()
	}
	for _, c := range s.Complaints {
		text += "\n! " + c
	}
	return text
}

// Letter is a dead letter of an execution.
type Letter struct {
	ID     string // execution
	Reason string
	Event  execution.Event
}

// New makes a world without executions.
func New(cfg Config) *World {
	if cfg.Start.IsZero() {
		cfg.Start = time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC)
	}
	w := &World{
		cfg: cfg, charts: NewRegistry(), now: cfg.Start,
		snaps: map[string]*execution.Snapshot{}, inbox: map[string][]execution.Event{},
		timers: map[timerKey]timer{}, attempts: map[string]int{},
	}
	for _, c := range cfg.Charts {
		w.charts.Add(c)
	}
	return w
}

// Register makes a chart known, and the charts that it brings along.
func (w *World) Register(c *statechart.Chart) { w.charts.Add(c) }

// Charts returns the registry of the world.
func (w *World) Charts() *Registry { return w.charts }

// Now is the time of the world.
func (w *World) Now() time.Time { return w.now }

// Snapshot returns the snapshot of an execution, nil for an unknown one.
func (w *World) Snapshot(id string) *execution.Snapshot { return w.snaps[id] }

// IDs returns the ids of all executions, sorted.
func (w *World) IDs() []string { return slices.Sorted(maps.Keys(w.snaps)) }

// Letters returns all dead letters so far, oldest first.
func (w *World) Letters() []Letter { return w.letters }

// Create makes a PENDING execution of the newest version of a chart. context is
// an object as for execution.Object.
func (w *World) Create(id, chart string, context any) error {
	version, ok := w.charts.Resolve(chart, "")
	if !ok {
		return fmt.Errorf("create %q: no chart %q", id, chart)
	}
	if w.snaps[id] != nil {
		return fmt.Errorf("create %q: it exists", id)
	}
	obj, err := execution.Object(context)
	if err != nil {
		return fmt.Errorf("create %q: %w", id, err)
	}
	w.snaps[id] = execution.New(chart, version, id, obj)
	return nil
}

// Start creates an execution and takes its first step.
func (w *World) Start(id, chart string, context any) (Step, error) {
	if err := w.Create(id, chart, context); err != nil {
		return Step{}, err
	}
	return w.Apply(id, execution.StartEvent(id, 1)), nil
}

// Apply takes one step. What the execution cannot take yet waits in its inbox.
func (w *World) Apply(id string, e execution.Event) Step {
	s := w.snaps[id]
	if s == nil {
		return Step{ID: id, Err: fmt.Errorf("no execution %q", id)}
	}
	chart := w.charts.Chart(s.DefinitionID, s.DefinitionVersion)
	if chart == nil {
		return Step{ID: id, Err: fmt.Errorf("no chart %s@%s", s.DefinitionID, s.DefinitionVersion)}
	}
	step := Step{ID: id}
	key := id + "\x00" + e.ID
	step.Result, step.Complaints, step.Err = w.check(chart, s, e, w.attempts[key])
	var again *execution.RetryError
	switch {
	case errors.As(step.Err, &again):
		w.attempts[key]++
		w.retries = append(w.retries, retry{at: w.now.Add(again.Delay()), id: id, event: e})
	case step.Err == nil:
		delete(w.attempts, key)
		step.Complaints = append(step.Complaints, w.commit(id, e, step.Result)...)
	}
	return step
}

// check takes the step, and once more from a decoded copy of the snapshot.
func (w *World) check(chart *statechart.Chart, s *execution.Snapshot, e execution.Event, attempt int) (execution.Result, []string, error) {
	host := &execution.Host{
		Handlers: w.cfg.Handlers, Charts: w.charts, Limits: w.cfg.Limits,
		Trace: !w.cfg.NoTrace, Attempt: attempt,
	}
	before := string(s.Encode())
	first, err := execution.Step(chart, s, e, w.now, host)
	var complaints []string
	if after := string(s.Encode()); after != before {
		complaints = append(complaints, "the step changed its argument: "+before+" is now "+after)
	}
	copied, decodeErr := execution.Decode([]byte(before))
	if decodeErr != nil {
		return first, append(complaints, "the snapshot cannot be read back: "+decodeErr.Error()), err
	}
	if again := string(copied.Encode()); again != before {
		complaints = append(complaints, "the snapshot is read back as another one: "+again+" instead of "+before)
	}
	second, err2 := execution.Step(chart, copied, e, w.now, host)
	switch {
	case (err == nil) != (err2 == nil) || err != nil && err.Error() != err2.Error():
		complaints = append(complaints, fmt.Sprintf("repeated, the step gives the error %v", err2))
	case err == nil:
		if a, b := show(first), show(second); a != b {
			complaints = append(complaints, "repeated, the step gives\n"+b)
		}
	}
	return first, complaints, err
}

// show is the text form of a result with its whole snapshot. Stacks of panics in
// the trace hold addresses, so they are left out.
func show(r execution.Result) string {
	if strings.Contains(strings.Join(r.Trace, "\n"), "goroutine ") {
		r.Trace = nil
	}
	return r.String() + "\n" + string(r.Snapshot.Encode())
}

// commit keeps what a step left behind.
func (w *World) commit(id string, e execution.Event, r execution.Result) []string {
	if r.Disposition == execution.Held {
		if w.snaps[id].Held() { // else it is a timer that came too early
			w.inbox[id] = append(w.inbox[id], e)
		}
		return nil
	}
	if r.Changed() {
		next := *r.Snapshot
		next.Version++
		w.snaps[id] = &next
	}
	for _, x := range r.Effects {
		switch x := x.(type) {
		case execution.StartTimer:
			w.timers[timerKey{id, x.Name}] = timer{x.Entry, x.At}
		case execution.CancelTimer:
			delete(w.timers, timerKey{id, x.Name})
		case execution.DeadLetter:
			w.letters = append(w.letters, Letter{ID: id, Reason: x.Reason, Event: x.Event})
		default:
			w.pending = append(w.pending, pending{from: id, effect: x})
		}
	}
	if s := w.snaps[id]; !s.Held() && len(w.inbox[id]) > 0 {
		for _, e := range w.inbox[id] {
			w.pending = append(w.pending, pending{from: id, effect: execution.Emit{Target: id, Event: e}})
		}
		delete(w.inbox, id)
	}
	return w.checkTimers(id)
}
