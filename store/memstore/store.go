package memstore

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/durachart/durachart/store"
)

// Store implements [store.Store], [store.BulkCommitter] and [store.Watcher]. The
// zero value is ready to use and must not be copied.
type Store struct {
	once sync.Once // makes a zero Store what New(Options{}) is
	opts Options
	data *database

	closed atomic.Bool
	gone   chan struct{} // closed by Close, for those who wait
}

var (
	_ store.Store         = (*Store)(nil)
	_ store.BulkCommitter = (*Store)(nil)
	_ store.Watcher       = (*Store)(nil)
)

// New checks o and returns an empty store. The error is ErrInvalidArgument and
// names every mistake.
func New(o Options) (*Store, error) {
	if err := o.validate(); err != nil {
		return nil, err
	}
	s := new(Store)
	s.once.Do(func() { s.open(o, nil) })
	return s, nil
}

// Attach returns another handle on the data of s, open whether or not s is closed:
// what another process, or the next one, would get. The clock stays that of the
// data. A number of shards that differs shows in Ready (D1).
func (s *Store) Attach(o Options) (*Store, error) {
	if err := o.validate(); err != nil {
		return nil, err
	}
	s.init()
	other := new(Store)
	other.once.Do(func() { other.open(o, s.data) })
	return other, nil
}

func (s *Store) init() { s.once.Do(func() { s.open(Options{}, nil) }) }

func (s *Store) open(o Options, data *database) {
	s.opts = o.withDefaults()
	s.gone = make(chan struct{})
	s.data = data
	if data == nil {
		s.data = newDatabase(s.opts.Shards, s.opts.Clock)
	}
}

// Ready implements [store.Store].
func (s *Store) Ready(ctx context.Context) (store.Info, error) {
	if err := s.begin(ctx); err != nil {
		return store.Info{}, store.OpError("ready", "", err)
	}
	s.command("ready", "")
	if n := len(s.data.shards); n != s.opts.Shards {
		return store.Info{}, store.OpError("ready", "", fmt.Errorf("%w: %d shards, but the data has %d", store.ErrMisconfigured, s.opts.Shards, n))
	}
	return store.Info{
		Kind:          "memory",
		ServerNow:     store.Millis(s.data.clock()),
		ChangeStreams: true,
		DocumentLimit: s.opts.Limits.Document,
		Shards:        len(s.data.shards),
	}, nil
}

// Close implements [store.Store]. Nothing here runs for long, so it does not need
// ctx.
func (s *Store) Close(context.Context) error {
	s.init()
	if !s.closed.Swap(true) {
		close(s.gone)
	}
	s.data.settle()
	return nil
}

// begin is the start of every method: it does nothing for a ctx that is over or a
// closed handle.
func (s *Store) begin(ctx context.Context) error {
	s.init()
	if s.closed.Load() {
		return store.ErrClosed
	}
	return ctx.Err()
}

// command announces a command to whoever counts them.
func (s *Store) command(name, id string) {
	if s.opts.OnCommand != nil {
		s.opts.OnCommand(name, id)
	}
}

// lock locks the shard of id for one command. A handle that was closed meanwhile
// gets ErrClosed and no lock.
func (s *Store) lock(command, id string) (*shard, error) {
	s.command(command, id)
	return s.lockShard(s.data.shardOf(id))
}

func (s *Store) lockShard(sh *shard) (*shard, error) {
	sh.mu.Lock()
	if s.closed.Load() {
		sh.mu.Unlock()
		return nil, store.ErrClosed
	}
	return sh, nil
}
