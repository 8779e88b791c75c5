package mongostore_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo/options"

	"github.com/durachart/durachart/internal/mongotest"
	"github.com/durachart/durachart/internal/mongotest/proxy"
	"github.com/durachart/durachart/store"
	"github.com/durachart/durachart/store/mongostore"
)

// faultRig is a store whose messages go through a proxy, and one that goes to the
// server directly and sees what was done.
type faultRig struct {
	*rig
	proxy *proxy.Proxy
	s     *mongostore.Store // behind the proxy
	plain *mongostore.Store
}

func newFaultRig(tb testing.TB) *faultRig {
	tb.Helper()
	r := &faultRig{rig: newRig(tb), proxy: proxy.Start(tb, mongotest.URI(tb))}
	r.plain = r.store(tb, mongostore.Options{})
	_, err := r.plain.Ready(tb.Context())
	require.NoError(tb, err)
	r.s = r.behind(tb, mongostore.Options{})
	return r
}

// behind opens a store behind the proxy.
func (r *faultRig) behind(tb testing.TB, o mongostore.Options) *mongostore.Store {
	tb.Helper()
	o.Database = r.database
	s, err := mongostore.Open(tb.Context(), r.proxy.URI(), o)
	require.NoError(tb, err)
	tb.Cleanup(func() { require.NoError(tb, s.Close(context.Background())) })
	_, err = s.Ready(tb.Context())
	require.NoError(tb, err)
	return s
}

// write is one kind of write, with what it leaves behind when it happened once.
type write struct {
	command, collection string
	prepare             func(tb testing.TB, r *faultRig)
	do                  func(ctx context.Context, s *mongostore.Store) error
	// once fails unless the write was applied exactly once.
	once func(tb testing.TB, r *faultRig)
}

func writes() map[string]write {
	lease := 5 * time.Second
	return map[string]write{
		"create": {
			command: "insert", collection: "executions",
			do: func(ctx context.Context, s *mongostore.Store) error { return s.Create(ctx, creation("x")) },
			once: func(tb testing.TB, r *faultRig) {
				assert.EqualValues(tb, 1, r.load(tb, "x").Version)
			},
		},
		"commit": {
			command: "update", collection: "executions", prepare: created("x"),
			do: func(ctx context.Context, s *mongostore.Store) error {
				c := commit("x", 1, "e1")
				c.Emits = []store.Emit{{TargetID: "y", ID: "m1", Event: []byte(`{}`)}}
				return s.Commit(ctx, c)
			},
			once: func(tb testing.TB, r *faultRig) {
				assert.EqualValues(tb, 2, r.load(tb, "x").Version)
				out, err := r.plain.PendingOutbox(tb.Context(), "x", 0)
				require.NoError(tb, err)
				assert.Len(tb, out, 1)
			},
		},
		"push": {
			command: "update", collection: "executions", prepare: created("x"),
			do: func(ctx context.Context, s *mongostore.Store) error {
				pushed, err := s.Push(ctx, push("x", "e1", "e2"))
				if err == nil && pushed.Added != 2 {
					return fmt.Errorf("added %d", pushed.Added)
				}
				return err
			},
			once: func(tb testing.TB, r *faultRig) {
				waiting, err := r.plain.ReadInbox(tb.Context(), "x", 0)
				require.NoError(tb, err)
				assert.Len(tb, waiting, 2)
			},
		},
		"ack": {
			command: "update", collection: "executions", prepare: emitted("x"),
			do: func(ctx context.Context, s *mongostore.Store) error {
				return s.AckOutbox(ctx, []store.Ack{{ID: "x", Seqs: []int64{store.Seq(1, 0)}}})
			},
			once: func(tb testing.TB, r *faultRig) {
				out, err := r.plain.PendingOutbox(tb.Context(), "x", 0)
				require.NoError(tb, err)
				assert.Len(tb, out, 1)
			},
		},
		"retry mark": {
			command: "update", collection: "executions", prepare: emitted("x"),
			do: func(ctx context.Context, s *mongostore.Store) error {
				return s.RetryOutbox(ctx, store.Retry{ID: "x", TargetID: "y", Seq: store.Seq(1, 0), Attempts: 1, LastError: "no", At: noon.Add(time.Hour)})
			},
			once: func(tb testing.TB, r *faultRig) {
				out, err := r.plain.PendingOutbox(tb.Context(), "x", 0)
				require.NoError(tb, err)
				assert.Equal(tb, 1, out[0].Attempts)
			},
		},
		"dead letter": {
			command: "update", collection: "dead_letters",
			do: func(ctx context.Context, s *mongostore.Store) error {
				return s.PutDeadLetters(ctx, []store.DeadLetter{{Kind: store.LetterInbox, ExecutionID: "x", EventID: "e", At: noon}})
			},
			once: func(tb testing.TB, r *faultRig) {
				page, err := r.plain.ListDeadLetters(tb.Context(), store.DeadLetterFilter{}, store.Page{Limit: 10})
				require.NoError(tb, err)
				assert.Len(tb, page.Items, 1)
			},
		},
		"acquire": {
			command: "update", collection: "shards",
			do: func(ctx context.Context, s *mongostore.Store) error {
				// What a lost command did not take is taken with the next pass.
				for {
					held, err := s.AcquireShards(ctx, "me", []int{1, 2}, lease)
					if err != nil || len(held.Held) == 2 {
						return err
					}
				}
			},
			once: func(tb testing.TB, r *faultRig) {
				held := r.held(tb, "me")
				require.Len(tb, held, 2)
				assert.EqualValues(tb, 1, held[0].Fence)
			},
		},
		"renew": {
			command: "update", collection: "shards",
			prepare: func(tb testing.TB, r *faultRig) {
				_, err := r.plain.AcquireShards(tb.Context(), "me", []int{1}, lease)
				require.NoError(tb, err)
			},
			do: func(ctx context.Context, s *mongostore.Store) error {
				_, err := s.RenewShards(ctx, "me", []int{1}, time.Hour)
				return err
			},
			once: func(tb testing.TB, r *faultRig) {
				held := r.held(tb, "me")
				require.Len(tb, held, 1)
				assert.Greater(tb, time.Until(held[0].Until), 50*time.Minute)
				assert.EqualValues(tb, 1, held[0].Fence)
			},
		},
		"timer": {
			command: "update", collection: "executions",
			prepare: func(tb testing.TB, r *faultRig) {
				c := creation("x")
				c.Timers = map[string]time.Time{"a": noon}
				require.NoError(tb, r.plain.Create(tb.Context(), c))
			},
			do: func(ctx context.Context, s *mongostore.Store) error {
				deleted, err := s.DeleteTimer(ctx, "x", "a", noon)
				if err == nil && !deleted {
					return errors.New("not deleted")
				}
				return err
			},
			once: func(tb testing.TB, r *faultRig) {
				x := r.load(tb, "x")
				assert.EqualValues(tb, 2, x.Version)
				assert.Empty(tb, x.Timers)
			},
		},
		"purge": {
			command: "delete", collection: "executions",
			prepare: func(tb testing.TB, r *faultRig) {
				c := creation("x")
				c.Status, c.Ended = store.Done, true
				require.NoError(tb, r.plain.Create(tb.Context(), c))
				r.set(tb, "x", bson.D{{Key: "expires_at", Value: noon}})
			},
			do: func(ctx context.Context, s *mongostore.Store) error {
				_, err := s.Purge(ctx, noon.Add(time.Hour), 10)
				return err
			},
			once: func(tb testing.TB, r *faultRig) {
				_, err := r.plain.Load(tb.Context(), "x")
				assert.ErrorIs(tb, err, store.ErrNotFound)
			},
		},
	}
}

