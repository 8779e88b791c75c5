package stm

import (
	"fmt"

	"github.com/durachart/durachart/statechart"
)

// bodyItems is what one body has said so far.
type bodyItems struct {
	decl    *statechart.StateDecl
	machine bool // it is the body of a machine, where version and profile stand
	said    map[string]bool

	transitionEnd int // where the last transition ended
}

// once reports whether the item is said for the first time; what is said again
// is read, kept as a duplicate, and has no effect (S95).
func (b *bodyItems) once(item string, pos statechart.Pos) bool {
	if b.said[item] {
		b.decl.Duplicates = append(b.decl.Duplicates, statechart.Item{Name: item, Pos: pos})
		return false
	}
	if b.said == nil {
		b.said = make(map[string]bool)
	}
	b.said[item] = true
	return true
}

// body reads a Body into d. The token at owner is the keyword before it, which
// messages about missing braces need.
func (p *parser) body(d *statechart.StateDecl, owner int) {
	b := &bodyItems{decl: d}
	if d.Outcome != "" {
		b.said = map[string]bool{"outcome": true}
	}
	p.bodyOf(b, owner)
}

func (p *parser) bodyOf(b *bodyItems, owner int) {
	if p.openBody(owner) {
		p.deeper()
		p.items(b)
		p.closeBody()
		p.shallower()
	}
}

// items reads items up to the closing brace.
func (p *parser) items(b *bodyItems) {
	depth := p.depth
	for !p.done() && !p.isPunct("}") {
		start := p.pos
		if !p.guarded(func() { p.item(b) }) {
			p.lose(b, start)
			p.recover(start, depth)
		}
	}
}

// lose notes what the item that begins at start, and cannot be read, might have
// declared: findings that only mean "this is not there" are then no help. What is
// skipped after it counts too, see recover.
func (p *parser) lose(b *bodyItems, start int) {
	t := p.toks.list[start]
	switch t.text {
	case "timeout", "outcome", "carry", "defer", "with", "autoforward", "finalize", "resting", "version", "profile", "on", "no":
	case "state", "parallel", "orthogonal", "final", "history", "use", "invoke":
		p.lostFlow, p.lostStates = true, true
	default:
		p.lostFlow = true
	}
	// A word that is no item is often a misspelled clause of the transition before
	// it, which then is not the one that was meant.
	if d := b.decl; b.transitionEnd == start && !t.first && len(d.Transitions) > 0 {
		d.Transitions = d.Transitions[:len(d.Transitions)-1]
	}
}

// item reads one Item.
func (p *parser) item(b *bodyItems) {
	t := p.peek()
	if t.kind != tokWord {
		p.notAnItem(t)
	}
	switch t.text {
	case "state", "parallel", "orthogonal", "final", "history":
		p.childItem(b, t)
	case "from":
		p.transition(b.decl)
		b.transitionEnd = p.pos
	case "use":
		p.use(b.decl)
	case "version", "profile":
		p.headItem(b, t)
	case "on":
		p.hookItem(b, t)
	default:
		if !p.plainItem(b, t) {
			p.notAnItem(t)
		}
	}
}

func (p *parser) notAnItem(t token) {
	p.fail(t, fmt.Sprintf("expected an item such as state, from or on, not %s", p.src.show(t)), p.itemHint(t))
}

func (p *parser) itemHint(t token) string {
	switch {
	case t.kind != tokWord:
		return hintFor(t)
	case declKeywords[t.text]:
		return "this stands at the top of a file only; an inline chart is the body of an invoke"
	case clauses[t.text]:
		return "the clauses of a transition stand in this order: to, on or after or always, where, when, do"
	}
	if near := nearKeyword(t.text, itemKeywords, clauses); near != "" {
		return fmt.Sprintf("did you mean %q?", near)
	}
	// A misspelled keyword behind a final is read as its outcome.
	if before := p.toks.list[max(p.pos-1, 0)]; before.isName() {
		if near := nearKeyword(before.text, itemKeywords); near != "" {
			return fmt.Sprintf("did you mean %q before it?", near)
		}
	}
	return ""
}

