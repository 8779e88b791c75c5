package executiontest

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/cockroachdb/datadriven"

	"github.com/durachart/durachart/execution"
	"github.com/durachart/durachart/statechart"
	"github.com/durachart/durachart/statechart/stm"
)

// Run runs every script under dir, each in a new world made by cfg, as a subtest.
// A script is a sequence of commands in the form of datadriven: a line with the
// command, perhaps an input, a line "----", and what is expected; with -rewrite
// the expectations are written. Lines that begin with # are comments.
//
//	chart                             the input is .stm text, which must have no errors
//	problems                          the input is .stm text: prints what is wrong with it
//	start ID CHART                    the input is the context: creates and starts
//	create ID CHART [priority=]       the same without a step
//	send ID EVENT [id=] [from=]       the input is the data; ids are ev-1, ev-2, … by execution
//	cancel ID · terminate ID          operations; the input is the reason
//	stop ID · suspend ID · resume ID
//	set-state ID PATH…
//	retry ID                          with the newest dead letter of reason step_failed
//	reset ID                          the input is the context
//	event ID NAME EVENTID [from=]     any event, system events too; the input is the data
//	deliver [N]                       carries out the oldest waiting effect, or number N
//	stabilize                         carries out all waiting effects
//	advance DURATION                  moves the clock
//	crash                             drops memory, loads everything from its stored form
//	state ID                          where it stands, and its context
//	snapshot ID [FIELD…]              its stored form, or some fields of it
//	effects · timers · letters        what waits, what is armed, what is dead
//	limit NAME=N…                     sets limits, by the names of execution.Limits
//	trace on|off
//	unbound CHART                     prints the handlers that it misses
//
// A name with blanks is written text=(a name).
//
// Results are printed in the text form of S87. Commands that may lead to steps of
// several executions print "@ID" before each. Lines that begin with "!" are
// complaints of the world, and always a fault.
func Run(t *testing.T, dir string, cfg Config) {
	datadriven.Walk(t, dir, func(t *testing.T, path string) {
		s := script{w: New(cfg), t: t, events: map[string]int{}, ops: map[string]int{}}
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			s.t = t
			out := s.run(d)
			if out == "" {
				return ""
			}
			return strings.TrimRight(out, "\n") + "\n"
		})
	})
}

// script is one running script.
type script struct {
	w      *World
	t      *testing.T
	events map[string]int // sent so far, by execution
	ops    map[string]int // operations so far
}

func (s *script) run(d *datadriven.TestData) string {
	switch d.Cmd {
	case "chart":
		return s.chart(d)
	case "problems":
		return problems(d)
	case "limit":
		return s.limit(d)
	case "trace":
		s.w.cfg.NoTrace = arg(d, 0) == "off"
		return ""
	case "unbound":
		return s.unbound(arg(d, 0))
	case "deliver", "stabilize", "advance", "crash":
		return s.move(d)
	case "state", "snapshot", "effects", "timers", "letters":
		return s.show(d)
	case "start", "create":
		return s.start(d)
	}
	return s.apply(d)
}

// arg returns argument number i, which must be there.
func arg(d *datadriven.TestData, i int) string {
	if i >= len(d.CmdArgs) {
		panic(fmt.Sprintf("%s: %s needs more arguments", d.Pos, d.Cmd))
	}
	if a := d.CmdArgs[i]; a.Key == "text" && len(a.Vals) == 1 {
		return a.Vals[0]
	}
	return d.CmdArgs[i].Key
}

// option returns the value of name=value, or instead.
func option(d *datadriven.TestData, name, instead string) string {
	for _, a := range d.CmdArgs {
		if a.Key == name && len(a.Vals) == 1 {
			return a.Vals[0]
		}
	}
	return instead
}

func (s *script) chart(d *datadriven.TestData) string {
	file, err := stm.ParseText("script.stm", d.Input)
	if err != nil {
		d.Fatalf(s.t, "%v", err)
	}
	for _, c := range file.Charts {
		s.w.Register(c)
	}
	return "" // what the checks warn of is for the command problems
}

func problems(d *datadriven.TestData) string {
	file, err := stm.ParseText("script.stm", d.Input)
	if file == nil {
		return err.Error()
	}
	return findings(file.Problems)
}

// findings lists problems but for events_undeclared, which most stories have.
func findings(ps statechart.Problems) string {
	var b strings.Builder
	for _, p := range ps {
		if p.Code != "events_undeclared" {
			fmt.Fprintln(&b, p)
		}
	}
	return b.String()
}

