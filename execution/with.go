package execution

import (
	"encoding/json"

	"github.com/durachart/durachart/internal/jsonvalue"
	"github.com/durachart/durachart/statechart"
)

// with makes the context of a child; loop is the name of the loop variable, if
// any, and item its value (S54).
func (m *machine) with(pairs []statechart.Pair, loop string, item any) (json.RawMessage, *fault) {
	obj, f := m.object(pairs, "with", loop, item)
	if f == nil && len(obj) > m.limits.ContextBytes {
		m.fail(kindSize, "context of a child of "+itoa(len(obj))+" bytes")
	}
	return obj, f
}

// eventObject makes the data of an event from its with (S67).
func (m *machine) eventObject(pairs []statechart.Pair) (json.RawMessage, *fault) {
	obj, f := m.object(pairs, "with", "", nil)
	if f == nil {
		m.checkEventSize(obj)
	}
	return obj, f
}

func (m *machine) checkEventSize(data json.RawMessage) {
	if len(data) > m.limits.EventBytes {
		m.fail(kindSize, "event data of "+itoa(len(data))+" bytes")
	}
}

func (m *machine) object(pairs []statechart.Pair, action, loop string, item any) (json.RawMessage, *fault) {
	if len(pairs) == 0 {
		return emptyObject, nil
	}
	obj := make(map[string]any, len(pairs))
	for i := range pairs {
		p := &pairs[i]
		if p.Expr != nil {
			v, f := m.eval(p.Expr, action, item)
			if f != nil {
				return nil, f
			}
			obj[p.Key] = v
			continue
		}
		root, path := any(m.context.value()), p.Path
		if loop != "" && path[0] == loop {
			root, path = item, path[1:]
		}
		if v, ok := jsonvalue.Get(root, path); ok {
			obj[p.Key] = v
		}
	}
	text, err := jsonvalue.Encode(obj)
	if err != nil {
		return nil, &fault{kind: kindValue, action: action, message: plainText(err)}
	}
	return text, nil
}
