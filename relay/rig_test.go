package relay_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/durachart/durachart/relay"
	"github.com/durachart/durachart/store"
	"github.com/durachart/durachart/store/memstore"
)

// world is a store that outlives the processes that work on it. Its executions are as
// simple as can be: the data of one is the list of the event ids that it has applied.
type world struct {
	t  *testing.T
	db *memstore.Store
}

func newWorld(t *testing.T, limits store.Limits) *world {
	db, err := memstore.New(memstore.Options{Limits: limits})
	require.NoError(t, err)
	return &world{t: t, db: db}
}

// create makes executions without a parent.
func (w *world) create(ids ...string) {
	for _, id := range ids {
		require.NoError(w.t, w.db.Create(w.t.Context(), creation(id)))
	}
}

func creation(id string) store.Creation {
	return store.Creation{Snapshot: snapshot(nil), ID: id, DefinitionID: "chart", RequestID: id + ":start", Now: time.Now()}
}

func snapshot(applied []string) store.Snapshot {
	data, err := json.Marshal(applied)
	if err != nil {
		panic(err) // strings always marshal
	}
	return store.Snapshot{DefinitionVersion: "1", Data: data, Status: store.Running, EnteredAt: time.Now()}
}

func (w *world) load(id string) store.Loaded {
	l, err := w.db.LoadForEvent(context.Background(), id, nil, 1000)
	require.NoError(w.t, err)
	return l
}

// applied returns the events that id has applied, in order.
func (w *world) applied(id string) []string {
	var ids []string
	require.NoError(w.t, json.Unmarshal(w.load(id).Data, &ids))
	return ids
}

// inbox returns the ids of the events that wait in the inbox of id, in order.
func (w *world) inbox(id string) []string {
	var ids []string
	for _, e := range w.load(id).Inbox {
		ids = append(ids, e.ID)
	}
	return ids
}

func (w *world) outbox(id string) []store.OutboxEntry {
	entries, err := w.db.PendingOutbox(context.Background(), id, 1000)
	require.NoError(w.t, err)
	return entries
}

func (w *world) spawns(id string) []store.SpawnEntry {
	entries, err := w.db.PendingSpawns(context.Background(), id, 1000)
	require.NoError(w.t, err)
	return entries
}

// letters returns "<target> <event id> <reason>" of each dead letter, sorted.
func (w *world) letters() []string {
	var texts []string
	page, err := w.db.ListDeadLetters(context.Background(), store.DeadLetterFilter{}, store.Page{Limit: 1000})
	require.NoError(w.t, err)
	for _, l := range page.Items {
		texts = append(texts, fmt.Sprintf("%s %s %s", l.TargetID, l.EventID, l.Reason))
	}
	slices.Sort(texts)
	return texts
}

// step commits one step of id that emits and spawns, and returns what the runtime would
// hand to the relay. The event that it handles is named by the version.
func (w *world) step(id string, emits []store.Emit, spawns ...store.Spawn) relay.Handover {
	l := w.load(id)
	now := time.Now()
	require.NoError(w.t, w.db.Commit(context.Background(), store.Commit{
		Snapshot: l.Snapshot, ID: id, Version: l.Version, Handled: []string{fmt.Sprintf("%s/step%d", id, l.Version)},
		Emits: emits, Spawns: spawns, Now: now,
	}))
	return relay.Handover{
		ID: id, RootID: l.RootID, DefinitionID: l.DefinitionID, Priority: l.Priority,
		Version: l.Version + 1, Emits: emits, Spawns: spawns, Now: now,
	}
}

func emit(target, id string) store.Emit {
	return store.Emit{TargetID: target, ID: id, Event: fmt.Appendf(nil, `{"id":%q,"name":"go"}`, id)}
}

func emits(target string, ids ...string) []store.Emit {
	var es []store.Emit
	for _, id := range ids {
		es = append(es, emit(target, id))
	}
	return es
}

func report(child, parent string) store.Emit {
	return store.Emit{TargetID: parent, ID: child + ":finished", Event: []byte(`{"name":"$finished"}`)}
}

func spawn(child string) store.Spawn {
	return store.Spawn{
		ChildID: child, DefinitionID: "chart", DefinitionVersion: "1", RootPath: "A",
		Site: store.Site{Path: "A", Seq: 1}, Context: []byte(`{"k":1}`), Event: []byte(`{"name":"$start"}`),
	}
}

// process is a relay with a runtime that applies each event by a commit of its own.
type process struct {
	*world
	relay *relay.Relay
	db    *mortal // its handle of the store

	owns    func(id string) bool
	mu      sync.Mutex
	deliver delivery                                    // instead of applying
	child   func(b relay.Birth) (store.Creation, error) // instead of a plain one
	calls   []string                                    // "<target> <event id>…" of each local delivery, "control <target> <op>"
	born    []string
	events  []relay.Event

	cancel context.CancelFunc
	done   chan error
}

