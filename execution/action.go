package execution

import (
	"fmt"
	"strings"

	"github.com/durachart/durachart/internal/jsonvalue"
	"github.com/durachart/durachart/statechart"
)

// run runs a list of actions: one hook or one do. s is the state that is entered,
// exited or the source. When an item fails, the rest of the list is skipped and
// an error event is raised; what was done before stays (S40).
func (m *machine) run(list []statechart.Action, s *statechart.State) {
	for _, a := range list {
		if m.stopped() {
			return
		}
		if f := m.do(a, s); f != nil {
			m.raiseFault(f, s)
			return
		}
	}
}

func (m *machine) do(a statechart.Action, s *statechart.State) *fault {
	switch a := a.(type) {
	case *statechart.CallAction:
		return m.call(a, s)
	case *statechart.RaiseAction:
		return m.raise(a)
	case *statechart.SendAction:
		return m.send(a)
	case *statechart.CancelAction:
		m.cancelSend(a.ID)
	case *statechart.SetAction:
		return m.set(a)
	case *statechart.LogAction:
		return m.log(a)
	}
	return nil
}

func (m *machine) raise(a *statechart.RaiseAction) *fault {
	data, f := m.eventObject(a.Data)
	if f != nil {
		return f
	}
	if m.stopped() {
		return nil
	}
	m.line("raise", word(a.Event))
	m.raiseOwn(a.Event, data)
	return nil
}

func (m *machine) set(a *statechart.SetAction) *fault {
	v, f := m.eval(a.Expr, "set", nil)
	if f != nil {
		return f
	}
	if err := m.context.set(a.Path, v); err != nil {
		return &fault{kind: kindValue, action: "set", message: plainText(err)}
	}
	if m.host.Trace {
		m.line("set", word(strings.Join(a.Path, ".")), string(asJSON(v)))
	}
	return nil
}

func (m *machine) log(a *statechart.LogAction) *fault {
	if a.Expr == nil {
		m.line("log", word(a.Text))
		return nil
	}
	v, f := m.eval(a.Expr, "log", nil)
	if f == nil && m.host.Trace {
		m.line("log", word(a.Text), string(asJSON(v)))
	}
	return f
}

// call calls a Go action (S72).
func (m *machine) call(a *statechart.CallAction, s *statechart.State) *fault {
	n := m.called
	m.called++
	name := m.chart.Handler(a.Name)
	h := m.host.Handlers.find(name)
	if h == nil || h.act == nil {
		return &fault{kind: kindAction, action: name, message: "no such action is registered"}
	}
	if m.host.Trace {
		if len(a.Inputs) > 0 {
			m.line("call", word(a.Name), inputText(a.Inputs))
		} else {
			m.line("call", word(a.Name))
		}
	}
	before := m.mark()
	c := &call{m: m, name: name, inputs: a.Inputs, n: n, state: s}
	err := m.guarded(c, func() error { return h.act(c) })
	c.over = true
	if err == nil {
		return nil
	}
	m.undo(before)
	return m.actionFault(c, h, err)
}

func inputText(inputs []statechart.Input) string {
	obj := make(map[string]any, len(inputs))
	for _, in := range inputs {
		obj[in.Key] = in.Value
	}
	text, err := jsonvalue.Encode(obj)
	if err != nil {
		return fmt.Sprint(err)
	}
	return string(text)
}
