package execution

import (
	"encoding/json"
	"strings"

	"github.com/durachart/durachart/internal/jsonvalue"
	"github.com/durachart/durachart/statechart"
)

// send emits an external event, or arms a timer for a delayed one (S66).
func (m *machine) send(a *statechart.SendAction) *fault {
	data, f := m.eventObject(a.Data)
	if f != nil {
		return f
	}
	to, shown, f := m.target(a.Dest)
	if f != nil || m.stopped() {
		return f
	}
	if a.Delay == nil {
		m.sendNow(to, shown, a.Event, data)
		return nil
	}
	at, f := m.due(a.Delay, "send")
	if f != nil {
		return f
	}
	m.sendLater(at, a.ID, to, shown, a.Event, data)
	return nil
}

// target finds out where a send goes; shown is how the trace names it.
func (m *machine) target(d statechart.Dest) (to Target, shown string, f *fault) {
	none := func(why string) (Target, string, *fault) {
		return Target{}, "", &fault{kind: kindSend, action: "send", message: why}
	}
	switch d.Kind {
	case statechart.ToParent:
		if m.in.ParentID == "" {
			return none("there is no parent")
		}
		return Target{ID: m.in.ParentID}, word(m.in.ParentID), nil
	case statechart.ToChildren:
		return Target{Children: true}, "children", nil
	case statechart.ToChildrenOf:
		return Target{Children: true, Site: d.State.Path}, word("children:" + d.State.Path), nil
	case statechart.ToID:
		return Target{ID: d.ID}, word(d.ID), nil
	case statechart.ToContext:
		path := strings.Join(d.Path, ".")
		v, _ := jsonvalue.Get(m.context.value(), d.Path)
		id, ok := v.(string)
		if !ok || id == "" {
			return none("no text at " + path)
		}
		return Target{ID: id}, word(id), nil
	}
	return Target{}, "", nil
}

func (m *machine) sendNow(to Target, shown, name string, data json.RawMessage) {
	m.lineSend(name, shown)
	switch {
	case to.Children:
		for _, id := range m.childrenOf(to.Site) {
			m.emit(id, m.external(name, data))
		}
	case to.ID == "":
		m.emit(m.in.ID, m.external(name, data))
	default:
		m.emit(to.ID, m.external(name, data))
	}
}

// sendLater arms a timer; a pending one with the same send id is replaced (S50).
func (m *machine) sendLater(at int64, id string, to Target, shown, name string, data json.RawMessage) {
	m.lineSend(name, shown)
	m.out.EntrySeq++
	entry := m.out.EntrySeq
	timer := "send:" + id
	if id == "" {
		timer = "send:#" + decimal(entry)
	}
	if to.ID == m.in.ID {
		to = Target{}
	}
	e := Event{Name: name, Data: data, Origin: m.in.ID, checked: true}
	m.setTimer(Timer{Name: timer, Entry: entry, At: at, Event: &e, To: to})
}

// cancelSend drops a pending delayed send (S50).
func (m *machine) cancelSend(id string) {
	m.line("cancel", word(id))
	m.dropTimer("send:" + id)
}

func (m *machine) lineSend(name, shown string) {
	if shown == "" {
		m.line("send", word(name))
		return
	}
	m.line("send", word(name), shown)
}
