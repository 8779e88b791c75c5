package statechart

// Definition is a chart as it was declared: references are still text and
// nothing is checked. The builder and the text parser fill one; [Definition.Build]
// checks it and makes the [Chart]. It is plain data: build it by hand only to
// write another front end, as statechart/scxml does.
type Definition struct {
	Name     string
	Version  string
	Profile  Profile
	Doc      string
	Events   []EventDecl
	Guards   []*Guard // named ones
	Bindings []Binding
	Root     *StateDecl // Kind Compound, no name

	// Machines resolve an invoked name before the registry does (S63): those of
	// the same file under their names, imported ones under alias.Name. A map value
	// may be the Definition of a chart that invokes this one.
	Machines map[string]*Definition

	// Findings are problems that the front end met (syntax, duplicates, imports,
	// fragments). Build reports them with its own, in order.
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
	Kind     Kind // Atomic and Compound both mean "state": children decide
	Doc      string
	Pos      Pos
	Children []*StateDecl // in order of declaration

	Initial     *EntryDecl
	OnEnter     []Action
	OnExit      []Action
	Timeout     *Delay
	Outcome     string
	Defer       []NamePos
	Carry       []NamePos
	With        []Pair
	HasWith     bool // "with {}" was written
	Invoke      *InvokeDecl
	Autoforward bool
	Finalize    []Action
	Resting     bool
	Deep        bool
	Default     *EntryDecl // history: "to"

	// Said but meaningless here; each gives its finding (S103).
	OnActivity *Pos
	NoHistory  *Pos
	Misplaced  []Misplaced

	// Transitions that stand in the body of this state, whatever their sources.
	Transitions []*TransitionDecl
}

// NamePos is a name with the place where it stands.
type NamePos struct {
	Name string
	Pos  Pos
}

// Misplaced is an item that a body cannot have.
type Misplaced struct {
	Item string
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
	Text string // names joined by "."; a leading "." walks from the root only; "self"
	Base *StateDecl
	Pos  Pos
}

// InvokeDecl declares what an invoke state runs.
type InvokeDecl struct {
	Chart   string
	Version string
	Body    *Definition // inline chart, or nil
	Var     string      // for Var in In
	In      []string
	Limit   *int
	Join    *Join
	Pos     Pos
}

// TransitionDecl is a declared transition.
type TransitionDecl struct {
	Order    int // place in the text, over the whole chart (S6)
	From     Ref
	Targets  []Ref
	Events   []NamePos
	After    *Delay
	Always   bool
	Guards   []*Guard
	Do       []Action
	Internal bool
	Choice   *ChoiceDecl
	Join     *JoinDecl
	Doc      string
	Pos      Pos
}

// ChoiceDecl is a declared choice.
type ChoiceDecl struct {
	Call       *Call
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
