package execution

import (
	"github.com/durachart/durachart/internal/jsonvalue"
	"github.com/durachart/durachart/statechart"
)

// declared reports whether the data of an external event is as the chart declares
// it (S21). Events that it does not declare are free.
func declared(chart *statechart.Chart, e Event) bool {
	decls := chart.Events()
	for i := range decls {
		if decls[i].Name == e.Name {
			return len(decls[i].Fields) == 0 || fieldsFit(decls[i].Fields, e)
		}
	}
	return true
}

func fieldsFit(fields []statechart.Field, e Event) bool {
	data, err := jsonvalue.DecodeObject(e.object())
	if err != nil {
		return false
	}
	for i := range fields {
		f := &fields[i]
		v, ok := data[f.Name]
		if !ok && !f.Optional || ok && !hasType(v, f.Type) {
			return false
		}
	}
	return true
}

func hasType(v any, t statechart.FieldType) bool {
	ok := true
	switch t {
	case statechart.String:
		_, ok = v.(string)
	case statechart.Int:
		_, ok = v.(int64)
	case statechart.Float:
		if _, ok = v.(float64); !ok {
			_, ok = v.(int64)
		}
	case statechart.Bool:
		_, ok = v.(bool)
	}
	return ok
}
