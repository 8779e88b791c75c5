package memstore

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/durachart/durachart/store"
)

var noon = time.Date(2030, 1, 1, 12, 0, 0, 0, time.UTC)

func sample(id string) store.Creation {
	return store.Creation{
		Snapshot: store.Snapshot{DefinitionVersion: "v", Status: store.Running, Data: []byte(`{}`)}, ID: id, DefinitionID: "d", RequestID: "r", Now: noon,
	}
}

// The zero Store is ready to use.
func TestZeroStoreIsReady(t *testing.T) {
	var s Store
	require.NoError(t, s.Create(t.Context(), sample("x")))
	info, err := s.Ready(t.Context())
	require.NoError(t, err)
	assert.Equal(t, 256, info.Shards)
	assert.Equal(t, "memory", info.Kind)
	require.NoError(t, new(Store).Close(t.Context()))
}

// P11: New reports every mistake at once.
func TestNewReportsAllMistakes(t *testing.T) {
	_, err := New(Options{Shards: -1, Limits: store.Limits{Ring: 1}, Attributes: []string{"a.b"}})
	require.ErrorIs(t, err, store.ErrInvalidArgument)
	for _, field := range []string{"shards", "Ring", "attribute"} {
		assert.ErrorContains(t, err, field)
	}
}

// D75, D24: like a server, a record that would become too large is refused for the
// moment, and drains.
func TestFullRecordIsBackpressure(t *testing.T) {
	s := must(New(Options{Limits: store.Limits{Document: 64 << 10, OutboxBytes: 8 << 20, InboxBytes: 8 << 20}}))
	require.NoError(t, s.Create(t.Context(), sample("x")))
	text := []byte(`"` + strings.Repeat("x", 10<<10) + `"`)
	version := int64(1)
	step := func() error {
		c := store.Commit{Snapshot: sample("x").Snapshot, ID: "x", Version: version, Handled: []string{fmt.Sprint(version)}, Now: noon}
		c.Emits = []store.Emit{{ID: "e", Event: text}}
		return s.Commit(t.Context(), c)
	}
	for ; version < 100; version++ {
		if err := step(); err != nil {
			require.ErrorIs(t, err, store.ErrBackpressure)
			break
		}
	}
	assert.Equal(t, int64(7), version, "six of 10 KiB fit into 64 KiB")
	_, err := s.Push(t.Context(), store.Push{ID: "x", Now: noon, Entries: []store.InboxEntry{{ID: "in", Event: text}}})
	require.ErrorIs(t, err, store.ErrBackpressure)
	pending, err := s.PendingOutbox(t.Context(), "x", 1)
	require.NoError(t, err)
	require.NoError(t, s.AckOutbox(t.Context(), []store.Ack{{ID: "x", Seqs: []int64{pending[0].Seq}}}))
	require.NoError(t, step())
	l, err := s.LoadForEvent(t.Context(), "x", nil, 0)
	require.NoError(t, err)
	assert.InDelta(t, 60<<10, l.Size, 4<<10)
}

// The size that is kept up to date is the size of what is there, whatever was done.
func TestSizeFollowsContent(t *testing.T) {
	s := must(New(Options{Limits: store.Limits{TraceRing: 2}}))
	size := func() int {
		l, err := s.LoadForEvent(t.Context(), "x", nil, 0)
		require.NoError(t, err)
		return l.Size
	}
	require.NoError(t, s.Create(t.Context(), sample("x")))
	before := size()
	_, err := s.Push(t.Context(), store.Push{ID: "x", Now: noon, Entries: []store.InboxEntry{{ID: "in", Event: []byte(`1`)}, {ID: "out", Event: []byte(`1`)}}})
	require.NoError(t, err)
	c := store.Commit{Snapshot: sample("x").Snapshot, ID: "x", Version: 1, Handled: []string{"in"}, Now: noon}
	c.Emits = []store.Emit{{ID: "e", TargetID: "t", Event: []byte(`1`)}}
	c.Spawns = []store.Spawn{{ChildID: "c", DefinitionID: "d", DefinitionVersion: "v", Event: []byte(`1`)}}
	c.Timers = map[string]time.Time{"t": noon}
	require.NoError(t, s.Commit(t.Context(), c))
	seq := store.Seq(2, 0)
	for range 2 {
		require.NoError(t, s.RetryOutbox(t.Context(), store.Retry{ID: "x", TargetID: "t", Seq: seq, LastError: "boom", At: noon}))
		require.NoError(t, s.RetrySpawn(t.Context(), store.Retry{ID: "x", Seq: seq, LastError: "boom", At: noon}))
		require.NoError(t, s.AppendTrace(t.Context(), "x", store.TraceStep{At: noon, Step: []byte(`1`)}))
	}
	traced := 2 * stepSize([]byte(`1`))
	require.NoError(t, s.AppendTrace(t.Context(), "x", store.TraceStep{At: noon, Step: []byte(`1`)}))
	assert.Greater(t, size(), before)
	acks := []store.Ack{{ID: "x", Seqs: []int64{seq}}}
	require.NoError(t, s.AckOutbox(t.Context(), acks))
	require.NoError(t, s.AckSpawns(t.Context(), acks))
	require.NoError(t, s.DropInbox(t.Context(), "x", []string{"out"}))
	_, err = s.DeleteTimer(t.Context(), "x", "t", noon)
	require.NoError(t, err)
	assert.Equal(t, before+traced+textOverhead+len("in"), size(), "the trace and the handled id are left")
}

