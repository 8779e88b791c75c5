package statechart

import (
	"math"
	"slices"
)

// checkFields compares predicates with the declared fields of the events that
// can trigger their transitions.
func (c *compiler) checkFields() {
	if len(c.chart.events) == 0 {
		return
	}
	for _, m := range c.moves {
		alternatives := c.alternatives(m.Events)
		if len(alternatives) == 0 {
			continue
		}
		f := fieldCheck{c: c, m: m, alternatives: alternatives, seen: make(map[*Guard]bool)}
		for _, g := range m.Guards {
			f.pred(g.Pred, or(g.Pos, m.Pos))
		}
	}
}

// alternative is a descriptor of a trigger with the declared events that it
// matches.
type alternative struct {
	name   string
	events []*EventDecl
}

// alternatives leaves out what nothing is declared for: "*", the events of the
// step itself, and unknown ones, which were reported.
func (c *compiler) alternatives(ds []Descriptor) []alternative {
	var out []alternative
	for _, d := range ds {
		if events := c.events.matches(d.Name); len(events) > 0 {
			out = append(out, alternative{d.Name, events})
		}
	}
	return out
}

type fieldCheck struct {
	c            *compiler
	m            *move
	alternatives []alternative
	depth        int             // of named guards around the predicate
	seen         map[*Guard]bool // named guards that were looked into
}

func (f *fieldCheck) pred(p Pred, pos Pos) {
	switch p := p.(type) {
	case AndPred:
		for _, q := range p {
			f.pred(q, pos)
		}
	case OrPred:
		for _, q := range p {
			f.pred(q, pos)
		}
	case NotPred:
		f.pred(p.X, pos)
	case *NamedPred:
		// What a named guard asks for is reported where it is used: there the event is
		// known.
		if p.Guard != nil && p.Guard.Pred != nil && !f.seen[p.Guard] {
			f.seen[p.Guard] = true
			f.depth++
			f.pred(p.Guard.Pred, or(p.Pos, pos))
			f.depth--
		}
	case *ComparePred:
		if !isOperator(p.Op) {
			return
		}
		if f.depth == 0 {
			pos = or(p.Pos, pos)
		}
		f.compare(p, pos)
	}
}

// compare checks the field of p in every alternative. One that matches several
// events needs it in one of them.
func (f *fieldCheck) compare(p *ComparePred, pos Pos) {
	name := p.Field[0]
	for _, alt := range f.alternatives {
		types := f.c.events.typesOf(alt.name, name)
		if len(types) == 0 {
			f.unknown(name, alt, pos)
			return
		}
		if len(p.Field) == 1 && f.mismatch(p, types, pos) {
			return
		}
	}
}

func (f *fieldCheck) unknown(name string, alt alternative, pos Pos) {
	problem := f.c.fail("unknown_event_field", pos, f.m.Source, "the event %q declares no field %q", alt.name, name)
	problem.Hint = f.c.didYouMean(name, func(yield func(string) bool) {
		for _, e := range alt.events {
			for _, field := range e.Fields {
				if !yield(field.Name) {
					return
				}
			}
		}
	})
}

// mismatch reports a comparison that makes no sense for any of the types.
func (f *fieldCheck) mismatch(p *ComparePred, types []FieldType, pos Pos) bool {
	field := joinPath(p.Field)
	ordered := p.Op[0] == '<' || p.Op[0] == '>'
	if ordered && all(types, func(t FieldType) bool { return t == Bool }) {
		f.c.warn("op_type_mismatch", pos, f.m.Source, "%q is a bool, which has no order: %s never holds", field, p.Op)
		return true
	}
	if all(types, func(t FieldType) bool { return !comparable(t, p.Op, p.Value) }) {
		f.c.warn("literal_type_mismatch", pos, f.m.Source, "%q is of type %s and never matches %s", field, types[0], value(p.Value))
		return true
	}
	return false
}

func all(types []FieldType, f func(FieldType) bool) bool {
	return !slices.ContainsFunc(types, func(t FieldType) bool { return !f(t) })
}

// comparable reports whether a field of type t can hold a value for which the
// comparison with v is decided by more than the types (S69).
func comparable(t FieldType, op string, v any) bool {
	if t == Any {
		return true
	}
	if op == "in" {
		list, ok := v.([]any)
		if !ok {
			return t == String && isText(v)
		}
		return !slices.ContainsFunc(list, func(item any) bool { return !comparable(t, "==", item) })
	}
	switch v := v.(type) {
	case string:
		return t == String
	case bool:
		return t == Bool
	case int64:
		return t == Int || t == Float
	case float64:
		whole := v == math.Trunc(v) && math.Abs(v) < 1<<63
		return t == Float || t == Int && (whole || op != "==" && op != "!=")
	default:
		return false
	}
}

func isText(v any) bool {
	_, ok := v.(string)
	return ok
}
