package statechart

import "time"

// StateBuilder declares one state: its items, its children, and transitions,
// whose references are resolved from this state (S93).
type StateBuilder struct {
	decl *StateDecl
	log  *callLog
	said map[string]bool
}

// callLog numbers the calls of one Builder. The numbers take the place of text
// positions (see Pos.seq) and order the transitions (S6).
type callLog struct{ calls int }

func (l *callLog) next() Pos {
	l.calls++
	return Pos{seq: l.calls}
}

// first reports whether the item is said for the first time in this body; what
// is said again is kept as a duplicate for Build to report (S95).
func (s *StateBuilder) first(item string) (Pos, bool) {
	pos := s.log.next()
	if s.said[item] {
		s.decl.Duplicates = append(s.decl.Duplicates, Item{Name: item, Pos: pos})
		return pos, false
	}
	if s.said == nil {
		s.said = make(map[string]bool)
	}
	s.said[item] = true
	return pos, true
}

// Doc sets the doc comment of the state.
func (s *StateBuilder) Doc(text string) *StateBuilder {
	s.decl.Doc = text
	return s
}

// Initial says which descendants are entered by default: one, or several that
// lie in different regions of a parallel state.
func (s *StateBuilder) Initial(targets ...string) *StateBuilder {
	if pos, ok := s.first("initial"); ok {
		s.decl.Initial = &EntryDecl{Targets: s.log.refs(targets), Pos: pos}
	}
	return s
}

// InitialDo is Initial with actions that run when it is used, after the entry
// actions of this state and before those of the target (S31).
func (s *StateBuilder) InitialDo(target string, do ...Action) *StateBuilder {
	if pos, ok := s.first("initial"); ok {
		s.decl.Initial = &EntryDecl{Targets: s.log.refs([]string{target}), Do: s.log.place(do), Pos: pos}
	}
	return s
}

// OnEnter runs whenever the state is entered.
func (s *StateBuilder) OnEnter(actions ...Action) *StateBuilder {
	if _, ok := s.first("on enter"); ok {
		s.decl.OnEnter = s.log.place(actions)
	}
	return s
}

// OnExit runs whenever the state is exited.
func (s *StateBuilder) OnExit(actions ...Action) *StateBuilder {
	if _, ok := s.first("on exit"); ok {
		s.decl.OnExit = s.log.place(actions)
	}
	return s
}

// Timeout arms a timer at each entry. When it is due the event timeout is
// offered, from this state outward (S46).
func (s *StateBuilder) Timeout(d time.Duration) *StateBuilder { return s.timeout(Delay{Duration: d}) }

// TimeoutContext is Timeout with a delay that stands in the context (S48).
func (s *StateBuilder) TimeoutContext(path string) *StateBuilder {
	return s.timeout(Delay{Path: splitPath(path)})
}

// TimeoutAt is Timeout with an instant that stands in the context (S48).
func (s *StateBuilder) TimeoutAt(path string) *StateBuilder {
	return s.timeout(Delay{Path: splitPath(path), At: true})
}

func (s *StateBuilder) timeout(d Delay) *StateBuilder {
	if pos, ok := s.first("timeout"); ok {
		d.Pos = pos
		s.decl.Timeout = &d
	}
	return s
}

// Outcome sets the outcome of a final.
func (s *StateBuilder) Outcome(outcome string) *StateBuilder {
	if pos, ok := s.first("outcome"); ok {
		s.decl.Outcome, s.decl.OutcomePos = outcome, pos
	}
	return s
}

// Defer keeps events for later that no transition on or inside this state takes
// (S37).
func (s *StateBuilder) Defer(events ...string) *StateBuilder {
	if _, ok := s.first("defer"); ok {
		s.decl.Defer = s.log.names(events)
	}
	return s
}

// Carry lists top-level context keys that go into the data of the completion
// (S65).
func (s *StateBuilder) Carry(keys ...string) *StateBuilder {
	if _, ok := s.first("carry"); ok {
		s.decl.Carry = s.log.names(keys)
	}
	return s
}

// With makes the context of the child execution of a region or invoke state
// (S54). Without pairs it is an empty object.
func (s *StateBuilder) With(pairs ...Pair) *StateBuilder {
	if pos, ok := s.first("with"); ok {
		s.decl.With, s.decl.WithPos = s.log.pairs(pairs), &pos
	}
	return s
}