// Handles share the data and its clock; each has its own options and its own end.
func TestAttach(t *testing.T) {
	now := noon
	s := must(New(Options{Clock: func() time.Time { return now }}))
	other := must(s.Attach(Options{Attributes: []string{"a"}, Clock: time.Now}))
	require.NoError(t, s.Create(t.Context(), sample("x")))
	require.NoError(t, s.Close(t.Context()))
	_, err := other.Load(t.Context(), "x")
	require.NoError(t, err)
	info, err := other.Ready(t.Context())
	require.NoError(t, err)
	assert.Equal(t, noon, info.ServerNow)
	_, err = s.Attach(Options{Shards: -1})
	require.ErrorIs(t, err, store.ErrInvalidArgument)
}

// D68: a slow watcher loses hints and holds nobody up; the others get theirs.
func TestSlowWatcherHoldsNobodyUp(t *testing.T) {
	var s Store
	require.NoError(t, s.Create(t.Context(), sample("x")))
	ctx, cancel := context.WithCancel(t.Context())
	stuck, release, ended := make(chan struct{}), make(chan struct{}), make(chan error)
	first := true
	go func() {
		ended <- s.Watch(ctx, func(string) {
			if first {
				first = false
				close(stuck)
				<-release
			}
		})
	}()
	for n := 0; ; n++ { // until the watcher is there and stuck
		pushOne(t, &s, n)
		select {
		case <-stuck:
			for i := range 2 * hintBuffer {
				pushOne(t, &s, n+1+i)
			}
			cancel()
			close(release)
			require.NoError(t, <-ended)
			assert.Nil(t, s.data.hints.watchers.Load())
			return
		default:
		}
	}
}

func pushOne(t *testing.T, s *Store, n int) {
	t.Helper()
	id := fmt.Sprint("e", n)
	_, err := s.Push(t.Context(), store.Push{ID: "x", Now: noon, Entries: []store.InboxEntry{{ID: id, Event: []byte(`1`)}}})
	require.NoError(t, err)
	require.NoError(t, s.DropInbox(t.Context(), "x", []string{id}))
}

// Section 13: dead letters go when their retention is over, and stay without one.
func TestDeadLettersExpire(t *testing.T) {
	for retention, want := range map[time.Duration]int{0: 2, time.Hour: 1} {
		s := must(New(Options{Limits: store.Limits{DeadLetterRetention: retention}}))
		for i, at := range []time.Time{noon, noon.Add(time.Millisecond)} {
			require.NoError(t, s.PutDeadLetters(t.Context(), []store.DeadLetter{{Kind: store.LetterOutbox, ExecutionID: "x", Seq: int64(i), At: at}}))
		}
		_, err := s.Purge(t.Context(), noon.Add(time.Hour), 1)
		require.NoError(t, err)
		page, err := s.ListDeadLetters(t.Context(), store.DeadLetterFilter{}, store.Page{Limit: 10})
		require.NoError(t, err)
		assert.Len(t, page.Items, want)
	}
}

// Workers that died leave their entries behind: the next announcement forgets them.
func TestWorkersOfOldAreForgotten(t *testing.T) {
	now := clock{now: noon}
	s := must(New(Options{Clock: now.read}))
	announce := func(owner string, survive int) {
		require.NoError(t, s.Announce(t.Context(), store.Worker{Owner: owner, Name: owner, StartedAt: noon}, time.Minute))
		survey, err := s.Survey(t.Context())
		require.NoError(t, err)
		assert.Len(t, survey.Workers, survive)
	}
	announce("a", 1)
	now.elapse(store.WorkerKept + time.Minute)
	announce("b", 2)
	now.elapse(time.Millisecond)
	announce("b", 1)
}
