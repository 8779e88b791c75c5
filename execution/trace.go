package execution

import (
	"strings"

	"github.com/durachart/durachart/statechart"
)

// keptLines is how many lines of the trace of a livelock are kept (S35).
const keptLines = 50

// line adds a trace line, if the host wants the trace (S87).
func (m *machine) line(words ...string) {
	if m.host.Trace {
		m.trace = append(m.trace, strings.Join(words, " "))
	}
}

// linePath adds a line about a state. Like those below it makes its words only when
// there is a trace.
func (m *machine) linePath(verb string, s *statechart.State) {
	if m.host.Trace {
		m.trace = append(m.trace, verb+" "+pathWord(s.Path))
	}
}

func (m *machine) lineTake(c chosen) {
	if !m.host.Trace {
		return
	}
	text := "take " + pathWord(c.t.Source.Path)
	for i, t := range c.targets {
		if i == 0 {
			text += " -> "
		} else {
			text += ", "
		}
		text += pathWord(t.Path)
	}
	m.trace = append(m.trace, text)
}

func (m *machine) lineReject(t *statechart.Transition) {
	if m.host.Trace {
		m.line("reject", pathWord(t.Source.Path)+"#"+itoa(t.Index))
	}
}
