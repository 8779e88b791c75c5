package execution_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"sort"
	"strings"

	"github.com/durachart/durachart/statechart"
)

// reference is a slow, obvious interpreter of one execution, written from the
// rules one by one, with sets as maps and nothing remembered. It knows charts of
// atomic, compound, parallel, final and history states, with events, always,
// guards over the event's data, raise, defer and choice; no timers, no children,
// no Go code. Properties compare the real one with it, trace line by trace line.
type reference struct {
	chart   *statechart.Chart
	active  map[*statechart.State]bool
	history map[string][]string
	pool    []refEvent
	status  string
	outcome string
	leaves  []string

	queue   []refEvent
	event   refEvent
	trace   []string
	entered bool
	took    bool
	count   int
	scanPos int
	scanOn  bool
	fail    string
	faulted map[*statechart.Transition]bool
}

type refEvent struct {
	id, name string
	data     map[string]any
}

func newReference(c *statechart.Chart) *reference {
	return &reference{
		chart: c, active: map[*statechart.State]bool{}, history: map[string][]string{}, status: "PENDING",
	}
}

func (r *reference) line(format string, args ...any) {
	r.trace = append(r.trace, fmt.Sprintf(format, args...))
}

func (r *reference) begin() {
	r.queue, r.trace, r.entered, r.took, r.count, r.scanOn, r.scanPos = nil, nil, false, false, 0, false, 0
	r.faulted = map[*statechart.Transition]bool{}
}

// copy keeps what a failing step goes back to (S43).
func (r *reference) copy() reference {
	c := *r
	c.active = map[*statechart.State]bool{}
	for s := range r.active {
		c.active[s] = true
	}
	c.history = map[string][]string{}
	for k, v := range r.history {
		c.history[k] = v
	}
	c.pool = slices.Clone(r.pool)
	return c
}

// start is S33, send is S23 for an external event; both return the disposition.
func (r *reference) start() string {
	r.begin()
	r.event = refEvent{name: "$start"}
	r.status = "RUNNING"
	r.count++
	r.enterStates(r.closure(map[*statechart.State]bool{r.chart.Root(): true}))
	r.rest()
	return "applied"
}

func (r *reference) send(e refEvent) string {
	if r.status == "DONE" {
		r.trace = nil
		return "dead"
	}
	before := r.copy()
	r.begin()
	d := r.offer(e)
	if d == "deferred" {
		r.pool = append(r.pool, e)
	}
	r.rest()
	if r.fail != "" {
		trace, fail := r.trace, r.fail
		*r = before
		r.trace, r.fail, r.status = trace, fail, "FAILED"
		return "failed"
	}
	if r.took {
		return "applied"
	}
	return d
}

// rest is points 3 to 8 of S23.
func (r *reference) rest() {
	for r.fail == "" {
		if f := r.finalOfRoot(); f != nil {
			r.end(f)
			return
		}
		if ts := r.selectAll("", true, false); len(ts) > 0 {
			r.take(ts)
			continue
		}
		if len(r.queue) > 0 {
			e := r.queue[0]
			r.queue = r.queue[1:]
			if r.count++; r.count > 1000 {
				r.fail = "livelock"
				return
			}
			r.line("event %s", e.name)
			r.event = e
			if ts := r.selectAll(e.name, false, false); len(ts) > 0 {
				r.take(ts)
			} else {
				r.line("drop")
				if strings.HasPrefix(e.name, "error.") && r.chart.Profile() != statechart.ProfileSCXML {
					r.fail = "unhandled"
				}
			}
			continue
		}
		if r.entered {
			r.entered, r.scanOn, r.scanPos = false, true, 0
		}
		if r.scanOn && r.scan() {
			continue
		}
		return
	}
}

// scan is S38.
func (r *reference) scan() bool {
	for r.scanPos < len(r.pool) {
		e := r.pool[r.scanPos]
		r.line("reoffer %s #%s", e.name, e.id)
		before := r.event
		d := r.offer(e)
		if d == "deferred" {
			r.event = before
			r.scanPos++
			continue
		}
		r.pool = append(slices.Clone(r.pool[:r.scanPos]), r.pool[r.scanPos+1:]...)
		if d == "applied" {
			return true
		}
	}
	r.scanOn = false
	return len(r.queue) > 0 // a guard that failed must not be forgotten
}

