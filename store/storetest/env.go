package storetest

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/durachart/durachart/store"
)

// base is the date of the stories: everything happens around it.
var base = time.Date(2030, 1, 2, 3, 4, 5, 678_000_000, time.UTC)

// env is what a case works with: a fresh store, and words to tell its story in.
type env struct {
	testing.TB
	Fixture
	store.Store
	ctx     context.Context
	open    Open
	options Options
	limits  store.Limits // of the store, with defaults
}

func newEnv(tb testing.TB, open Open, o Options) *env {
	tb.Helper()
	f := open(tb, o)
	require.NotNil(tb, f.Store, "the harness opens a store")
	e := &env{TB: tb, Fixture: f, Store: f.Store, ctx: tb.Context(), open: open, options: o, limits: o.Limits.WithDefaults()}
	_, err := e.Ready(e.ctx)
	require.NoError(tb, err)
	return e
}

// another opens another handle on the same data.
func (e *env) another(o Options) store.Store {
	e.Helper()
	return e.Attach(e.TB, o)
}

// snapshot is a running state without anything special.
func snapshot() store.Snapshot {
	return store.Snapshot{DefinitionVersion: "v1", Status: store.Running, Data: []byte(`{"n":1}`), EnteredAt: base, Leaves: []string{"A"}}
}

// creation is an execution whose first step is done.
func creation(id string, with ...func(*store.Creation)) store.Creation {
	c := store.Creation{
		Snapshot: snapshot(), ID: id, DefinitionID: "order", RequestID: "request:" + id, StartID: "start:" + id, Now: base,
	}
	for _, w := range with {
		w(&c)
	}
	return c
}

// childOf makes a creation the child of parent, which is a root.
func childOf(parent string, spawnSeq int64) func(*store.Creation) {
	return func(c *store.Creation) { c.ParentID, c.RootID, c.SpawnSeq = parent, parent, spawnSeq }
}

// create creates executions and expects success.
func (e *env) create(id string, with ...func(*store.Creation)) {
	e.Helper()
	require.NoError(e, e.Create(e.ctx, creation(id, with...)))
}

// commit is a step from version that handles ids.
func commit(id string, version int64, handled ...string) store.Commit {
	return store.Commit{Snapshot: snapshot(), ID: id, Version: version, Handled: handled, Now: base.Add(time.Minute)}
}

// step commits the next step of id, which handles one fresh id unless with says
// otherwise, and expects success.
func (e *env) step(id string, with ...func(*store.Commit)) store.Commit {
	e.Helper()
	version := e.version(id)
	c := commit(id, version, fmt.Sprintf("%s/%d", id, version))
	for _, w := range with {
		w(&c)
	}
	require.NoError(e, e.Commit(e.ctx, c))
	return c
}

// The parts of a step.
func handling(ids ...string) func(*store.Commit) {
	return func(c *store.Commit) { c.Handled = ids }
}

func emitting(emits ...store.Emit) func(*store.Commit) {
	return func(c *store.Commit) { c.Emits = emits }
}

func spawning(spawns ...store.Spawn) func(*store.Commit) {
	return func(c *store.Commit) { c.Spawns = spawns }
}

func arming(timers map[string]time.Time) func(*store.Commit) {
	return func(c *store.Commit) { c.Timers = timers }
}

func tracing(steps ...store.TraceStep) func(*store.Commit) {
	return func(c *store.Commit) { c.Trace = steps }
}

func at(now time.Time) func(*store.Commit) { return func(c *store.Commit) { c.Now = now } }

// ending ends the execution.
func ending(c *store.Commit) { c.Status, c.Ended, c.Outcome = store.Done, true, "ok" }

// suspended holds the execution.
func suspended(c *store.Commit) { c.Status = store.Suspended }

func (e *env) load(id string) store.Execution {
	e.Helper()
	x, err := e.Load(e.ctx, id)
	require.NoError(e, err)
	return x
}

func (e *env) version(id string) int64 {
	e.Helper()
	return e.load(id).Version
}

// loaded is LoadForEvent with the whole inbox.
func (e *env) loaded(id string, eventIDs ...string) store.Loaded {
	e.Helper()
	l, err := e.LoadForEvent(e.ctx, id, eventIDs, 10_000)
	require.NoError(e, err)
	return l
}

// entry is an inbox entry.
func entry(id string) store.InboxEntry {
	return store.InboxEntry{ID: id, From: "sender of " + id, Event: []byte(`{"type":"` + id + `"}`)}
}

func entries(ids ...string) []store.InboxEntry {
	all := make([]store.InboxEntry, len(ids))
	for i, id := range ids {
		all[i] = entry(id)
	}
	return all
}

func push(id string, eventIDs ...string) store.Push {
	return store.Push{ID: id, Entries: entries(eventIDs...), Now: base}
}

// push pushes events and expects all of them to be new.
func (e *env) push(id string, eventIDs ...string) {
	e.Helper()
	pushed, err := e.Push(e.ctx, push(id, eventIDs...))
	require.NoError(e, err)
	require.Equal(e, len(eventIDs), pushed.Added)
	require.Empty(e, pushed.Duplicates)
}

