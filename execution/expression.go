package execution

import (
	"errors"
	"strings"

	"github.com/durachart/durachart/statechart"
	"github.com/durachart/durachart/statechart/expr"
)

// vars are the variables of an expression now (S70).
func (m *machine) vars(item any) *expr.Vars {
	v := &m.variables
	v.Context = m.context.value()
	v.Event = expr.Event{Name: m.event.Name, Data: m.eventData(), ID: m.event.ID}
	v.Item = item
	if v.In == nil {
		v.In = m.isActive
	}
	return v
}

func (m *machine) isActive(index int) bool { return m.active.has(m.chart.States()[index]) }

// eval evaluates an expression for a value; item is that of the loop variable.
func (m *machine) eval(e *statechart.Expr, action string, item any) (any, *fault) {
	v, err := e.Program().Eval(m.vars(item))
	if err != nil {
		return nil, expressionFault(err, action)
	}
	return v, nil
}

func expressionFault(err error, action string) *fault {
	f := &fault{kind: kindExpression, action: action, message: plainText(err)}
	if errors.Is(err, expr.ErrValue) {
		f.kind = kindValue
	}
	return f
}

// plainText is the text of an error without the name of the package that made it,
// which means nothing to the reader of a chart's errors.
func plainText(err error) string {
	text := err.Error()
	for _, prefix := range []string{"expr: evaluation failed: ", "expr: ", "jsonvalue: "} {
		if rest, ok := strings.CutPrefix(text, prefix); ok {
			return rest
		}
	}
	return text
}