// Autoforward passes every external event on to the live children (S64).
func (s *StateBuilder) Autoforward() *StateBuilder {
	if _, ok := s.first("autoforward"); ok {
		s.decl.Autoforward = true
	}
	return s
}

// Finalize runs before the selection for an event that a child sent (S64).
func (s *StateBuilder) Finalize(actions ...Action) *StateBuilder {
	if _, ok := s.first("finalize"); ok {
		s.decl.Finalize = s.log.place(actions)
	}
	return s
}

// Resting says that to stay in this state is meant: it needs no way out.
func (s *StateBuilder) Resting() *StateBuilder {
	if _, ok := s.first("resting"); ok {
		s.decl.Resting = true
	}
	return s
}

// State declares a child: atomic, or compound if it gets children itself. The
// body declares what is in it; the returned builder can do so too.
func (s *StateBuilder) State(name string, body ...func(*StateBuilder)) *StateBuilder {
	return s.child(name, Atomic, body)
}

// Parallel declares a child whose children are active together, in this
// execution.
func (s *StateBuilder) Parallel(name string, body ...func(*StateBuilder)) *StateBuilder {
	return s.child(name, Parallel, body)
}

// Orthogonal declares a child whose children run as child executions, each with
// a context of its own.
func (s *StateBuilder) Orthogonal(name string, body ...func(*StateBuilder)) *StateBuilder {
	return s.child(name, Orthogonal, body)
}

// Final declares an end of this state, with outcome "success" unless one is
// given.
func (s *StateBuilder) Final(name string, outcome ...string) *StateBuilder {
	f := s.child(name, Final, nil)
	for _, o := range outcome {
		f.Outcome(o)
	}
	return f
}

func (s *StateBuilder) child(name string, kind Kind, body []func(*StateBuilder)) *StateBuilder {
	c := &StateBuilder{log: s.log, decl: &StateDecl{Name: name, Kind: kind, Pos: s.log.next()}}
	s.decl.Children = append(s.decl.Children, c.decl)
	for _, f := range body {
		if f != nil {
			f(c)
		}
	}
	return c
}

// History declares a history state: as a target it stands for what was active in
// this state before (S10).
func (s *StateBuilder) History(name string) *HistoryBuilder {
	return &HistoryBuilder{state: s.child(name, History, nil)}
}

// Invoke makes this an invoke state, which runs the chart of that name as a
// child execution (S63). The name is empty for an inline body.
func (s *StateBuilder) Invoke(chart string) *InvokeBuilder {
	pos, ok := s.first("invoke")
	inv := &InvokeBuilder{state: s, decl: &InvokeDecl{Chart: chart, Pos: pos}}
	if ok {
		s.decl.Invoke = inv.decl
	}
	return inv
}

// From begins a transition whose source is found from this state downward, child
// by child; "self" is this state. It needs a call of To, unless it only runs
// actions, and at most one of On, After and Always (S7, S8).
func (s *StateBuilder) From(source string) *TransitionBuilder {
	pos := s.log.next()
	t := &TransitionBuilder{log: s.log, decl: &TransitionDecl{Order: pos.seq, Pos: pos}}
	t.decl.From = Ref{Text: source, Pos: pos}
	if source == "self" {
		t.decl.From = Ref{Self: true, Pos: pos}
	}
	s.decl.Transitions = append(s.decl.Transitions, t.decl)
	return t
}

// HistoryBuilder declares a history state.
type HistoryBuilder struct{ state *StateBuilder }

// Deep makes it record the active leaves instead of the active children.
func (h *HistoryBuilder) Deep() *HistoryBuilder {
	if _, ok := h.state.first("deep"); ok {
		h.state.decl.Deep = true
	}
	return h
}

// To says what is entered as long as nothing is recorded.
func (h *HistoryBuilder) To(targets ...string) *HistoryBuilder {
	if pos, ok := h.state.first("to"); ok {
		h.state.decl.Default = &EntryDecl{Targets: h.state.log.refs(targets), Pos: pos}
	}
	return h
}

// Do gives To actions that run when it is used.
func (h *HistoryBuilder) Do(actions ...Action) *HistoryBuilder {
	if _, ok := h.state.first("do"); ok && h.state.decl.Default != nil {
		h.state.decl.Default.Do = h.state.log.place(actions)
	}
	return h
}

// Doc sets the doc comment of the state.
func (h *HistoryBuilder) Doc(text string) *HistoryBuilder {
	h.state.decl.Doc = text
	return h
}