// inbox returns the ids that wait, in order.
func (e *env) inbox(id string) []string {
	e.Helper()
	waiting, err := e.ReadInbox(e.ctx, id, 10_000)
	require.NoError(e, err)
	ids := make([]string, len(waiting))
	for i, w := range waiting {
		ids[i] = w.ID
	}
	return ids
}

func (e *env) outbox(id string) []store.OutboxEntry {
	e.Helper()
	pending, err := e.PendingOutbox(e.ctx, id, 10_000)
	require.NoError(e, err)
	return pending
}

func (e *env) spawns(id string) []store.SpawnEntry {
	e.Helper()
	pending, err := e.PendingSpawns(e.ctx, id, 10_000)
	require.NoError(e, err)
	return pending
}

func (e *env) trace(id string) []store.TraceStep {
	e.Helper()
	steps, err := e.ReadTrace(e.ctx, id)
	require.NoError(e, err)
	return steps
}

// allShards is a poll of every shard.
func (e *env) allShards(until time.Time) store.PollQuery {
	info, err := e.Ready(e.ctx)
	require.NoError(e, err)
	q := store.PollQuery{Until: until}
	for i := range info.Shards {
		q.Shards = append(q.Shards, i)
	}
	return q
}

func shardOf(id string) int { return store.ShardOf(id, store.DefaultShards) }

// emit is an event for target.
func emit(target, id string) store.Emit {
	return store.Emit{TargetID: target, ID: id, Event: []byte(`{"type":"` + id + `"}`)}
}

func spawn(child string) store.Spawn {
	return store.Spawn{
		ChildID: child, RootPath: "Root.Path", DefinitionID: "part", DefinitionVersion: "v9", Site: store.Site{Path: "Root.Fork", Seq: 3, Index: 4},
		Context: []byte(`{"user.key":{"$set":1}}`), Event: []byte(`{"type":"$start"}`),
	}
}

func seqs(entries []store.OutboxEntry) []int64 {
	var all []int64
	for _, x := range entries {
		all = append(all, x.Seq)
	}
	return all
}

func eventIDs(entries []store.OutboxEntry) []string {
	var all []string
	for _, x := range entries {
		all = append(all, x.ID)
	}
	return all
}

// race runs f n times at once and returns the errors by index.
func race(n int, f func(i int) error) []error {
	errs := make([]error, n)
	start := make(chan struct{})
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			<-start
			errs[i] = f(i)
		})
	}
	close(start)
	wg.Wait()
	return errs
}

// successes returns the indexes without an error.
func successes(errs []error) []int {
	var won []int
	for i, err := range errs {
		if err == nil {
			won = append(won, i)
		}
	}
	return won
}

// conflict returns the details of a conflict.
func (e *env) conflict(err error) *store.ConflictError {
	e.Helper()
	require.ErrorIs(e, err, store.ErrConflict)
	var c *store.ConflictError
	require.ErrorAs(e, err, &c)
	return c
}

// untilRoom repeats a write while it meets a full array, giving others a chance.
func untilRoom(write func() error) error {
	for {
		err := write()
		if !errors.Is(err, store.ErrBackpressure) {
			return err
		}
		runtime.Gosched()
	}
}

// elapse lets d pass on the server's clock.
func (e *env) elapse(d time.Duration) {
	e.Helper()
	if e.Elapse != nil {
		e.Elapse(d)
		return
	}
	due := e.survey().ServerNow.Add(d)
	e.eventually(d+10*time.Second, func() bool { return !e.survey().ServerNow.Before(due) }, "the server's clock goes on")
}

// eventually polls a condition until it holds or the time is over. It is the only
// place where a case waits.
func (e *env) eventually(patience time.Duration, condition func() bool, what string) {
	e.Helper()
	over := time.NewTimer(patience)
	defer over.Stop()
	next := time.NewTicker(10 * time.Millisecond)
	defer next.Stop()
	for !condition() {
		select {
		case <-over.C:
			e.Fatalf("did not come: %s", what)
		case <-next.C:
		}
	}
}

// listedBy returns the executions that are in a leaf.
func (e *env) listedBy(leaf string) []string {
	e.Helper()
	page, err := e.List(e.ctx, store.Filter{Leaf: leaf}, store.Page{Limit: 100})
	require.NoError(e, err)
	var ids []string
	for _, x := range page.Items {
		ids = append(ids, x.ID)
	}
	return ids
}

// sent counts the commands so far, where the harness can.
func (e *env) sent() int {
	if e.Commands == nil {
		return 0
	}
	return e.Commands()
}

// drain acknowledges everything that waits.
func (e *env) drain(id string) {
	e.Helper()
	require.NoError(e, e.AckOutbox(e.ctx, []store.Ack{{ID: id, Seqs: seqs(e.outbox(id))}}))
	var spawned []int64
	for _, s := range e.spawns(id) {
		spawned = append(spawned, s.Seq)
	}
	require.NoError(e, e.AckSpawns(e.ctx, []store.Ack{{ID: id, Seqs: spawned}}))
}
