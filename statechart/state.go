package statechart

// Kind is the kind of a state (S3).
type Kind uint8

// The kinds. A choice is not a state here: it is part of its transition.
const (
	Atomic Kind = iota
	Compound
	Parallel
	Orthogonal
	Invoking
	Final
	History
)

// String returns the name of the kind as the text language calls it.
func (k Kind) String() string {
	switch k {
	case Atomic:
		return "atomic"
	case Compound:
		return "compound"
	case Parallel:
		return "parallel"
	case Orthogonal:
		return "orthogonal"
	case Invoking:
		return "invoke"
	case Final:
		return "final"
	case History:
		return "history"
	default:
		return "unknown"
	}
}

// State is a state of a chart. It belongs to its chart: read it only.
type State struct {
	Index  int    // place in document order; the root has 0
	Name   string // empty for the root
	Path   string // names from the root joined by "."; empty for the root
	Kind   Kind
	Parent *State // nil for the root
	Depth  int    // 0 for the root
	Last   int    // Index of the last descendant, or Index: descendants are Index+1…Last

	// ExecutionRoot is that of the execution that this state lives in: the root, or
	// the region of the nearest orthogonal around it (S1, section 8). A region is
	// its own.
	ExecutionRoot *State

	Children []*State
	Doc      string
	Pos      Pos

	Initial     *Entry // compound and root
	OnEnter     []Action
	OnExit      []Action
	Timeout     *Delay
	Outcome     string // final: never empty
	Defer       []Descriptor
	Carry       []string // as written on this state; see Carried
	With        []Pair
	Invoke      *Invoke // invoking
	Autoforward bool
	Finalize    []Action
	Resting     bool
	Deep        bool   // history
	Default     *Entry // history: the states after "to", or nil
	Join        *Join  // orthogonal and fan-out: its policy; nil means all

	// Transitions are the outgoing ones in document order, Transitions[k].Index = k.
	Transitions []*Transition

	// Carried lists the keys that the completion by this final carries: its own
	// Carry, else that of its parent (S65).
	Carried []string

	// DoneEvent is the name of the event of its completion: done.state.<Path>, or
	// done.invoke.<Path> of an invoking state. ErrorEvent is error.invoke.<Path> of
	// an invoking state (S19). TimerName is timeout:<Path> (S46).
	DoneEvent  string
	ErrorEvent string
	TimerName  string

	named *nameSet // region: what its subtree names (S56)
}

// Contains reports whether o is s or a descendant of s.
func (s *State) Contains(o *State) bool { return s.Index <= o.Index && o.Index <= s.Last }

// Above reports whether s is a proper ancestor of o.
func (s *State) Above(o *State) bool { return s.Index < o.Index && o.Index <= s.Last }

// IsLeaf reports whether s has no child states in its own execution.
func (s *State) IsLeaf() bool { return s.Kind != Compound && s.Kind != Parallel }

// IsRegion reports whether s is a region of an orthogonal state, and so the
// execution root of a child execution.
func (s *State) IsRegion() bool { return s.Parent != nil && s.Parent.Kind == Orthogonal }

// Names reports whether a descriptor of a trigger or of a defer in the subtree
// of the region s matches the external event of that name (S56). It is false for
// every state that is no region.
func (s *State) Names(event string) bool { return s.named.matches(event) }

// Entry is where an initial or a history default leads.
type Entry struct {
	Targets []*State
	Do      []Action
	Pos     Pos
}

// Invoke says which child chart an invoking state runs (S63).
type Invoke struct {
	Chart   string // name; of an inline body "{chart}#{path}"
	Version string // fixed at build, or declared; empty: the newest registered one
	Inline  *Chart // inline body, or nil
	Var     string // fan-out: the loop variable, else empty
	In      []string
	Limit   int // fan-out: at most this many live, 0 means the default
	Pos     Pos
}

// Join is the policy of an orthogonal or fan-out state (S59).
type Join struct {
	Policy JoinPolicy
	N      int // JoinCount only
	Pos    Pos
}

// JoinPolicy is the kind of a join.
type JoinPolicy uint8

// The policies. Any is the count 1.
const (
	JoinAll JoinPolicy = iota
	JoinAny
	JoinCount
)

// Transition is an outgoing transition of its source (S7), in normal form (S8).
type Transition struct {
	Index   int // k: place among the transitions of the source
	Source  *State
	Targets []*State // none for a targetless one; for a choice or join see those
	// Exactly one of Events, After and Always is set.
	Events    []Descriptor
	After     *Delay
	AfterNo   int    // k of the timer name after:P:k; counts the after transitions of the source
	TimerName string // after:P:k, if After is set
	Always    bool
	Guards    []*Guard // all must hold, in the order written
	Do        []Action
	Internal  bool
	Choice    *Choice
	// JoinElse is set on "join … to X else to Y": Targets holds X, JoinElse Y. It
	// is taken on the completion event of the source: X when data.pass, else Y.
	JoinElse *State
	Doc      string
	Pos      Pos
}

// Choice picks one of several targets during selection (S12). Exactly one of
// Call and Expr is set.
type Choice struct {
	Call     *CallAction // Go selector
	Expr     *Expr       // CEL selector
	Returns  []any
	Branches []Branch
	Else     *State // or nil
	Pos      Pos
}

// Branch is one way out of a choice.
type Branch struct {
	Value  any    // as written
	Text   string // its text form, which is compared (S12)
	Target *State
	Pos    Pos
}
