package storetest

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"runtime"
	"slices"
	"sync"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/durachart/durachart/store"
)

// generalCases are those of a store as a whole: errors, closing, hints (D25 to D29,
// D68, D77).
var generalCases = []Case{
	{ID: "GE1", Says: "every sentinel is produced, matches bare, wrapped and by errors.As, and maps to its outcome", run: everySentinel,
		options: Options{Limits: store.Limits{InboxEntries: 1, Data: 100}}},
	{ID: "GE2", Says: "a ctx that is over before the call does no I/O; no goroutine is left; no error or log holds a planted secret or payload", run: overCtxAndSecrets,
		options: Options{Limits: store.Limits{InboxEntries: 1, OutboxEntries: 1, Data: 200}, Attributes: []string{"a"}}},
	{ID: "GE3", Says: "after Close every method is ErrClosed and dials nothing; Close twice is nil; an injected client still works (M)", run: closedStore},
	{ID: "GE4", Says: "Open waits for a server that starts 3 s later; a wrong password ends it at once; so does ctx (M)", driver: true},
	{ID: "GE5", Says: "with w=1, readPreference=secondary in the URI the wire shows majority, journal, primary (M)", driver: true},
	{ID: "GE6", Says: "Ready names each missing Required index; each missing Speed index is one warning; a bare TTL is refused; 8 EnsureIndexes at once succeed (M)", driver: true},
	{ID: "GE7", Says: "Watch hints a push and a waking commit, no other; a killed stream is rebuilt; standalone is ErrUnsupported (M)", run: watchHints, needs: needWatch},
}

func everySentinel(e *env) {
	e.create("x")
	e.create("ended")
	e.step("ended", ending)
	e.push("x", "fills")
	e.acquire("other", longTTL, 1)
	produced := map[error]error{
		store.ErrInvalidArgument: e.Commit(e.ctx, commit("x", 1)),
		store.ErrNotFound:        second1(e.Load(e.ctx, "unknown")),
		store.ErrExists:          e.Create(e.ctx, creation("x")),
		store.ErrEnded:           second1(e.Push(e.ctx, push("ended", "late"))),
		store.ErrConflict:        e.Commit(e.ctx, commit("x", 9, "h")),
		store.ErrBackpressure:    second1(e.Push(e.ctx, push("x", "more"))),
		store.ErrTooLarge:        e.Create(e.ctx, creation("y", func(c *store.Creation) { c.Data = jsonOf(101) })),
		store.ErrLeaseLost:       second1(e.RenewShards(e.ctx, "me", []int{1}, longTTL)),
	}
	if e.MakeNewer != nil {
		e.MakeNewer(e.TB, "ended")
		produced[store.ErrUnsupported] = second1(e.Load(e.ctx, "ended"))
	}
	if e.Attach != nil {
		other := e.options
		other.Shards = 8
		produced[store.ErrMisconfigured] = second1(e.another(other).Ready(e.ctx))
		closed := e.another(e.options)
		require.NoError(e, closed.Close(e.ctx))
		produced[store.ErrClosed] = second1(closed.Load(e.ctx, "x"))
	}
	// ErrUncertain and ErrUnavailable need a server that fails: they are the drivers'.
	for sentinel, err := range produced {
		require.ErrorIs(e, err, sentinel)
		require.ErrorIs(e, fmt.Errorf("wrapped: %w", err), sentinel)
		assert.Equal(e, store.DidNotHappen, store.OutcomeOf(err), "%v", err)
		for other := range produced {
			if other != sentinel {
				assert.NotErrorIs(e, err, other)
			}
		}
	}
	var conflict *store.ConflictError
	require.ErrorAs(e, fmt.Errorf("wrapped: %w", produced[store.ErrConflict]), &conflict)
	assert.Equal(e, store.ConflictError{ID: "x", Expected: 9, Found: 1}, *conflict)
	var exists *store.ExistsError
	require.ErrorAs(e, fmt.Errorf("wrapped: %w", produced[store.ErrExists]), &exists)
	assert.True(e, exists.SameStart)
	assert.ErrorContains(e, produced[store.ErrNotFound], "unknown", "D29: operation and id are named")
}

