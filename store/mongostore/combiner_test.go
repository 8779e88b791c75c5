package mongostore

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/durachart/durachart/store"
)

var noon = time.Date(2030, 1, 2, 12, 0, 0, 0, time.UTC)

// server is what a combiner sends to in these tests: it takes a second for each
// command and keeps what it was sent.
type server struct {
	mu       sync.Mutex
	commands [][]string
	busy     int
	most     int // commands at once
	answer   func(key string) error
	combiner *combiner[string]
}

func newServer(slots, statements int) *server {
	sv := new(server)
	s := &Store{lim: store.Limits{Slots: slots, Statements: statements, BatchBytes: 100}.WithDefaults()}
	sv.combiner = newCombiner(s, sv.send)
	return sv
}

func (sv *server) send(_ context.Context, batch []*call[string], release func()) {
	sv.mu.Lock()
	var keys []string
	for _, one := range batch {
		keys = append(keys, *one.write)
	}
	sv.commands = append(sv.commands, keys)
	sv.busy++
	sv.most = max(sv.most, sv.busy)
	sv.mu.Unlock()
	time.Sleep(time.Second)
	sv.mu.Lock()
	sv.busy--
	sv.mu.Unlock()
	release()
	for _, one := range batch {
		var err error
		if sv.answer != nil {
			err = sv.answer(one.key)
		}
		sv.combiner.finish(one, err)
	}
}

// kept is of how many documents the combiner still thinks.
func (sv *server) kept() int {
	synctest.Wait()
	sv.combiner.mu.Lock()
	defer sv.combiner.mu.Unlock()
	return len(sv.combiner.last)
}

// write is a call named text, on the document key.
func (sv *server) write(text, key string) *call[string] {
	return newCall(&text, key, 10, time.Now().Add(10*time.Second))
}

func (sv *server) do(ctx context.Context, text, key string) error {
	return sv.combiner.do(ctx, sv.write(text, key))
}

// doInOrder does writes in goroutines, each handed in before the next.
func (sv *server) doInOrder(keys ...string) (wait func()) {
	var wg sync.WaitGroup
	for _, key := range keys {
		wg.Go(func() { _ = sv.do(context.Background(), key, key) })
		synctest.Wait()
	}
	return wg.Wait
}

// D22: slot free: sent at once, alone. All busy: queued, and taken together.
func TestCombinerGroupsWhatQueues(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		sv := newServer(1, 3)
		start := time.Now()
		sv.doInOrder("a", "b", "c", "d", "e")()
		assert.Equal(t, [][]string{{"a"}, {"b", "c", "d"}, {"e"}}, sv.commands)
		assert.Equal(t, 3*time.Second, time.Since(start))
		assert.Equal(t, 1, sv.most)
	})
}

func TestCombinerUsesItsSlots(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		sv := newServer(2, 64)
		sv.doInOrder("a", "b", "c", "d")()
		assert.Equal(t, [][]string{{"a"}, {"b"}, {"c", "d"}}, sv.commands)
		assert.Equal(t, 2, sv.most)
	})
}

// Bounded in bytes, too; one that is larger than that goes alone.
func TestCombinerBoundsBytes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		sv := newServer(1, 64)
		sv.combiner.store.lim.BatchBytes = 25
		sv.doInOrder("a", "b", "c", "d")()
		assert.Equal(t, [][]string{{"a"}, {"b", "c"}, {"d"}}, sv.commands)
	})
}

// Never two statements of one _id in flight: the later one stands behind, and does
// not hold up the others.
func TestCombinerKeepsWritesOfOneDocumentApart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		sv := newServer(1, 64)
		var wg sync.WaitGroup
		for _, text := range []string{"x1", "x2", "y1", "x3", "z1"} {
			wg.Go(func() { _ = sv.do(context.Background(), text, text[:1]) })
			synctest.Wait()
		}
		wg.Wait()
		assert.Equal(t, [][]string{{"x1"}, {"y1", "z1"}, {"x2"}, {"x3"}}, sv.commands)
		assert.Zero(t, sv.kept(), "nothing is kept of what is done")
	})
}

// BA5: a ctx that ends in the queue is ctx.Err() and certainly not sent; one that
// ends afterwards is ErrUncertain.
func TestCombinerAndACallerWhoGivesUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		sv := newServer(1, 64)
		wait := sv.doInOrder("first")
		ctx, cancel := context.WithCancel(context.Background())
		queued := make(chan error, 1)
		go func() { queued <- sv.do(ctx, "queued", "queued") }()
		synctest.Wait()
		cancel()
		err := <-queued
		require.Equal(t, context.Canceled, err)
		assert.Equal(t, store.DidNotHappen, store.OutcomeOf(err))
		wait()
		synctest.Wait()
		assert.Equal(t, [][]string{{"first"}}, sv.commands)

		ctx, cancel = context.WithCancel(context.Background())
		late := make(chan error, 1)
		wait = sv.doInOrder("second")
		go func() { late <- sv.do(ctx, "late", "late") }()
		synctest.Wait()
		time.Sleep(1500 * time.Millisecond) // it is on its way
		cancel()
		err = <-late
		require.ErrorIs(t, err, store.ErrUncertain)
		require.ErrorIs(t, err, context.Canceled)
		wait()
		time.Sleep(time.Second)
		assert.Zero(t, sv.kept())
	})
}

// Without a deadline the operation timeout ends the wait.
func TestCombinerHasATimeoutOfItsOwn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		sv := newServer(1, 1)
		var keys []string
		for i := range 12 {
			keys = append(keys, fmt.Sprint("k", i))
		}
		errs := make([]error, len(keys))
		var wg sync.WaitGroup
		for i, key := range keys {
			wg.Go(func() { errs[i] = sv.do(context.Background(), key, key) })
			synctest.Wait()
			if i == 0 { // so that no timeout falls on the instant at which the slot is freed
				time.Sleep(500 * time.Millisecond)
			}
		}
		wg.Wait()
		for i, err := range errs {
			if i < 9 {
				require.NoError(t, err, i)
			}
		}
		require.ErrorIs(t, errs[11], store.ErrUnavailable)
		assert.Equal(t, store.DidNotHappen, store.OutcomeOf(errs[11]))
		time.Sleep(time.Minute) // what was on its way arrives
		assert.Zero(t, sv.kept())
	})
}

// Each caller gets its own answer, and a failure is nobody else's.
func TestCombinerAnswersEach(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		sv := newServer(1, 64)
		bad := errors.New("bad")
		sv.answer = func(key string) error {
			if key == "b" {
				return bad
			}
			return nil
		}
		calls := []*call[string]{sv.write("a", "a"), sv.write("b", "b"), sv.write("c", "c")}
		sv.combiner.submit(calls...)
		for i, want := range []error{nil, bad, nil} {
			assert.Equal(t, want, sv.combiner.wait(context.Background(), calls[i]))
		}
		assert.Equal(t, [][]string{{"a", "b", "c"}}, sv.commands, "handed in together, sent together")
	})
}