func (s *script) unbound(name string) string {
	c := s.w.charts.Newest(name)
	if c == nil {
		return "no chart " + name
	}
	if err := execution.Check(c, s.w.cfg.Handlers); err != nil {
		return err.Error()
	}
	return "none"
}

func (s *script) limit(d *datadriven.TestData) string {
	l := &s.w.cfg.Limits
	ints := map[string]*int{
		"Microsteps": &l.Microsteps, "Deferred": &l.Deferred, "Children": &l.Children,
		"LiveChildren": &l.LiveChildren, "Results": &l.Results, "EventBytes": &l.EventBytes,
		"ContextBytes": &l.ContextBytes, "SnapshotBytes": &l.SnapshotBytes,
	}
	for _, a := range d.CmdArgs {
		target := ints[a.Key]
		n, err := strconv.Atoi(option(d, a.Key, ""))
		if target == nil || err != nil {
			d.Fatalf(s.t, "unknown limit %q", a.String())
		}
		*target = n
	}
	return ""
}

// start creates an execution, and starts it unless the command is create.
func (s *script) start(d *datadriven.TestData) string {
	id, chart, context := arg(d, 0), arg(d, 1), []byte(d.Input)
	if d.Cmd == "create" {
		if err := s.w.Create(id, chart, context); err != nil {
			return err.Error()
		}
		s.w.snaps[id].Priority, _ = strconv.Atoi(option(d, "priority", "0"))
		return ""
	}
	step, err := s.w.Start(id, chart, context)
	if err != nil {
		return err.Error()
	}
	return step.String()
}

// apply takes one step with the event or operation that the command names.
func (s *script) apply(d *datadriven.TestData) string {
	id := arg(d, 0)
	e, err := s.event(d, id)
	if err != nil {
		return "error: " + err.Error()
	}
	return s.w.Apply(id, e).String()
}

func (s *script) event(d *datadriven.TestData, id string) (execution.Event, error) {
	data := []byte(d.Input)
	switch d.Cmd {
	case "send":
		s.events[id]++
		e, err := execution.NewEvent(option(d, "id", fmt.Sprintf("ev-%d", s.events[id])), arg(d, 1), data)
		e.Origin = option(d, "from", "")
		return e, err
	case "event":
		e := execution.Event{Name: arg(d, 1), ID: arg(d, 2), Data: data}
		e.Origin = option(d, "from", "")
		return e, nil
	}
	s.ops[id]++
	op := fmt.Sprintf("op-%d", s.ops[id])
	switch d.Cmd {
	case "cancel":
		return execution.CancelEvent(op, data)
	case "terminate":
		return execution.TerminateEvent(op, data)
	case "reset":
		return execution.ResetEvent(op, data)
	case "stop":
		return execution.StopEvent(id), nil
	case "suspend":
		return execution.SuspendEvent(op), nil
	case "resume":
		return execution.ResumeEvent(op), nil
	case "set-state":
		var targets []string
		for _, a := range d.CmdArgs[1:] {
			targets = append(targets, a.Key)
		}
		return execution.SetStateEvent(op, targets), nil
	case "retry":
		return s.retry(op, id)
	}
	d.Fatalf(s.t, "unknown command %q", d.Cmd)
	return execution.Event{}, nil
}

// retry finds the event whose step failed.
func (s *script) retry(op, id string) (execution.Event, error) {
	for i := len(s.w.letters) - 1; i >= 0; i-- {
		l := s.w.letters[i]
		if l.ID == id && l.Reason == execution.ReasonStepFailed {
			return execution.RetryEvent(op, l.Event), nil
		}
	}
	return execution.Event{}, fmt.Errorf("no step of %q has failed", id)
}

// move runs the commands that may lead to steps of several executions.
func (s *script) move(d *datadriven.TestData) string {
	var steps []Step
	switch d.Cmd {
	case "crash":
		var b strings.Builder
		for _, err := range s.w.Crash() {
			fmt.Fprintln(&b, "!", err)
		}
		return b.String()
	case "deliver":
		n := 0
		if len(d.CmdArgs) > 0 {
			n, _ = strconv.Atoi(arg(d, 0))
		}
		more, ok := s.w.DeliverAt(n)
		if !ok {
			return "nothing waits"
		}
		steps = more
	case "stabilize":
		steps = s.w.Stabilize()
	case "advance":
		duration, err := time.ParseDuration(arg(d, 0))
		if err != nil {
			d.Fatalf(s.t, "%v", err)
		}
		steps = s.w.Advance(duration)
	}
	return several(steps)
}

func several(steps []Step) string {
	var b strings.Builder
	for _, step := range steps {
		fmt.Fprintf(&b, "@%s\n%s\n", step.ID, step)
	}
	return b.String()
}