// Section 18, faults 1, 2, 4 and 5: whatever happens to one message, each write is
// applied once and says so (D21, D26, D27, P10).
func TestWritesSurviveALostMessage(t *testing.T) {
	faults := map[string]proxy.Fault{
		"cut before the server has it":     {CutBefore: true},
		"reply dropped":                    {DropReply: true},
		"not primary":                      {Reply: proxy.CommandError(10107, "NotWritablePrimary")},
		"interrupted":                      {Reply: proxy.CommandError(11600, "InterruptedAtShutdown")},
		"an unknown code":                  {Reply: proxy.CommandError(99999, "Strange")},
		"write-concern error, but applied": {Rewrite: proxy.WriteConcernError(64)},
	}
	r := newFaultRig(t)
	for name, w := range writes() {
		for fault, f := range faults {
			t.Run(name+"/"+fault, func(t *testing.T) {
				r.wipe(t)
				if w.prepare != nil {
					w.prepare(t, r)
				}
				r.proxy.On(1, proxy.Named(w.command, w.collection), f)
				defer r.proxy.Clear()
				require.NoError(t, w.do(t.Context(), r.s))
				w.once(t, r)
			})
		}
	}
}

// NextBlock allows gaps: a lost reply costs one, and never gives a number twice.
func TestNextBlockLeavesAGap(t *testing.T) {
	r := newFaultRig(t)
	r.proxy.On(1, proxy.Named("findAndModify", ""), proxy.Fault{DropReply: true})
	first, err := r.s.NextBlock(t.Context(), "c", 10)
	require.NoError(t, err)
	assert.EqualValues(t, 11, first)
}