// everyMethod is one valid call of each method, by name.
func everyMethod(ctx context.Context, s store.Store) map[string]func() error {
	q := store.PollQuery{Shards: []int{1}, Until: base}
	retry := store.Retry{ID: "x", Seq: 1, Attempts: 1, At: base}
	acks := []store.Ack{{ID: "x", Seqs: []int64{1}}}
	letter := store.DeadLetter{Kind: store.LetterOutbox, ExecutionID: "x", At: base}
	methods := map[string]func() error{
		"Ready":            func() error { return second1(s.Ready(ctx)) },
		"Create":           func() error { return s.Create(ctx, creation("new")) },
		"Load":             func() error { return second1(s.Load(ctx, "x")) },
		"LoadForEvent":     func() error { return second1(s.LoadForEvent(ctx, "x", []string{"e"}, 1)) },
		"Commit":           func() error { return s.Commit(ctx, commit("x", 1, "h")) },
		"IsProcessed":      func() error { return second1(s.IsProcessed(ctx, "x", "e")) },
		"Purge":            func() error { return second1(s.Purge(ctx, base, 1)) },
		"Push":             func() error { return second1(s.Push(ctx, push("x", "e"))) },
		"ReadInbox":        func() error { return second1(s.ReadInbox(ctx, "x", 1)) },
		"PollInbox":        func() error { return second1(s.PollInbox(ctx, q)) },
		"DeferInbox":       func() error { return s.DeferInbox(ctx, "x", 1, base) },
		"DropInbox":        func() error { return s.DropInbox(ctx, "x", []string{"e"}) },
		"CountTry":         func() error { return s.CountTry(ctx, "x", "e", 1) },
		"PollOutbox":       func() error { return second1(s.PollOutbox(ctx, q)) },
		"PendingOutbox":    func() error { return second1(s.PendingOutbox(ctx, "x", 1)) },
		"AckOutbox":        func() error { return s.AckOutbox(ctx, acks) },
		"RetryOutbox":      func() error { return s.RetryOutbox(ctx, retry) },
		"PollSpawns":       func() error { return second1(s.PollSpawns(ctx, q)) },
		"PendingSpawns":    func() error { return second1(s.PendingSpawns(ctx, "x", 1)) },
		"AckSpawns":        func() error { return s.AckSpawns(ctx, acks) },
		"RetrySpawn":       func() error { return s.RetrySpawn(ctx, retry) },
		"DueTimers":        func() error { return second1(s.DueTimers(ctx, q)) },
		"DeleteTimer":      func() error { return second1(s.DeleteTimer(ctx, "x", "t", base)) },
		"AppendTrace":      func() error { return s.AppendTrace(ctx, "x", traceStep("t")) },
		"ReadTrace":        func() error { return second1(s.ReadTrace(ctx, "x")) },
		"List":             func() error { return second1(s.List(ctx, store.Filter{}, store.Page{Limit: 1})) },
		"Count":            func() error { return second1(s.Count(ctx, store.Filter{}, 1)) },
		"Announce":         func() error { return s.Announce(ctx, store.Worker{Owner: "o", StartedAt: base}, longTTL) },
		"Survey":           func() error { return second1(s.Survey(ctx)) },
		"AcquireShards":    func() error { return second1(s.AcquireShards(ctx, "o", []int{1}, longTTL)) },
		"RenewShards":      func() error { return second1(s.RenewShards(ctx, "o", nil, longTTL)) },
		"ReleaseShards":    func() error { return s.ReleaseShards(ctx, "o", nil) },
		"PutDeadLetters":   func() error { return s.PutDeadLetters(ctx, []store.DeadLetter{letter}) },
		"GetDeadLetter":    func() error { return second1(s.GetDeadLetter(ctx, store.DeadLetterID(store.LetterOutbox, "x", "0"))) },
		"ListDeadLetters":  func() error { return second1(s.ListDeadLetters(ctx, store.DeadLetterFilter{}, store.Page{Limit: 1})) },
		"RemoveDeadLetter": func() error { return second1(s.RemoveDeadLetter(ctx, "outbox|1:x|0", "p")) },
		"NextBlock":        func() error { return second1(s.NextBlock(ctx, "n", 1)) },
	}
	if b, ok := s.(store.BulkCommitter); ok {
		maps.Copy(methods, map[string]func() error{
			"CommitBatch": func() error { return errors.Join(b.CommitBatch(ctx, []store.Commit{commit("x", 1, "h")})...) },
			"CreateBatch": func() error { return errors.Join(b.CreateBatch(ctx, []store.Creation{creation("new")})...) },
			"PushBatch": func() error {
				_, errs := b.PushBatch(ctx, []store.Push{push("x", "e")})
				return errors.Join(errs...)
			},
			"LoadBatch": func() error {
				_, errs := b.LoadBatch(ctx, []string{"x"}, 1)
				return errors.Join(errs...)
			},
		})
	}
	return methods
}

