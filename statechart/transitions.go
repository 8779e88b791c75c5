package statechart

import (
	"cmp"
	"fmt"
	"slices"
)

// transitions resolves all transitions and brings them into normal form (S8).
func (c *compiler) transitions() {
	for _, m := range c.declared() {
		c.transition(m)
	}
}

// declaredMove is a transition as declared, and the state whose body it stands
// in.
type declaredMove struct {
	decl *TransitionDecl
	body *State
}

// declared returns the transitions in the order of the text (S6).
func (c *compiler) declared() []declaredMove {
	var all []declaredMove
	for i, d := range c.decls {
		for _, t := range d.Transitions {
			if t != nil {
				all = append(all, declaredMove{t, c.chart.states[i]})
			}
		}
	}
	slices.SortStableFunc(all, func(a, b declaredMove) int { return cmp.Compare(a.decl.Order, b.decl.Order) })
	return all
}

func (c *compiler) transition(m declaredMove) {
	d, about := m.decl, m.body
	src := c.source(m.body, d.From)
	if src == nil {
		c.unknownSource(d, m.body)
	} else {
		about = src
	}
	t := &Transition{Source: src, Internal: d.Internal, Doc: docText(d.Doc), Pos: d.Pos}
	sc := scope{state: about, where: m.body, print: about.Parent, pos: or(d.Pos, about.Pos)}
	for _, item := range d.Duplicates {
		c.fail("duplicate", or(item.Pos, sc.pos), about, "the transition says %q twice", item.Name)
	}
	c.trigger(t, d, sc)
	t.Guards = c.guards(d.Guards, sc)
	t.Do = c.actions(d.Do, sc)
	switch {
	case d.Choice != nil && (len(d.Targets) > 0 || d.Join != nil), d.Join != nil && len(d.Targets) > 0:
		c.fail("syntax", sc.pos, about, "a transition has targets, a select or a join, not two of them")
	case d.Choice != nil:
		t.Choice = c.choice(d.Choice, src, sc)
	case d.Join != nil:
		c.joinTargets(t, d.Join, sc)
	default:
		t.Targets = c.targets(d.Targets, src, sc)
	}
	if src != nil && c.mayLeave(src, sc) {
		c.attach(t, d)
	}
}

// mayLeave reports whether s can have transitions (S5).
func (c *compiler) mayLeave(s *State, sc scope) bool {
	switch s.Kind {
	case Final:
		c.fail("final_with_exit", sc.pos, s, "%s is final and cannot be left", label(s))
		return false
	case History:
		c.fail("item_misplaced", sc.pos, s, "%s is a history state, which has no transitions of its own", label(s))
		return false
	}
	return true
}

// attach makes t the next transition of its source.
func (c *compiler) attach(t *Transition, d *TransitionDecl) {
	s := t.Source
	t.Index = len(s.Transitions)
	if t.After != nil {
		t.AfterNo = c.afters[s]
		c.afters[s]++
		t.TimerName = fmt.Sprintf("after:%s:%d", s.Path, t.AfterNo)
	}
	s.Transitions = append(s.Transitions, t)
	c.moves = append(c.moves, &move{t, d})
}

func (c *compiler) unknownSource(d *TransitionDecl, body *State) {
	pos := or(d.From.Pos, d.Pos)
	if far := c.find(c.stand(body, d.From.Base), d.From.Text); far != nil {
		c.fail("unknown_state", pos, body, "the source %q does not lie inside %s", d.From.Text, label(body)).
			Hint = fmt.Sprintf("move the transition to the state around %q", far.Path)
		return
	}
	c.unknown("unknown_state", d.From, body, body, d.Pos)
}

// trigger takes over the trigger, or sets the one that S8 gives.
func (c *compiler) trigger(t *Transition, d *TransitionDecl, sc scope) {
	n := 0
	if len(d.Events) > 0 {
		n++
		t.Events = c.triggers(d.Events, t.Source, sc)
	}
	if d.After != nil {
		n++
		t.After = c.delay(d.After, sc.state, sc.pos)
	}
	if d.Always {
		n++
		t.Always = true
	}
	if d.Join != nil {
		n++
	}
	switch {
	case n > 1:
		c.fail("syntax", sc.pos, sc.state, "a transition has one trigger: events, after, always or a join")
	case n == 0 && t.Source != nil:
		c.normalForm(t, sc)
	}
}

// normalForm gives a transition without a trigger the one that it means (S8).
func (c *compiler) normalForm(t *Transition, sc scope) {
	s := t.Source
	scxml := c.chart.profile == ProfileSCXML
	switch {
	case s.Kind == Atomic, scxml && (s.Kind == Compound || s.Kind == Parallel):
		t.Always = true
	case s == s.ExecutionRoot:
		c.fail("bad_done_trigger", sc.pos, s, "%s is the root of its execution: its completion is the end, which no transition takes", label(s)).
			Hint = `give the transition a trigger, such as "always" or an event`
	case s.Kind != Final && s.Kind != History:
		t.Events = []Descriptor{{Name: s.DoneEvent, Exact: true, State: s}}
	}
}

// targets resolves the fixed targets (S9).
func (c *compiler) targets(refs []Ref, src *State, sc scope) []*State {
	var out []*State
	for _, r := range refs {
		if s := c.reach("unknown_state", r, src, sc); s != nil {
			out = append(out, s)
		}
	}
	c.together(out, sc.pos, sc.state)
	return out
}

// reach resolves a target and checks that src may go there (S9).
func (c *compiler) reach(code string, r Ref, src *State, sc scope) *State {
	s := c.target(code, sc.stands(), r, sc.state, sc.pos)
	if s == nil || src == nil {
		return nil
	}
	pos := or(r.Pos, sc.pos)
	switch {
	case s.ExecutionRoot != src.ExecutionRoot:
		c.crosses(pos, src, s)
		return nil
	case s == s.ExecutionRoot:
		c.fail("bad_targets", pos, src, "%s is the root of its execution and no target", label(s))
		return nil
	}
	return s
}

// crosses reports a reference across the border of an orthogonal state.
func (c *compiler) crosses(pos Pos, about, s *State) {
	c.fail("crosses_region", pos, about, "%s lives in another execution than %s", label(s), label(about)).
		Hint = "an orthogonal state runs its regions as executions of their own: no arrow crosses its border"
}

// together checks that all targets can be active at once (S9): walking up from
// them, no two may want different children of one state that is not parallel,
// and none may lie above another. A history state stands for its parent.
func (c *compiler) together(targets []*State, pos Pos, about *State) {
	if len(targets) < 2 {
		return
	}
	chosen := make(map[*State]*State)
	isTarget := make(map[*State]bool)
	for _, t := range targets {
		if t.Kind == History {
			t = t.Parent
		}
		bad := isTarget[t] || chosen[t] != nil
		isTarget[t] = true
		for s := t; s.Parent != nil && !bad; s = s.Parent {
			p := s.Parent
			if isTarget[p] || (p.Kind != Parallel && chosen[p] != nil && chosen[p] != s) {
				bad = true
			}
			chosen[p] = s
		}
		if bad {
			c.fail("bad_targets", pos, about, "%s cannot be active together with the other targets", label(t)).
				Hint = "several targets must lie in different regions of a parallel state"
			return
		}
	}
}
