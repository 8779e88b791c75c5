package statechart

// Profile selects a variant of the semantics (S29).
type Profile string

// The profiles.
const (
	ProfileNone  Profile = ""
	ProfileSCXML Profile = "scxml"
)

// Chart is a checked, immutable definition. It is safe for concurrent use.
//
// Only [Definition.Build], which the builder and the parser call, makes charts.
// The states, transitions and actions that a Chart hands out belong to it and
// are shared: read them, do not change them.
type Chart struct {
	name     string
	version  string
	hashed   bool // the version is the hash of the content (S13)
	profile  Profile
	doc      string
	states   []*State // document order, parents before children; states[0] is the root
	byPath   map[string]*State
	events   []EventDecl
	guards   []*Guard          // named ones that are used, in order of declaration
	handlers map[string]string // name in the chart -> handler, from bind
	charts   []*Chart          // that it invokes: of its file, imported, inline
	findings Problems          // warnings only
}

// Name returns the name of the chart.
func (c *Chart) Name() string { return c.name }

// Version returns the declared version, else the content hash (S13).
func (c *Chart) Version() string { return c.version }

// Profile returns the profile of the chart.
func (c *Chart) Profile() Profile { return c.profile }

// Doc returns the doc comment of the chart.
func (c *Chart) Doc() string { return c.doc }

// Root returns the root state; its path is empty.
func (c *Chart) Root() *State { return c.states[0] }

// States returns all states in document order. State i has Index i.
func (c *Chart) States() []*State { return c.states }

// State returns the state of that path, or nil. The path of the root is empty.
func (c *Chart) State(path string) *State { return c.byPath[path] }

// Events returns the declared events in the order of declaration.
func (c *Chart) Events() []EventDecl { return c.events }

// Guards returns the named guards that the chart declares and uses, in the order
// of declaration.
func (c *Chart) Guards() []*Guard { return c.guards }

// Guard returns the named guard that the chart declares and uses, or nil.
func (c *Chart) Guard(name string) *Guard {
	for _, g := range c.guards {
		if g.Name == name {
			return g
		}
	}
	return nil
}

// Handler returns the name under which the Go handler that the chart calls name
// is registered: what bind says, else name itself (S72).
func (c *Chart) Handler(name string) string {
	if h, ok := c.handlers[name]; ok {
		return h
	}
	return name
}

// Charts returns the charts that this one invokes and brings along: inline ones,
// those of its file and imported ones. Registering a chart registers them (S13).
func (c *Chart) Charts() []*Chart { return c.charts }

// Warnings returns the findings of severity warning that the checks left.
func (c *Chart) Warnings() Problems { return c.findings }