func overCtxAndSecrets(e *env) {
	e.create("x")
	before := e.parts("x")
	over, cancel := context.WithCancel(e.ctx)
	cancel()
	sent := e.sent()
	for name, call := range everyMethod(over, e.Store) {
		require.ErrorIs(e, call(), context.Canceled, name)
	}
	expired, cancel := context.WithDeadline(e.ctx, time.Now().Add(-time.Hour))
	defer cancel()
	require.ErrorIs(e, e.Commit(expired, commit("x", 1, "h")), context.DeadlineExceeded)
	assert.Equal(e, sent, e.sent(), "no command")
	assert.Equal(e, before, e.parts("x"))

	// Every error that can be had while payloads hold a secret. Goroutines are watched
	// by the TestMain of the driver (goleak).
	const secret = "hunter2-secret"
	text := []byte(`{"password":"` + secret + `"}`)
	secretly := func(c *store.Commit) {
		c.Data, c.Attrs, c.Outcome = text, map[string]store.Attr{"a": secret}, secret
		c.Emits = []store.Emit{{ID: "o", TargetID: secret, Event: text}}
		c.Spawns = []store.Spawn{spawn(secret)}
		c.Spawns[0].Context = text
		c.Trace = []store.TraceStep{{At: base, Step: text}}
		c.Timers = map[string]time.Time{secret: base}
	}
	broken := func(spoil func(c *store.Commit)) error {
		c := commit("x", e.version("x"), fmt.Sprint("h", e.version("x")))
		secretly(&c)
		spoil(&c)
		return e.Commit(e.ctx, c)
	}
	require.NoError(e, broken(func(*store.Commit) {}))
	pushOf := func(event []byte) error {
		_, err := e.Push(e.ctx, store.Push{ID: "x", Now: base, Entries: []store.InboxEntry{{ID: "in" + fmt.Sprint(len(event)), From: secret, Event: event}}})
		return err
	}
	require.NoError(e, pushOf(text))
	for _, err := range []error{
		broken(func(*store.Commit) {}), // outbox full
		broken(func(c *store.Commit) { c.Version = 1 }),
		broken(func(c *store.Commit) { c.ID = "unknown" }),
		broken(func(c *store.Commit) { c.Data = append(text, secret...) }),
		broken(func(c *store.Commit) { c.Data = slices.Repeat(text, 10) }),
		broken(func(c *store.Commit) { c.Attrs["a"] = []string{secret} }),
		broken(func(c *store.Commit) { c.Attrs = map[string]store.Attr{secret: 1} }),
		broken(func(c *store.Commit) { c.Timers[secret] = time.Time{} }),
		broken(func(c *store.Commit) { c.Emits[0].Kind = secret }),
		broken(func(c *store.Commit) { c.Status = secret }),
		pushOf(append(text, ' ')),
		pushOf([]byte(secret)),
		second1(e.List(e.ctx, store.Filter{Attrs: map[string]store.Attr{"a": []byte(secret)}}, store.Page{Limit: 1})),
		second1(e.List(e.ctx, store.Filter{}, store.Page{Limit: 1, Cursor: secret})),
	} {
		require.Error(e, err)
		assert.NotContains(e, err.Error(), secret)
		assert.LessOrEqual(e, len([]rune(err.Error())), 500)
	}
}

