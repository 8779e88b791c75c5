package execution

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/durachart/durachart/internal/jsonvalue"
	"github.com/durachart/durachart/statechart"
)

// armTimers arms the timers of s for the entry of that number (S48).
func (m *machine) armTimers(s *statechart.State, entry int64) {
	if s.Timeout != nil {
		m.arm(s, s.TimerName, "timeout", s.Timeout, entry)
	}
	for _, t := range s.Transitions {
		if t.After != nil {
			m.arm(s, t.TimerName, "after", t.After, entry)
		}
	}
}

func (m *machine) arm(s *statechart.State, name, action string, d *statechart.Delay, entry int64) {
	at, f := m.due(d, action)
	if f != nil {
		m.raiseFault(f, s)
		return
	}
	m.setTimer(Timer{Name: name, Entry: entry, At: at})
}

// dropTimers drops the timers of s, which is exited (S47).
func (m *machine) dropTimers(s *statechart.State) {
	if len(m.out.Timers) == 0 {
		return
	}
	if s.Timeout != nil {
		m.dropTimer(s.TimerName)
	}
	for _, t := range s.Transitions {
		if t.After != nil {
			m.dropTimer(t.TimerName)
		}
	}
}

func findTimer(list []Timer, name string) (int, bool) {
	return slices.BinarySearchFunc(list, name, func(t Timer, n string) int { return strings.Compare(t.Name, n) })
}

func (m *machine) setTimer(t Timer) {
	i, ok := findTimer(m.out.Timers, t.Name)
	m.ownTimers()
	if ok {
		m.out.Timers[i] = t
		return
	}
	m.out.Timers = slices.Insert(m.out.Timers, i, t)
}

func (m *machine) dropTimer(name string) {
	if i, ok := findTimer(m.out.Timers, name); ok {
		m.ownTimers()
		m.out.Timers = slices.Delete(m.out.Timers, i, i+1)
	}
}

func (m *machine) ownTimers() {
	if !m.own.timers {
		m.own.timers = true
		m.out.Timers = append(make([]Timer, 0, len(m.out.Timers)+1), m.out.Timers...)
	}
}

// performTimer offers the event of a due timer (S49).
func (m *machine) performTimer(op *operation) Disposition {
	i, ok := findTimer(m.out.Timers, op.timer)
	if !ok || m.out.Timers[i].Entry != op.entry {
		return Stale
	}
	t := m.out.Timers[i]
	if m.now < t.At {
		return Held
	}
	m.dropTimer(t.Name)
	if t.Event != nil {
		m.deliver(t)
		return proceed
	}
	path, _ := timerState(t.Name)
	s := m.chart.State(path)
	data := append(jsonvalue.AppendText([]byte(`{"path":`), path), '}')
	e := m.byOperation(nameTimeout, data, "")
	if t.Name == s.TimerName {
		m.offerFrom(s, e)
		return proceed
	}
	for _, tr := range s.Transitions {
		if tr.After != nil && tr.TimerName == t.Name {
			m.offerTo(tr, e)
		}
	}
	return proceed
}

// deliver sends a delayed send on its way: to this execution as an external
// event, or to its target (S46).
func (m *machine) deliver(t Timer) {
	e := *t.Event
	if t.To == (Target{}) {
		e = m.byOperation(e.Name, e.Data, e.Origin)
		if !declared(m.chart, e) {
			m.letter(ReasonInvalidData, e)
			return
		}
		if m.offer(e) == DeferredToLater {
			m.hold(e)
		}
		return
	}
	e.ID = m.given.ID
	if !t.To.Children {
		m.emit(t.To.ID, e)
		return
	}
	for _, id := range m.childrenOf(t.To.Site) {
		m.emit(id, e)
	}
}

// due computes when a delay that begins now is over (S48).
func (m *machine) due(d *statechart.Delay, action string) (int64, *fault) {
	bad := func(text string) (int64, *fault) {
		return 0, &fault{kind: kindDelay, action: action, message: text}
	}
	if d.Path == nil {
		return m.now + d.Duration.Milliseconds(), nil
	}
	path := strings.Join(d.Path, ".")
	v, ok := jsonvalue.Get(m.context.value(), d.Path)
	if !ok || v == nil {
		return bad("nothing at " + path)
	}
	var at int64
	if d.At {
		at, ok = instant(v)
	} else {
		at, ok = millis(v)
		at += m.now
	}
	if !ok {
		return bad("unreadable value at " + path)
	}
	if at-m.now > m.limits.Delay.Milliseconds() {
		return bad("too long at " + path)
	}
	return at, nil
}

// asJSON is for messages and traces: values of the step are always encodable.
func asJSON(v any) json.RawMessage {
	text, err := jsonvalue.Encode(v)
	if err != nil {
		return json.RawMessage("null")
	}
	return text
}

func decimal(n int64) string { return strconv.FormatInt(n, 10) }