var clauses = wordSet("to", "internal", "always", "after", "select", "join", "where", "when", "do", "else")

// plainItem reads an item that sets something of its state.
func (p *parser) plainItem(b *bodyItems, t token) bool {
	pos, d := p.src.at(t), b.decl
	switch {
	case p.word("initial"):
		e := p.entry(pos)
		if b.once("initial", pos) {
			d.Initial = e
		}
	case p.word("timeout"):
		delay := p.delay()
		if b.once("timeout", pos) {
			d.Timeout = delay
		}
	case p.word("outcome"):
		o := p.ref("an outcome")
		if b.once("outcome", pos) {
			d.Outcome, d.OutcomePos = o.text, p.src.at(o)
		}
	case p.word("no"):
		p.wantWord("history", `after "no"`)
		if b.once("no history", pos) {
			d.NoHistory = &pos
		}
	case p.word("resting"):
		d.Resting = b.once("resting", pos) || d.Resting
	case p.word("autoforward"):
		d.Autoforward = b.once("autoforward", pos) || d.Autoforward
	case p.word("carry"):
		keys := p.keys()
		if b.once("carry", pos) {
			d.Carry = keys
		}
	case p.word("defer"):
		events := p.eventList(",")
		if b.once("defer", pos) {
			d.Defer = events
		}
	case p.word("with"):
		pairs := p.pairs()
		if b.once("with", pos) {
			d.With, d.WithPos = pairs, &pos
		}
	case p.word("finalize"):
		actions := p.actions()
		if b.once("finalize", pos) {
			d.Finalize = actions
		}
	case p.word("invoke"):
		inv := p.invoke(pos)
		if b.once("invoke", pos) {
			d.Invoke = inv
		}
	default:
		return false
	}
	return true
}

// headItem reads version or profile, which only a machine has.
func (p *parser) headItem(b *bodyItems, t token) {
	pos := p.src.at(t)
	p.next()
	text := ""
	if t.text == "version" {
		text = p.str("a version in quotes")
	} else {
		p.wantWord("scxml", `after "profile"`)
	}
	switch {
	case !b.machine:
		b.decl.Misplaced = append(b.decl.Misplaced, statechart.Item{Name: t.text, Pos: pos})
	case !b.once(t.text, pos):
	case t.text == "version":
		p.m.def.Version = text
	default:
		p.m.def.Profile = statechart.ProfileSCXML
	}
}

// hookItem reads "on enter", "on exit" or "on activity".
func (p *parser) hookItem(b *bodyItems, t token) {
	pos := p.src.at(t)
	p.next()
	if !isHook(p.peek()) {
		p.fail(p.peek(), fmt.Sprintf(`expected enter or exit after "on", not %s`, p.src.show(p.peek())),
			`a reaction to an event is a transition: from self on E do …`)
	}
	hook := p.next().text
	actions := p.actions()
	if !b.once("on "+hook, pos) {
		return
	}
	switch hook {
	case "enter":
		b.decl.OnEnter = actions
	case "exit":
		b.decl.OnExit = actions
	default:
		b.decl.OnActivity = &pos
	}
}

func (p *parser) entry(pos statechart.Pos) *statechart.EntryDecl {
	return &statechart.EntryDecl{Pos: pos, Targets: p.targets(), Do: p.doClause()}
}

func (p *parser) keys() []statechart.NamePos {
	var list []statechart.NamePos
	for {
		k := p.key("a key of the context")
		list = append(list, statechart.NamePos{Name: k.text, Pos: p.src.at(k)})
		if !p.punct(",") {
			return list
		}
	}
}

// eventList reads one or more Events with a separator.
func (p *parser) eventList(separator string) []statechart.NamePos {
	list := []statechart.NamePos{p.event("an event")}
	for p.punct(separator) {
		list = append(list, p.event("an event"))
	}
	return list
}