type delivery func(ctx context.Context, target string, events []store.InboxEntry) (taken int, err error)

// delivers makes deliveries and commands go to f; nil: to the plain runtime.
func (p *process) delivers(f delivery) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.deliver = f
}

// bears makes children by f.
func (p *process) bears(f func(b relay.Birth) (store.Creation, error)) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.child = f
}

type option func(*process, *relay.Config)

func everything(string) bool { return true }
func nothing(string) bool    { return false }

func owning(f func(string) bool) option {
	return func(p *process, _ *relay.Config) { p.owns = f }
}

// patient polls seldom, for stories that take hours.
func patient(_ *process, c *relay.Config) { c.PollMax = 5 * time.Minute }

// dyingAfter kills the process right after its n-th command.
func dyingAfter(n int) option {
	return func(p *process, _ *relay.Config) { p.db.left.Store(int64(n)) }
}

// process starts a process, which runs until kill.
func (w *world) process(options ...option) *process {
	p := w.idleProcess(options...)
	p.run()
	return p
}

// run lets the relay of a process begin.
func (p *process) run() {
	ctx, cancel := context.WithCancel(context.Background())
	p.cancel = cancel
	go func() { p.done <- p.relay.Run(ctx) }()
	synctest.Wait()
}

// idleProcess is a process whose relay does not run yet.
func (w *world) idleProcess(options ...option) *process {
	p := &process{world: w, owns: everything, done: make(chan error, 1)}
	p.db = &mortal{Store: w.db, died: make(chan struct{})}
	p.db.left.Store(1 << 40)
	cfg := relay.Config{
		Source: p.db, Target: p, Births: p,
		Shards: func() []int {
			all := make([]int, store.DefaultShards)
			for i := range all {
				all[i] = i
			}
			return all
		},
		Jitter: func(d time.Duration) time.Duration { return d },
		Observe: func(e relay.Event) {
			p.mu.Lock()
			defer p.mu.Unlock()
			p.events = append(p.events, e)
		},
	}
	for _, o := range options {
		o(p, &cfg)
	}
	var err error
	p.relay, err = relay.New(cfg)
	require.NoError(w.t, err)
	return p
}

// kill ends the process and waits until nothing of it is left.
func (p *process) kill() {
	p.db.die()
	p.cancel()
	require.NoError(p.t, <-p.done)
}

// Owns implements relay.Target.
func (p *process) Owns(id string) bool { return p.owns(id) }

// Deliver implements relay.Target: each event is applied by a commit, once.
func (p *process) Deliver(ctx context.Context, target string, events []store.InboxEntry) (int, error) {
	call := target
	for _, e := range events {
		call += " " + e.ID
	}
	if deliver := p.note(call); deliver != nil {
		return deliver(ctx, target, events)
	}
	for i, e := range events {
		if err := p.apply(ctx, target, e.ID); err != nil {
			return i, err
		}
	}
	return len(events), nil
}

func (p *process) apply(ctx context.Context, target, event string) error {
	for {
		l, err := p.db.LoadForEvent(ctx, target, []string{event}, 0)
		switch {
		case err != nil:
			return err
		case len(l.Seen) > 0:
			return nil
		case l.Ended:
			return store.ErrEnded
		}
		var applied []string
		if err := json.Unmarshal(l.Data, &applied); err != nil {
			return err
		}
		err = p.db.Commit(ctx, store.Commit{
			Snapshot: snapshot(append(applied, event)), ID: target, Version: l.Version, Handled: []string{event}, Now: time.Now(),
		})
		if !errors.Is(err, store.ErrConflict) {
			return err
		}
	}
}

// Control implements relay.Target.
func (p *process) Control(ctx context.Context, target string, op store.InboxEntry) error {
	if deliver := p.note("control " + target + " " + op.ID); deliver != nil {
		_, err := deliver(ctx, target, []store.InboxEntry{op})
		return err
	}
	return p.apply(ctx, target, op.ID)
}

// Build implements relay.Births.
func (p *process) Build(_ context.Context, b relay.Birth) (store.Creation, error) {
	p.mu.Lock()
	child := p.child
	p.mu.Unlock()
	if child != nil {
		return child(b)
	}
	return newborn(b), nil
}

func newborn(b relay.Birth) store.Creation {
	c := creation(b.ChildID)
	c.DefinitionID, c.StartID = b.DefinitionID, b.ChildID+":start:1"
	return c
}

// finished is a child that ends in its first step.
func finished(b relay.Birth) store.Creation {
	c := newborn(b)
	c.Status, c.Ended = store.Done, true
	c.Emits = []store.Emit{report(b.ChildID, b.ParentID)}
	return c
}