// D28: what an unknown acquisition took is read as it cannot be rolled back.
func TestAcquireReadsWhatIsSettled(t *testing.T) {
	r := newFaultRig(t)
	r.proxy.On(1, proxy.Named("update", "shards"), proxy.Fault{DropReply: true})
	r.proxy.Forget()
	held, err := r.s.AcquireShards(t.Context(), "me", []int{3}, 5*time.Second)
	require.NoError(t, err)
	assert.Len(t, held.Held, 1)
	reads := r.proxy.Commands("aggregate")
	require.Len(t, reads, 1)
	assert.Equal(t, r.ambiguousConcern(), reads[0].Body.Lookup("readConcern", "level").StringValue())
}

// AppendTrace is not sent again (D27): unknown is said to be unknown.
func TestAppendTraceIsNotSentAgain(t *testing.T) {
	r := newFaultRig(t)
	created("x")(t, r)
	r.proxy.On(1, proxy.Named("update", ""), proxy.Fault{DropReply: true})
	r.proxy.Forget()
	err := r.s.AppendTrace(t.Context(), "x", store.TraceStep{At: noon, Step: []byte(`{}`)})
	require.ErrorIs(t, err, store.ErrUncertain)
	assert.Len(t, r.proxy.Commands("update"), 1)
	steps, err := r.plain.ReadTrace(t.Context(), "x")
	require.NoError(t, err)
	assert.Len(t, steps, 1)
}

// D20: one commit id through all resends, and the concerns of D78 on each.
func TestResendsKeepTheCommitID(t *testing.T) {
	r := newFaultRig(t)
	created("x")(t, r)
	r.proxy.Forget()
	r.proxy.On(2, proxy.Named("update", "executions"), proxy.Fault{CutBefore: true})
	require.NoError(t, r.s.Commit(t.Context(), commit("x", 1, "e1")))
	sent := r.proxy.Commands("update")
	require.Len(t, sent, 3)
	for _, c := range sent {
		assert.Equal(t, r.load(t, "x").CommitID, c.Statements[0].Lookup("u", "$set", "commit_id").StringValue())
		assert.Equal(t, "majority", c.Body.Lookup("writeConcern", "w").StringValue())
		assert.True(t, c.Body.Lookup("writeConcern", "j").Boolean())
	}
	for _, c := range r.proxy.Commands("aggregate") {
		assert.Equal(t, r.ambiguousConcern(), c.Body.Lookup("readConcern", "level").StringValue(), "D28")
	}
}

// The last row of D21: the reply was lost, and before it was read back another one
// committed the same event on top.
func TestAnotherCommitOnTopOfALostReply(t *testing.T) {
	r := newFaultRig(t)
	created("x")(t, r)
	r.proxy.On(1, proxy.Named("update", "executions"), proxy.Fault{DropReply: true, After: func() {
		assert.NoError(t, r.plain.Commit(context.Background(), commit("x", 2, "other")))
	}})
	err := r.s.Commit(t.Context(), commit("x", 1, "e1"))
	var uncertain *store.UncertainError
	require.ErrorAs(t, err, &uncertain)
	assert.EqualValues(t, 3, uncertain.Found)
	assert.Equal(t, []string{"e1"}, uncertain.Seen)
}

// The row above it: the command was lost before the server had it, and another one
// committed meanwhile. All or nothing: it did not happen.
func TestAnotherCommitInsteadOfALostOne(t *testing.T) {
	r := newFaultRig(t)
	created("x")(t, r)
	r.proxy.On(1, proxy.Named("update", "executions"), proxy.Fault{CutBefore: true, Before: func() {
		assert.NoError(t, r.plain.Commit(context.Background(), commit("x", 1, "other")))
	}})
	err := r.s.Commit(t.Context(), commit("x", 1, "e1"))
	var conflict *store.ConflictError
	require.ErrorAs(t, err, &conflict)
	assert.EqualValues(t, 2, conflict.Found)
	assert.Empty(t, conflict.Seen)
}

// A full outbox is no answer while a lost copy may yet arrive (D21).
func TestFullAfterALostReplyIsUncertain(t *testing.T) {
	r := newFaultRig(t)
	s := r.behind(t, mongostore.Options{Limits: store.Limits{OutboxEntries: 1}})
	emitted("x")(t, r)
	full := commit("x", 1, "e1")
	full.Emits = []store.Emit{{TargetID: "y", ID: "m", Event: []byte(`{}`)}}
	require.ErrorIs(t, s.Commit(t.Context(), full), store.ErrBackpressure)

	r.proxy.On(1, proxy.Named("update", "executions"), proxy.Fault{CutBefore: true})
	ctx, cancel := context.WithTimeout(t.Context(), 500*time.Millisecond)
	defer cancel()
	require.ErrorIs(t, s.Commit(ctx, full), store.ErrUncertain)
	assert.EqualValues(t, 1, r.load(t, "x").Version)
}

