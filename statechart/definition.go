package statechart

// Definition is a chart as it was declared: references are still text and
// nothing is checked. The builder and the text parser fill one; [Definition.Build]
// checks it and makes the [Chart]. It is plain data: build it by hand only to
// write another front end, as statechart/scxml does. Build does not change it.
type Definition struct {
	Name     string
	Version  string // or empty: the content decides (S13)
	Profile  Profile
	Doc      string
	Events   []EventDecl
	Guards   []*Guard // named ones
	Bindings []Binding
	Root     *StateDecl // Kind Compound, no name

	// Machines and Charts resolve an invoked name before the registry does (S63):
	// the machines of the same file under their names, imported ones under
	// alias.Name; charts that exist already under their names. A machine may
	// invoke, over others or at once, the one that invokes it.
	Machines map[string]*Definition
	Charts   map[string]*Chart

	// Findings are problems that the front end met (syntax, imports, fragments).
	// Build reports them with its own, in order.
	Findings Problems
	Pos      Pos
}

// Binding gives a handler name used in the chart the name it is registered under.
type Binding struct {
	Name    string
	Handler string
	Pos     Pos
}

// StateDecl is a declared state.
type StateDecl struct {
	Name     string
	Kind     Kind // Atomic and Compound both mean "state": children decide; with Invoke set, Invoking
	Doc      string
	Pos      Pos
	Children []*StateDecl // in order of declaration

	// Fragment marks the state that a use put here: references that stand inside
	// look no further up than this state (S97), but for those with a Base.
	Fragment bool

	Initial     *EntryDecl
	OnEnter     []Action
	OnExit      []Action
	Timeout     *Delay
	Outcome     string
	OutcomePos  Pos
	Defer       []NamePos
	Carry       []NamePos
	With        []Pair
	WithPos     *Pos // where "with" was written; nil if it was not
	Invoke      *InvokeDecl
	Autoforward bool
	Finalize    []Action
	Resting     bool
	Deep        bool
	Default     *EntryDecl // history: "to"

	OnActivity *Pos   // "on activity", which does not exist (S68)
	NoHistory  *Pos   // "no history", which means nothing
	Misplaced  []Item // items that no body of this kind can have
	Duplicates []Item // items said again; the first one counts (S95)

	// Transitions that stand in the body of this state, whatever their sources.
	Transitions []*TransitionDecl
}

// Item is an item of a body, by the keyword that begins it: "timeout",
// "on enter".
type Item struct {
	Name string
	Pos  Pos
}

// NamePos is a name with the place where it stands. Base is that of [Ref], for
// an event such as done.state.X that was the argument of a use.
type NamePos struct {
	Name string
	Base *StateDecl
	Pos  Pos
}

// EntryDecl is a declared initial or history default.
type EntryDecl struct {
	Targets []Ref
	Do      []Action
	Pos     Pos
}

// Ref is a reference to a state, resolved as S93 says. Base, if set, is where it
// is resolved instead of where it stands: a fragment argument is resolved where
// its use stands (S97).
type Ref struct {
	Text string // names joined by "."; a leading "." walks from the root only
	Self bool   // "from self": the state whose body it stands in
	Base *StateDecl
	Pos  Pos
}

// InvokeDecl declares what an invoke state runs.
type InvokeDecl struct {
	Chart   string
	Version string

	// Body is an inline chart, or nil. Its name, version, profile, events, guards,
	// bindings and machines are those of the chart around it, whatever it says.
	Body *Definition

	Var   string // for Var in In
	In    []string
	Limit *int
	Join  *Join
	Pos   Pos
}

// TransitionDecl is a declared transition. At most one of Events, After and
// Always is set; none means what S8 says.
type TransitionDecl struct {
	Order    int // place in the text, over the whole chart (S6)
	From     Ref
	Targets  []Ref
	Events   []NamePos
	After    *Delay
	Always   bool
	Guards   []*Guard // a bare name in "where" is a NamedPred
	Do       []Action
	Internal bool
	Choice   *ChoiceDecl
	Join     *JoinDecl
	Doc      string
	Pos      Pos

	Duplicates []Item // clauses said again; the first one counts
}

// ChoiceDecl is a declared choice. Exactly one of Call and Expr is set.
type ChoiceDecl struct {
	Call       *CallAction
	Expr       *Expr
	Returns    []any
	HasReturns bool
	Branches   []BranchDecl
	Else       *Ref
	Pos        Pos
}

// BranchDecl is a declared way out of a choice.
type BranchDecl struct {
	Value  any
	Target Ref
	Pos    Pos
}

// JoinDecl is "join … to X else to Y".
type JoinDecl struct {
	Join Join
	To   Ref
	Else Ref
}
