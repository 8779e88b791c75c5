package storetest

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/durachart/durachart/store"
)

// Options is how a case wants its store.
type Options struct {
	Limits     store.Limits
	Shards     int // 0: the default
	Attributes []string

	// ClockSkew is how far the clock of the process is ahead of the server's. A
	// store that takes no process clock ignores it: that is what the case wants to
	// see.
	ClockSkew time.Duration
}

// Open makes a fresh, empty store and has it closed when tb ends.
type Open func(tb testing.TB, o Options) Fixture

// Fixture is a store with what a harness can do to it. All fields but Store may be
// nil.
type Fixture struct {
	Store store.Store

	// Attach opens another handle on the same data, as another process would, and
	// has it closed when tb ends. The handles are independent of each other.
	Attach func(tb testing.TB, o Options) store.Store

	// Commands returns how many commands the handle Store has sent so far.
	Commands func() int

	// Batches says that concurrent commits travel in one command.
	Batches bool

	// MakeNewer raises the format of a stored execution beyond what this version
	// of the program reads.
	MakeNewer func(tb testing.TB, id string)

	// Elapse moves the server's clock.
	Elapse func(d time.Duration)
}

// Case is one sentence of the contract.
type Case struct {
	ID   string // of the specification's list
	Says string
	run  func(e *env)

	options Options
	needs   func(f *Fixture) string // what is missing, "" if nothing

	// driver says that the case looks at a server's wire and is a test of the
	// driver; run is nil.
	driver bool
}

// Name is the name of the case's subtest.
func (c Case) Name() string { return c.ID + " " + c.Says }

// Cases returns the contract in the order of the specification.
func Cases() []Case {
	return slices.Concat(executionCases, batchCases, inboxCases, outboxCases, spawnCases, timerCases, traceCases, listCases,
		shardCases, letterCases, counterCases, retentionCases, generalCases)
}

// Run runs every case as a parallel subtest with a fresh store each, and logs at
// the end what was skipped.
func Run(t *testing.T, open Open) {
	var skipped skips
	t.Cleanup(func() { t.Log(skipped.report(len(Cases()))) })
	for _, c := range Cases() {
		t.Run(c.Name(), func(t *testing.T) {
			t.Parallel()
			t.Cleanup(func() { skipped.note(c, t) })
			c.runOn(t, open)
		})
	}
}

// RunCase runs the case of that id.
func RunCase(tb testing.TB, id string, open Open) {
	tb.Helper()
	for _, c := range Cases() {
		if c.ID == id {
			c.runOn(tb, open)
			return
		}
	}
	tb.Fatalf("storetest has no case %q", id)
}

func (c Case) runOn(tb testing.TB, open Open) {
	tb.Helper()
	if c.driver {
		tb.Skip("skipped: a test of the driver, it looks at the wire")
	}
	e := newEnv(tb, open, c.options)
	if c.needs != nil {
		if missing := c.needs(&e.Fixture); missing != "" {
			tb.Skip("skipped: the harness has no " + missing)
		}
	}
	c.run(e)
}

// What cases need of a harness.
func needAttach(f *Fixture) string {
	if f.Attach == nil {
		return "Attach"
	}
	return ""
}

func needMakeNewer(f *Fixture) string {
	if f.MakeNewer == nil {
		return "MakeNewer"
	}
	return ""
}

func needBulk(f *Fixture) string {
	if _, ok := f.Store.(store.BulkCommitter); !ok {
		return "BulkCommitter"
	}
	return ""
}

func needWatch(f *Fixture) string {
	if _, ok := f.Store.(store.Watcher); !ok {
		return "Watcher"
	}
	return ""
}

// skips counts what did not run.
type skips struct {
	mu    sync.Mutex
	names []string
}

func (s *skips) note(c Case, t *testing.T) {
	if t.Skipped() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.names = append(s.names, c.ID)
	}
}

func (s *skips) report(total int) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	slices.Sort(s.names)
	text := fmt.Sprintf("storetest: %d cases, %d skipped", total, len(s.names))
	if len(s.names) > 0 {
		text += ": " + strings.Join(s.names, " ")
	}
	return text
}