// Fault 6 and 7, and BA3: a bulk of which some statements fail or are lost answers
// each caller rightly.
func TestBulkWithAFailingItem(t *testing.T) {
	r := newFaultRig(t)
	var cs []store.Commit
	for _, id := range []string{"a", "b", "c", "d"} {
		created(id)(t, r)
		cs = append(cs, commit(id, 1, "e"))
	}
	cs[1].Version = 7        // conflict
	cs[2].Handled[0] = "s:c" // seen
	r.proxy.On(1, proxy.Named("update", "executions"), proxy.Fault{DropReply: true})
	errs := r.s.CommitBatch(t.Context(), cs)
	require.NoError(t, errs[0])
	require.ErrorIs(t, errs[1], store.ErrConflict)
	require.ErrorIs(t, errs[2], store.ErrConflict)
	require.NoError(t, errs[3])
	for id, version := range map[string]int64{"a": 2, "b": 1, "c": 1, "d": 2} {
		assert.Equal(t, version, r.load(t, id).Version, id)
	}
}

// A write error with a code of ours is definite and belongs to its item (D24, D26);
// one with a code that nobody knows is not.
func TestWriteErrorsOfOneStatement(t *testing.T) {
	r := newFaultRig(t)
	created("x")(t, r)
	for code, want := range map[int]error{
		10334: store.ErrBackpressure,
		17419: store.ErrBackpressure,
		16500: store.ErrBackpressure,
		14031: store.ErrBackpressure,
		9:     store.ErrInvalidArgument,
		13:    store.ErrMisconfigured,
		112:   store.ErrUnavailable,
	} {
		r.proxy.Forget()
		r.proxy.On(1, proxy.Named("update", "executions"), proxy.Fault{Reply: proxy.WriteError(0, code)})
		err := r.s.Commit(t.Context(), commit("x", 1, "e1"))
		require.ErrorIs(t, err, want, code)
		assert.Equal(t, store.DidNotHappen, store.OutcomeOf(err))
		assert.Len(t, r.proxy.Commands("update"), 1)
	}
	r.proxy.On(1, proxy.Named("update", "executions"), proxy.Fault{Reply: proxy.WriteError(0, 99999)})
	require.NoError(t, r.s.Commit(t.Context(), commit("x", 1, "e1")), "read back, and sent again")
	assert.EqualValues(t, 2, r.load(t, "x").Version)
}

// P10: while the server is gone a write is not known to have happened, and what
// could not even be sent certainly did not.
func TestServerGone(t *testing.T) {
	r := newFaultRig(t)
	created("x")(t, r)
	r.proxy.On(1, proxy.Named("update", "executions"), proxy.Fault{DropReply: true, After: func() { r.proxy.SetDown(true) }})
	ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer cancel()
	require.ErrorIs(t, r.s.Commit(ctx, commit("x", 1, "e1")), store.ErrUncertain)

	ctx, cancel = context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer cancel()
	_, err := r.s.Load(ctx, "x")
	require.ErrorIs(t, err, store.ErrUnavailable)
	assert.ErrorIs(t, err, context.DeadlineExceeded)

	r.proxy.SetDown(false)
	require.Eventually(t, func() bool {
		_, err := r.s.Load(t.Context(), "x")
		return err == nil
	}, 10*time.Second, 20*time.Millisecond)
	assert.EqualValues(t, 2, r.load(t, "x").Version, "it was applied once, though nobody was told")
}

// D29 and section 14, trap 10: no error text holds what a server or driver says.
func TestErrorsShowNoValues(t *testing.T) {
	const secret = "s3cret"
	r := newFaultRig(t)
	refused := proxy.CommandError(9, "FailedToParse")
	refused[1].Value = "cannot parse {data: '" + secret + "'}"
	r.proxy.On(1, proxy.Named("insert", "executions"), proxy.Fault{Reply: refused})
	c := creation("x")
	c.Data = []byte(`"` + secret + `"`)
	err := r.s.Create(t.Context(), c)
	require.ErrorIs(t, err, store.ErrInvalidArgument)
	assert.NotContains(t, err.Error(), secret)
	assert.NotContains(t, fmt.Sprintf("%+v", err), secret)
}

// What the store does is independent of whether the driver sends again by itself, as
// the one of a caller's client does.
func TestDriverThatSendsAgain(t *testing.T) {
	r := newFaultRig(t)
	client := mongotest.Connect(t, options.Client().ApplyURI(r.proxy.URI()).SetRetryWrites(true))
	s, err := mongostore.New(client, mongostore.Options{Database: r.database})
	require.NoError(t, err)
	created("x")(t, r)
	r.proxy.On(3, proxy.Named("update", "executions"), proxy.Fault{DropReply: true})
	require.NoError(t, s.Commit(t.Context(), commit("x", 1, "e1")))
	assert.EqualValues(t, 2, r.load(t, "x").Version)
}
