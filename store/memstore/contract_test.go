package memstore

import (
	"math/rand/v2"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/durachart/durachart/internal/testmain"
	"github.com/durachart/durachart/store"
	"github.com/durachart/durachart/store/storetest"
)

func TestMain(m *testing.M) { testmain.Run(m) }

// P12, D75: the memory store passes the whole contract.
func TestContract(t *testing.T) { storetest.Run(t, open) }

// The order in which goroutines get on must not change results: here each of them
// lets others go first at random before a command.
func TestContractWhenOthersGoFirst(t *testing.T) {
	storetest.Run(t, func(tb testing.TB, o storetest.Options) storetest.Fixture {
		h := harnessOf(tb, o)
		options := h.options(o)
		options.OnCommand = func(string, string) {
			h.commands.Add(1)
			for range rand.IntN(4) {
				runtime.Gosched()
			}
		}
		s, err := h.store.Attach(options)
		require.NoError(tb, err)
		tb.Cleanup(func() { require.NoError(tb, s.Close(tb.Context())) })
		h.fixture.Store = s
		return h.fixture
	})
}

func open(tb testing.TB, o storetest.Options) storetest.Fixture { return harnessOf(tb, o).fixture }

// harness is a memory store with a clock that only moves when a case says so, as a
// server's may stand still between two calls, and a count of its commands.
type harness struct {
	store    *Store
	clock    clock
	commands atomic.Int64
	fixture  storetest.Fixture
}

func harnessOf(tb testing.TB, o storetest.Options) *harness {
	h := &harness{clock: clock{now: time.Now()}}
	options := h.options(o)
	options.OnCommand = func(string, string) { h.commands.Add(1) }
	s, err := New(options)
	require.NoError(tb, err)
	tb.Cleanup(func() { require.NoError(tb, s.Close(tb.Context())) })
	h.store = s
	h.fixture = storetest.Fixture{
		Store:     s,
		Attach:    h.attach,
		Commands:  func() int { return int(h.commands.Load()) },
		MakeNewer: func(tb testing.TB, id string) { s.makeNewer(id) },
		Elapse:    h.clock.elapse,
	}
	return h
}

func (h *harness) options(o storetest.Options) Options {
	return Options{Limits: o.Limits, Shards: o.Shards, Attributes: o.Attributes, Clock: h.clock.read}
}

func (h *harness) attach(tb testing.TB, o storetest.Options) store.Store {
	s, err := h.store.Attach(h.options(o))
	require.NoError(tb, err)
	tb.Cleanup(func() { require.NoError(tb, s.Close(tb.Context())) })
	return s
}

// makeNewer raises the format of a record beyond what this program reads.
func (s *Store) makeNewer(id string) {
	sh := s.data.shardOf(id)
	sh.mu.Lock()
	defer sh.mu.Unlock()
	sh.docs[id].format = store.CurrentFormat + 1
}

type clock struct {
	mu  sync.Mutex
	now time.Time
}

func (c *clock) read() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *clock) elapse(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}