func (r *reference) offer(e refEvent) string {
	r.event = e
	if ts := r.selectAll(e.name, false, true); len(ts) > 0 {
		r.take(ts)
		return "applied"
	}
	if r.held(e.name) {
		r.line("defer")
		return "deferred"
	}
	r.line("drop")
	return "dropped"
}

// sorted returns a set in document order.
func sorted(set map[*statechart.State]bool) []*statechart.State {
	var list []*statechart.State
	for s := range set {
		list = append(list, s)
	}
	sort.Slice(list, func(i, j int) bool { return list[i].Index < list[j].Index })
	return list
}

func (r *reference) activeLeaves() []*statechart.State {
	var list []*statechart.State
	for _, s := range sorted(r.active) {
		if s.Kind != statechart.Compound && s.Kind != statechart.Parallel {
			list = append(list, s)
		}
	}
	return list
}

type refTaken struct {
	t       *statechart.Transition
	targets []*statechart.State
}

// walk is S25 for one leaf: the transition that is selected, or whether a state
// on the way defers the event. Guards are evaluated once per selection.
func (r *reference) walk(leaf *statechart.State, name string, always, external bool, memo map[*statechart.Transition]*refTaken) (*refTaken, bool) {
	for s := leaf; s != nil; s = s.Parent {
		for _, t := range s.Transitions {
			if always != t.Always || !always && !r.matches(t.Events, name) {
				continue
			}
			taken, seen := memo[t]
			if !seen {
				taken = r.enabled(t)
				memo[t] = taken
			}
			if taken != nil {
				return taken, false
			}
		}
		if external && r.matches(s.Defer, name) {
			return nil, true
		}
	}
	return nil, false
}

func (r *reference) held(name string) bool {
	for _, leaf := range r.activeLeaves() {
		trace := r.trace
		_, held := r.walk(leaf, name, false, true, map[*statechart.Transition]*refTaken{})
		r.trace = trace
		if held {
			return true
		}
	}
	return false
}

func (r *reference) selectAll(name string, always, external bool) []refTaken {
	memo := map[*statechart.Transition]*refTaken{}
	var list []refTaken
	for _, leaf := range r.activeLeaves() {
		taken, _ := r.walk(leaf, name, always, external, memo)
		if taken == nil || slices.ContainsFunc(list, func(x refTaken) bool { return x.t == taken.t }) {
			continue
		}
		list = append(list, *taken)
	}
	return r.withoutConflicts(list)
}

// withoutConflicts is S27.
func (r *reference) withoutConflicts(list []refTaken) []refTaken {
	var kept []refTaken
	for _, x := range list {
		var rivals []refTaken
		for _, k := range kept {
			for s := range r.exitSet(x) {
				if r.exitSet(k)[s] {
					rivals = append(rivals, k)
					break
				}
			}
		}
		beatsAll := true
		for _, k := range rivals {
			if !properDescendant(x.t.Source, k.t.Source) {
				beatsAll = false
			}
		}
		if !beatsAll {
			continue
		}
		kept = slices.DeleteFunc(kept, func(k refTaken) bool {
			return slices.ContainsFunc(rivals, func(y refTaken) bool { return y.t == k.t })
		})
		kept = append(kept, x)
	}
	return kept
}

func (r *reference) matches(ds []statechart.Descriptor, name string) bool {
	tokens := strings.Split(name, ".")
	for _, d := range ds {
		if d.Name == "*" {
			return true
		}
		want := strings.Split(d.Name, ".")
		if d.Exact {
			if d.Name == name {
				return true
			}
			continue
		}
		if len(want) <= len(tokens) && slices.Equal(want, tokens[:len(want)]) {
			return true
		}
	}
	return false
}

func (r *reference) enabled(t *statechart.Transition) *refTaken {
	for _, g := range t.Guards {
		c := g.Pred.(*statechart.ComparePred) // the generator makes n == k only
		v, ok := r.event.data[c.Field[0]]
		if !ok || v != c.Value {
			r.line("reject %s#%d", pathOf(t.Source), t.Index)
			return nil
		}
	}
	if t.Choice == nil {
		return &refTaken{t, t.Targets}
	}
	for _, b := range t.Choice.Branches { // the generator selects by event.name only
		if b.Text == r.event.name {
			return &refTaken{t, []*statechart.State{b.Target}}
		}
	}
	if t.Choice.Else != nil {
		return &refTaken{t, []*statechart.State{t.Choice.Else}}
	}
	if !r.faulted[t] { // S41
		r.faulted[t] = true
		r.line("error selector %q", fmt.Sprintf("no branch for %q", r.event.name))
		r.raise("error.execution")
	}
	return nil
}

