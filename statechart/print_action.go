package statechart

import (
	"strings"
	"time"
)

// actions writes an action list: one action bare, several in braces.
func (p *printer) actions(list []Action, at *State) string {
	texts := each(list, func(a Action) string { return p.action(a, at) })
	if len(texts) == 1 {
		return texts[0]
	}
	return braces(texts, "; ")
}

func (p *printer) action(a Action, at *State) string {
	switch a := a.(type) {
	case *CallAction:
		if len(a.Inputs) == 0 {
			return handler(a.Name)
		}
		return handler(a.Name) + "(" + strings.Join(each(a.Inputs, func(in Input) string {
			return key(in.Key) + ": " + value(in.Value)
		}), ", ") + ")"
	case *RaiseAction:
		return "raise " + event(a.Event) + with(a.Data)
	case *SendAction:
		return p.send(a, at)
	case *CancelAction:
		return "cancel " + ref(a.ID)
	case *SetAction:
		return "set " + contextPath(a.Path) + " = " + quote(a.Expr.Source)
	case *LogAction:
		if a.Expr == nil {
			return "log " + quote(a.Text)
		}
		return "log " + quote(a.Text) + " = " + quote(a.Expr.Source)
	default:
		return ""
	}
}

func (p *printer) send(a *SendAction, at *State) string {
	text := "send " + event(a.Event)
	switch a.Dest.Kind {
	case ToParent:
		text += " to parent"
	case ToChildren:
		text += " to children"
	case ToChildrenOf:
		text += " to children of " + p.target(a.Dest.State, at)
	case ToID:
		text += " to " + quote(a.Dest.ID)
	case ToContext:
		text += " to context " + contextPath(a.Dest.Path)
	}
	if a.Delay != nil {
		text += " after " + delay(a.Delay)
	}
	if a.ID != "" {
		text += " as " + ref(a.ID)
	}
	return text + with(a.Data)
}

func with(data []Pair) string {
	if len(data) == 0 {
		return ""
	}
	return " with " + pairs(data)
}

func pairs(data []Pair) string {
	return braces(each(data, func(p Pair) string {
		if p.Expr != nil {
			return key(p.Key) + " = " + quote(p.Expr.Source)
		}
		return key(p.Key) + ": " + contextPath(p.Path)
	}), ", ")
}

// delay writes a literal delay with the largest unit that fits.
func delay(d *Delay) string {
	if d.Path != nil {
		text := "context " + contextPath(d.Path)
		if d.At {
			return "at " + text
		}
		return text
	}
	units := [...]struct {
		size time.Duration
		name string
	}{{24 * time.Hour, "d"}, {time.Hour, "h"}, {time.Minute, "m"}, {time.Second, "s"}}
	for _, u := range units {
		if d.Duration%u.size == 0 {
			return decimal(int64(d.Duration/u.size)) + u.name
		}
	}
	return decimal(d.Duration.Milliseconds()) + "ms"
}
