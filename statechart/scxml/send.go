package scxml

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/durachart/durachart/statechart"
	"github.com/durachart/durachart/statechart/scxml/ecma"
)

// Destinations as the scope of an action spells them.
const (
	toParent   = "#_parent"
	toChildren = "#_children"
)

// computed is an attribute with its …expr twin: a constant, or a program.
type computed struct {
	text string
	prog *program
}

func (c computed) constant() bool { return c.prog == nil }

func (c computed) value(env Env) (string, error) {
	if c.prog == nil {
		return c.text, nil
	}
	return c.prog.text(env)
}

func (r *reader) computed(k *node, name string) computed {
	if !k.has(name + "expr") {
		return computed{text: k.attr(name)}
	}
	src := k.attr(name + "expr")
	if v, ok := ecma.Constant(src); ok {
		return computed{text: v}
	}
	return computed{prog: r.compile(r.value(src, k.pos))}
}

type member struct {
	key  string
	prog *program
}

type sendItem struct {
	event, target, delay computed
	id                   string
	idLocation           string
	dest                 statechart.Dest // of a constant target
	fails                bool            // whatever it does, it fails
	pairs                []statechart.Pair
	members              []member
	pos                  statechart.Pos
}

var processors = []string{"", "scxml", "http://www.w3.org/TR/scxml/#SCXMLEventProcessor", "http://www.w3.org/TR/scxml/"}

// sendItem translates a send. It reports false if there is nothing to run.
func (r *reader) sendItem(k *node) (item, bool) {
	it := sendItem{
		event: r.computed(k, "event"), target: r.computed(k, "target"), delay: r.computed(k, "delay"),
		id: k.attr("id"), idLocation: k.attr("idlocation"), pos: k.pos,
	}
	kind := r.computed(k, "type")
	switch {
	case !kind.constant():
		r.problem(k.pos, "unsupported", "typeexpr of send")
	case strings.Contains(kind.text, "HTTP"):
		r.problem(k.pos, "unsupported", "send by the processor %q", kind.text)
	case !contains(processors, kind.text):
		it.fails = true // an unknown processor is error.execution (section 6.2)
	}
	it.pairs = r.pairs(k)
	if c := k.first("content"); c != nil {
		it.pairs = []statechart.Pair{{Key: dataKey, Expr: r.contentValue(c), Pos: c.pos}}
	}
	if it.id != "" && r.uses("_event.sendid") {
		it.pairs = append(it.pairs, statechart.Pair{Key: "_sendid", Expr: &statechart.Expr{Source: celText(it.id)}, Pos: k.pos})
	}
	if it.delay.constant() && it.delay.text != "" {
		if _, err := parseDelay(it.delay.text); err != nil {
			it.fails = true
		}
	}
	if it.target.constant() {
		r.destination(&it)
	}
	for _, p := range it.pairs {
		it.members = append(it.members, member{p.Key, r.compile(p.Expr)})
	}
	return it, true
}

func contains(list []string, s string) bool {
	for _, v := range list {
		if v == s {
			return true
		}
	}
	return false
}

// destination turns a constant target into a destination.
func (r *reader) destination(it *sendItem) {
	switch t := it.target.text; {
	case t == "", t == "#_internal":
	case t == "#_parent":
		it.dest = statechart.Dest{Kind: statechart.ToParent}
	case strings.HasPrefix(t, "#_scxml_"):
		it.dest = statechart.Dest{Kind: statechart.ToID, ID: strings.TrimPrefix(t, "#_scxml_")}
	case strings.HasPrefix(t, "#_"):
		if path, ok := r.invokes[t[2:]]; ok {
			it.dest = statechart.Dest{Kind: statechart.ToChildrenOf, Ref: r.pathRef(path, it.pos)}
		} else {
			it.fails = true
		}
	default:
		it.fails = true // an illegal target is error.execution (section 6.2)
	}
}

func (i sendItem) action() (statechart.Action, bool) {
	if i.fails {
		return &statechart.SetAction{Path: []string{dataKey}, Expr: &statechart.Expr{Source: failing, Pos: i.pos}, Pos: i.pos}, true
	}
	if !i.event.constant() || !i.target.constant() || !i.delay.constant() || i.idLocation != "" {
		return nil, false
	}
	if i.target.text == "#_internal" {
		return &statechart.RaiseAction{Event: i.event.text, Data: i.pairs, Pos: i.pos}, true
	}
	a := &statechart.SendAction{Event: i.event.text, Dest: i.dest, Data: i.pairs, Pos: i.pos}
	if d, _ := parseDelay(i.delay.text); d > 0 {
		a.Delay = &statechart.Delay{Duration: d, Pos: i.pos}
		a.ID = sendID(i.id)
	}
	return a, true
}

func (i sendItem) run(env Env) error {
	if i.fails {
		return fmt.Errorf("send %q: no such target, processor or delay", i.event.text)
	}
	id, err := i.sendID(env)
	if err != nil {
		return err
	}
	event, err := i.event.value(env)
	if err != nil {
		return err
	}
	data, err := i.data(env, id)
	if err != nil {
		return err
	}
	target, err := i.target.value(env)
	if err != nil {
		return err
	}
	text, err := i.delay.value(env)
	if err != nil {
		return err
	}
	delay, err := parseDelay(text)
	if err != nil {
		return err
	}
	if target == "#_internal" {
		return env.Raise(event, data)
	}
	to, err := address(target)
	if err != nil {
		return err
	}
	if delay > 0 {
		return env.SendAfter(delay, sendID(id), to, event, data)
	}
	return env.Send(to, event, data)
}

// sendID returns the send id, and stores a made one where idlocation says. A made
// one is the same for every repetition of the step: it counts in the context.
func (i sendItem) sendID(env Env) (string, error) {
	if i.idLocation == "" {
		return i.id, nil
	}
	n, _ := env.Context()["_sends"].(int64)
	env.Context()["_sends"] = n + 1
	id := "send." + strconv.FormatInt(n, 10)
	env.Context()[i.idLocation] = id
	return id, nil
}

func (i sendItem) data(env Env, id string) (map[string]any, error) {
	data := map[string]any{}
	for _, m := range i.members {
		v, err := m.prog.eval(env)
		if err != nil {
			return nil, err
		}
		data[m.key] = v
	}
	if i.idLocation != "" {
		data["_sendid"] = id
	}
	return data, nil
}

// address spells a target as the scope of an action does. The child of one invoke
// is not told from its siblings here: its chart decides what it takes.
func address(target string) (string, error) {
	switch {
	case target == "":
		return "", nil
	case target == "#_parent":
		return toParent, nil
	case strings.HasPrefix(target, "#_scxml_"):
		return strings.TrimPrefix(target, "#_scxml_"), nil
	case strings.HasPrefix(target, "#_"):
		return toChildren, nil
	}
	return "", fmt.Errorf("illegal target %q", target)
}

// sendID makes a send id that is written like a state name (S50).
func sendID(id string) string {
	if id == "" {
		return ""
	}
	return cleanName(id)
}

// parseDelay reads a CSS2 time.
func parseDelay(s string) (time.Duration, error) {
	unit := time.Second
	num, ok := strings.CutSuffix(s, "ms")
	if ok {
		unit = time.Millisecond
	} else if num, ok = strings.CutSuffix(s, "s"); !ok {
		num = s
	}
	if s == "" {
		return 0, nil
	}
	f, err := strconv.ParseFloat(num, 64)
	if err != nil || f < 0 {
		return 0, fmt.Errorf("delay %q", s)
	}
	return time.Duration(f * float64(unit)), nil
}