func pathOf(s *statechart.State) string {
	if s.Path == "" {
		return "."
	}
	return s.Path
}

func properDescendant(a, b *statechart.State) bool {
	for p := a.Parent; p != nil; p = p.Parent {
		if p == b {
			return true
		}
	}
	return false
}

// targets replaces histories by what they stand for (S10, S28).
func (r *reference) targets(list []*statechart.State) []*statechart.State {
	var out []*statechart.State
	for _, s := range list {
		switch {
		case s.Kind != statechart.History:
			out = append(out, s)
		case r.history[s.Path] != nil:
			for _, p := range r.history[s.Path] {
				out = append(out, r.chart.State(p))
			}
		case s.Default != nil:
			out = append(out, r.targets(s.Default.Targets)...)
		case s.Parent.Initial != nil:
			out = append(out, r.targets(s.Parent.Initial.Targets)...)
		default:
			for _, c := range s.Parent.Children {
				if c.Kind != statechart.History {
					out = append(out, c)
				}
			}
		}
	}
	return out
}

func (r *reference) below(s *statechart.State, list []*statechart.State) bool {
	for _, t := range list {
		if !properDescendant(t, s) {
			return false
		}
	}
	return true
}

func (r *reference) domain(x refTaken) *statechart.State {
	eff := r.targets(x.targets)
	src := x.t.Source
	if src.Parent == nil || x.t.Internal && src.Kind == statechart.Compound && r.below(src, eff) {
		return src
	}
	for p := src.Parent; ; p = p.Parent {
		allowed := p.Kind == statechart.Compound ||
			p.Kind == statechart.Parallel && r.chart.Profile() != statechart.ProfileSCXML
		if allowed && r.below(p, eff) {
			return p
		}
	}
}

func (r *reference) exitSet(x refTaken) map[*statechart.State]bool {
	set := map[*statechart.State]bool{}
	if len(x.targets) == 0 {
		return set
	}
	d := r.domain(x)
	for s := range r.active {
		if !properDescendant(s, d) {
			continue
		}
		if d.Kind == statechart.Parallel {
			region := s
			for region.Parent != d {
				region = region.Parent
			}
			touched := x.t.Source == region || properDescendant(x.t.Source, region)
			for _, t := range r.targets(x.targets) {
				touched = touched || t == region || properDescendant(t, region)
			}
			if !touched {
				continue
			}
		}
		set[s] = true
	}
	return set
}

// take is S31.
func (r *reference) take(list []refTaken) {
	if r.count++; r.count > 1000 {
		r.fail = "livelock"
		return
	}
	r.took = true
	exits := map[*statechart.State]bool{}
	domains := map[*statechart.Transition]*statechart.State{}
	for _, x := range list {
		text := "take " + pathOf(x.t.Source)
		for i, t := range x.targets {
			text += map[bool]string{true: " -> ", false: ", "}[i == 0] + pathOf(t)
		}
		r.line("%s", text)
		if len(x.targets) > 0 {
			domains[x.t] = r.domain(x)
		}
		for s := range r.exitSet(x) {
			exits[s] = true
		}
	}
	r.recordHistory(exits)
	order := sorted(exits)
	slices.Reverse(order)
	for _, s := range order {
		r.line("exit %s", pathOf(s))
		r.actions(s.OnExit)
		delete(r.active, s)
	}
	for _, x := range list {
		r.actions(x.t.Do)
	}
	set := map[*statechart.State]bool{}
	for _, x := range list {
		d := domains[x.t]
		for _, t := range r.targets(x.targets) {
			for s := t; s != d; s = s.Parent {
				if !r.active[s] {
					set[s] = true
				}
			}
		}
	}
	for _, x := range list {
		if d := domains[x.t]; d != nil && d.Kind == statechart.Parallel {
			r.addRegions(set, d)
		}
	}
	r.enterStates(r.closure(set))
}

func (r *reference) addRegions(set map[*statechart.State]bool, p *statechart.State) {
	for _, c := range p.Children {
		if c.Kind != statechart.History && !r.active[c] {
			set[c] = true
		}
	}
}

