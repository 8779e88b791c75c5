package execution

import (
	"sync"

	"github.com/durachart/durachart/internal/jsonvalue"
	"github.com/durachart/durachart/statechart"
	"github.com/durachart/durachart/statechart/expr"
)

// machine carries one step. It works on a copy of the snapshot whose parts are
// shared with the given one until they are written.
type machine struct {
	chart  *statechart.Chart
	root   *statechart.State // the execution root
	host   *Host
	limits Limits
	in     *Snapshot
	out    *Snapshot // a copy of in, which the step changes
	now    int64     // milliseconds since 1970

	given Event // the event of the step: its id is part of all derived ids
	event Event // what handlers and expressions see (S36)
	data  map[string]any
	bound bool // data is decoded

	active  stateSet          // all active states, not only leaves
	final   *statechart.State // the active final child of the execution root
	entered bool              // a state was entered since the step or the last scan began
	moved   bool              // the configuration may have changed
	acted   bool              // a transition was taken, or a system event did its work
	outcome Disposition       // what became of the external event
	refusal string            // why it is dead

	queue   []queued
	context userData
	own     owned
	opening []*statechart.State // sites entered and not yet open
	scan    scan
	faulted map[*statechart.Transition]struct{} // guards that failed in this step (S41)

	effects effects
	count   int // microsteps and internal events
	raised  int // internal events made: i{n}
	emitted int // events emitted: e{n}
	called  int // action calls

	failure *failure    // the step fails
	retry   *RetryError // the step is given up for now
	trace   []string

	variables expr.Vars // of expressions
	words     [8]uint64 // room for active and entry sets of small charts
	visited   stateSet
	entry     entrySet
	picked    [4]chosen
}

// owned says which parts of the snapshot were copied in this step and may be
// written in place.
type owned struct{ timers, sites, children, history, seqs, deferred bool }

// queued is an internal event. Error events remember what went wrong, for the
// case that nothing handles them.
type queued struct {
	Event
	kind, message string
}

// failure is why a step fails (S43).
type failure struct{ kind, message string }

// machines keeps machines for reuse: they are the largest thing that a step
// needs, and most steps need nothing else.
var machines = sync.Pool{New: func() any { return new(machine) }}

func newMachine(chart *statechart.Chart, s *Snapshot, now int64, host *Host) *machine {
	m := machines.Get().(*machine)
	m.chart, m.host, m.in, m.now = chart, host, s, now
	out := *s
	m.out = &out
	m.limits = host.Limits.withDefaults()
	m.root = chart.State(s.RootPath)
	m.context.text, m.context.obj = s.Context, s.items.of(s.Context)
	m.allocateSets()
	return m
}

// release gives m back. Results share nothing with it.
func (m *machine) release() {
	queue, opening, defaults := m.queue[:0:cap(m.queue)], m.opening[:0], m.entry.defaults[:0]
	clear(queue[:cap(queue)])
	clear(opening[:cap(opening)])
	clear(defaults[:cap(defaults)])
	in := m.variables.In // bound to m, so of use for the next step too
	*m = machine{queue: queue, opening: opening}
	m.variables.In = in
	m.entry.defaults = defaults
	machines.Put(m)
}

func (m *machine) allocateSets() {
	n := len(m.chart.States())>>6 + 1
	if 4*n <= len(m.words) {
		m.active = m.words[:n:n]
		m.visited = m.words[n : 2*n : 2*n]
		m.entry.states = m.words[2*n : 3*n : 3*n]
		m.entry.initial = m.words[3*n : 4*n : 4*n]
		return
	}
	words := make([]uint64, 4*n)
	m.active = words[:n:n]
	m.visited = words[n : 2*n : 2*n]
	m.entry.states = words[2*n : 3*n : 3*n]
	m.entry.initial = words[3*n:]
}

// stopped reports whether the step is given up: what follows has no effect any
// more, and no user code runs.
func (m *machine) stopped() bool { return m.failure != nil || m.retry != nil }

// fail makes the step fail. The first reason counts.
func (m *machine) fail(kind, message string) {
	if m.failure == nil {
		m.failure = &failure{kind, message}
	}
}

// tick counts a microstep or an internal event (S35).
func (m *machine) tick() bool {
	if m.count++; m.count > m.limits.Microsteps {
		m.fail(kindLivelock, "more than "+itoa(m.limits.Microsteps)+" microsteps and internal events in one step")
	}
	return !m.stopped()
}

// see makes e the event that handlers and expressions see.
func (m *machine) see(e Event) {
	m.event, m.data, m.bound = e, nil, false
}

// eventData returns the decoded data of the event that is seen.
func (m *machine) eventData() map[string]any {
	if !m.bound {
		m.bound = true
		m.data, _ = jsonvalue.DecodeObject(m.event.object())
	}
	return m.data
}

// live reports whether states are active in a snapshot of that status.
func (s *Snapshot) live() bool {
	switch s.Status {
	case Running, Cancelling, Suspended:
		return true
	case Failed:
		return s.ParentID == ""
	}
	return false
}