func closedStore(e *env) {
	e.create("x")
	s := e.Store
	handle := s
	if e.Attach != nil {
		handle = e.another(e.options)
	}
	// Callers that are under way get their answer or ErrClosed, and nobody hangs.
	var calls sync.WaitGroup
	for i := range 8 {
		calls.Go(func() {
			for n := 0; ; n++ {
				_, err := handle.Push(e.ctx, push("x", fmt.Sprintf("%d/%d", i, n)))
				if errors.Is(err, store.ErrClosed) {
					return
				}
				if err != nil && !errors.Is(err, store.ErrBackpressure) {
					assert.NoError(e, err)
					return
				}
			}
		})
	}
	runtime.Gosched()
	require.NoError(e, handle.Close(e.ctx))
	calls.Wait()
	require.NoError(e, handle.Close(e.ctx), "twice is nil")
	for name, call := range everyMethod(e.ctx, handle) {
		require.ErrorIs(e, call(), store.ErrClosed, name)
	}
	if w, ok := handle.(store.Watcher); ok {
		require.ErrorIs(e, w.Watch(e.ctx, func(string) {}), store.ErrClosed)
	}
	if handle != s {
		e.load("x") // another handle goes on
		require.NoError(e, s.Close(e.ctx))
	}
	sent := e.sent()
	require.ErrorIs(e, s.Commit(e.ctx, commit("x", 1, "h")), store.ErrClosed)
	assert.Equal(e, sent, e.sent(), "nothing is sent")
}

func watchHints(e *env) {
	for _, id := range []string{"pushed", "woken", "quiet", "last"} {
		e.create(id)
	}
	ctx, cancel := context.WithCancel(e.ctx)
	hints, ended := make(chan string, 100), make(chan error, 1)
	go func() { ended <- e.Store.(store.Watcher).Watch(ctx, func(id string) { hints <- id }) }()
	defer cancel()

	// A stream begins at some moment: push until the first hint comes.
	n := 0
	e.eventually(20*time.Second, func() bool {
		select {
		case err := <-ended:
			if errors.Is(err, store.ErrUnsupported) {
				e.Skip("skipped: this server has no hints (D68)")
			}
			e.Fatalf("the stream ended: %v", err)
		case id := <-hints:
			return id == "pushed"
		default:
		}
		if n < 200 {
			// Each at a date of its own: a change stream shows what has changed.
			p := push("pushed", fmt.Sprint(n))
			p.Now = base.Add(time.Duration(n) * time.Millisecond)
			_, err := e.Push(e.ctx, p)
			require.NoError(e, err)
			n++
		}
		return false
	}, "a hint of a push")
	for len(hints) > 0 {
		<-hints
	}
	e.step("quiet") // wakes nobody
	e.step("woken", func(c *store.Commit) { c.Wake = true })
	require.NoError(e, e.DropInbox(e.ctx, "quiet", []string{"x"}))
	e.create("made")
	want := map[string]bool{"woken": true, "made": true}
	for len(want) > 0 {
		select {
		case id := <-hints:
			assert.NotEqual(e, "quiet", id)
			delete(want, id)
		case <-time.After(20 * time.Second):
			require.Empty(e, want, "hints that did not come")
		}
	}
	cancel()
	require.NoError(e, <-ended, "nil when ctx ends")
}