// closure is S30: children are added until nothing is missing.
func (r *reference) closure(set map[*statechart.State]bool) map[*statechart.State]bool {
	for changed := true; changed; {
		changed = false
		for _, s := range sorted(set) {
			n := len(set)
			switch s.Kind {
			case statechart.Parallel:
				r.addRegions(set, s)
			case statechart.Compound:
				if !slices.ContainsFunc(s.Children, func(c *statechart.State) bool { return set[c] }) {
					for _, t := range r.targets(s.Initial.Targets) {
						for x := t; x != s; x = x.Parent {
							set[x] = true
						}
					}
				}
			}
			changed = changed || len(set) > n
		}
	}
	return set
}

func (r *reference) recordHistory(exits map[*statechart.State]bool) {
	for _, s := range sorted(exits) {
		for _, h := range s.Children {
			if h.Kind != statechart.History {
				continue
			}
			if r.complete(s) {
				delete(r.history, h.Path)
				continue
			}
			var paths []string
			for a := range r.active {
				if h.Deep && r.deepRecorded(a, s) || !h.Deep && a.Parent == s {
					paths = append(paths, a.Path)
				}
			}
			slices.Sort(paths)
			r.history[h.Path] = paths
		}
	}
}

// deepRecorded tells whether a deep history of s records a: an active leaf, or a
// complete compound or parallel, that lies in no complete one.
func (r *reference) deepRecorded(a, s *statechart.State) bool {
	if !properDescendant(a, s) {
		return false
	}
	for p := a.Parent; p != s; p = p.Parent {
		if r.complete(p) {
			return false
		}
	}
	return r.complete(a) || a.Kind != statechart.Compound && a.Kind != statechart.Parallel
}

func (r *reference) enterStates(set map[*statechart.State]bool) {
	for _, s := range sorted(set) {
		r.active[s] = true
		r.entered = true
		r.line("enter %s", pathOf(s))
		r.actions(s.OnEnter)
		if s.Kind != statechart.Final || s.Parent.Parent == nil {
			continue
		}
		p := s.Parent
		r.raise("done.state." + p.Path)
		for g := p.Parent; g.Kind == statechart.Parallel && r.complete(g); p, g = g, g.Parent {
			r.raise("done.state." + g.Path)
		}
	}
}

// complete is S32.
func (r *reference) complete(s *statechart.State) bool {
	switch s.Kind {
	case statechart.Compound:
		for _, c := range s.Children {
			if r.active[c] && c.Kind == statechart.Final {
				return true
			}
		}
	case statechart.Parallel:
		for _, c := range s.Children {
			if c.Kind != statechart.History && !r.complete(c) {
				return false
			}
		}
		return true
	}
	return false
}

func (r *reference) actions(list []statechart.Action) {
	for _, a := range list {
		name := a.(*statechart.RaiseAction).Event // the generator makes no others
		r.line("raise %s", name)
		r.raise(name)
	}
}

func (r *reference) raise(name string) { r.queue = append(r.queue, refEvent{name: name}) }

func (r *reference) finalOfRoot() *statechart.State {
	for _, c := range r.chart.Root().Children {
		if c.Kind == statechart.Final && r.active[c] {
			return c
		}
	}
	return nil
}

// end is S34.
func (r *reference) end(f *statechart.State) {
	for _, e := range r.queue {
		if strings.HasPrefix(e.name, "error.") && r.chart.Profile() != statechart.ProfileSCXML {
			r.fail = "unhandled"
			return
		}
	}
	r.leaves = r.configuration()
	order := sorted(r.active)
	slices.Reverse(order)
	for _, s := range order {
		r.line("exit %s", pathOf(s))
		r.actions(s.OnExit)
	}
	r.status, r.outcome, r.pool = "DONE", f.Outcome, nil
}

func (r *reference) configuration() []string {
	if r.status == "DONE" {
		return r.leaves
	}
	var out []string
	for _, s := range r.activeLeaves() {
		out = append(out, s.Path)
	}
	slices.Sort(out)
	return out
}

// text is what the property compares with the stored form of the real one.
func (r *reference) text() string {
	pool := []string{}
	for _, e := range r.pool {
		pool = append(pool, e.id)
	}
	history, _ := json.Marshal(r.history)
	return fmt.Sprintf("%s %s %v history %s pool %v", r.status, r.outcome, r.configuration(), history, pool)
}