// Born implements relay.Births.
func (p *process) Born(c store.Creation) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.born = append(p.born, c.ID)
}

// Report implements relay.Births.
func (p *process) Report(b relay.Birth, reason string, cause error) store.InboxEntry {
	event := fmt.Appendf(nil, `{"name":"$finished","data":{"child":%q,"status":"FAILED","error":%q}}`, b.ChildID, reason)
	return store.InboxEntry{ID: b.ChildID + ":finished", Event: event}
}

func (p *process) note(call string) delivery {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.calls = append(p.calls, call)
	return p.deliver
}

// noted returns the calls so far.
func (p *process) noted() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.calls)
}

// mortal is a handle of the store that can die: from then on every call is ErrClosed.
// It counts commands, a batch as one for each of its items, so that a process can be
// killed right after any of them.
type mortal struct {
	*memstore.Store
	left atomic.Int64
	used atomic.Int64
	once sync.Once
	died chan struct{}
	down atomic.Bool // the server does not answer, for a while
}

func (m *mortal) die() { m.once.Do(func() { close(m.died) }) }

// do carries out one command.
func (m *mortal) do(f func() error) error {
	select {
	case <-m.died:
		return store.ErrClosed
	default:
	}
	if m.down.Load() {
		return store.ErrUnavailable
	}
	left := m.left.Add(-1)
	if left < 0 {
		m.die()
		return store.ErrClosed
	}
	m.used.Add(1)
	err := f()
	if left == 0 {
		m.die()
		return store.ErrClosed // the reply reaches nobody
	}
	return err
}

func (m *mortal) Create(ctx context.Context, c store.Creation) error {
	return m.do(func() error { return m.Store.Create(ctx, c) })
}

func (m *mortal) Commit(ctx context.Context, c store.Commit) error {
	return m.do(func() error { return m.Store.Commit(ctx, c) })
}

func (m *mortal) LoadForEvent(ctx context.Context, id string, events []string, n int) (l store.Loaded, err error) {
	err = m.do(func() error { l, err = m.Store.LoadForEvent(ctx, id, events, n); return err })
	return l, err
}

func (m *mortal) Push(ctx context.Context, push store.Push) (pushed store.Pushed, err error) {
	err = m.do(func() error { pushed, err = m.Store.Push(ctx, push); return err })
	return pushed, err
}

func (m *mortal) PushBatch(ctx context.Context, ps []store.Push) ([]store.Pushed, []error) {
	pushed, errs := make([]store.Pushed, len(ps)), make([]error, len(ps))
	for i, push := range ps {
		pushed[i], errs[i] = m.Push(ctx, push)
	}
	return pushed, errs
}

func (m *mortal) CreateBatch(ctx context.Context, cs []store.Creation) []error {
	errs := make([]error, len(cs))
	for i, c := range cs {
		errs[i] = m.Create(ctx, c)
	}
	return errs
}

func (m *mortal) AckOutbox(ctx context.Context, acks []store.Ack) error {
	for _, a := range acks {
		if err := m.do(func() error { return m.Store.AckOutbox(ctx, []store.Ack{a}) }); err != nil {
			return err
		}
	}
	return nil
}

func (m *mortal) AckSpawns(ctx context.Context, acks []store.Ack) error {
	for _, a := range acks {
		if err := m.do(func() error { return m.Store.AckSpawns(ctx, []store.Ack{a}) }); err != nil {
			return err
		}
	}
	return nil
}

func (m *mortal) RetryOutbox(ctx context.Context, r store.Retry) error {
	return m.do(func() error { return m.Store.RetryOutbox(ctx, r) })
}

func (m *mortal) RetrySpawn(ctx context.Context, r store.Retry) error {
	return m.do(func() error { return m.Store.RetrySpawn(ctx, r) })
}

func (m *mortal) PutDeadLetters(ctx context.Context, ls []store.DeadLetter) error {
	return m.do(func() error { return m.Store.PutDeadLetters(ctx, ls) })
}

func (m *mortal) PollOutbox(ctx context.Context, q store.PollQuery) (page []store.Outgoing, err error) {
	return m.poll(ctx, q, m.Store.PollOutbox)
}

func (m *mortal) PollSpawns(ctx context.Context, q store.PollQuery) (page []store.Outgoing, err error) {
	return m.poll(ctx, q, m.Store.PollSpawns)
}

// poll is not counted: nothing is changed by it, so dying after it is dying before the
// next command.
func (m *mortal) poll(ctx context.Context, q store.PollQuery, f func(context.Context, store.PollQuery) ([]store.Outgoing, error)) ([]store.Outgoing, error) {
	select {
	case <-m.died:
		return nil, store.ErrClosed
	default:
	}
	if m.down.Load() {
		return nil, store.ErrUnavailable
	}
	return f(ctx, q)
}
