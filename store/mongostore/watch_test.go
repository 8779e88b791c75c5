package mongostore_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/durachart/durachart/internal/mongotest/proxy"
	"github.com/durachart/durachart/store"
	"github.com/durachart/durachart/store/mongostore"
)

// watched follows the hints of a store until the test ends.
type watched struct {
	hints chan string
	ended chan error
	n     int
}

func watch(t *testing.T, s *mongostore.Store) *watched {
	t.Helper()
	w := &watched{hints: make(chan string, 10_000), ended: make(chan error, 1)}
	ctx, cancel := context.WithCancel(context.Background())
	go func() { w.ended <- s.Watch(ctx, func(id string) { w.hints <- id }) }()
	t.Cleanup(func() {
		cancel()
		require.NoError(t, <-w.ended, "nil when ctx ends")
	})
	return w
}

// hinted pushes to an execution until there is a hint of it: a stream begins, and
// begins again, at some moment.
func (w *watched) hinted(t *testing.T, plain *mongostore.Store, id string) {
	t.Helper()
	require.NoError(t, plain.Create(t.Context(), creation(id)))
	require.Eventually(t, func() bool {
		w.n++
		p := push(id, fmt.Sprint(w.n))
		p.Now = noon.Add(time.Duration(w.n) * time.Millisecond)
		_, err := plain.Push(t.Context(), p)
		if err != nil && !errors.Is(err, store.ErrBackpressure) {
			return assert.NoError(t, err)
		}
		for {
			select {
			case hint := <-w.hints:
				if hint == id {
					return true
				}
			default:
				return false
			}
		}
	}, 30*time.Second, 20*time.Millisecond)
}

func skipStandalone(t *testing.T, r *rig) {
	t.Helper()
	if r.standalone {
		t.Skip("skipped: a standalone gives no hints (D68)")
	}
}

// D68 and trap 1: a stream outlives its waiting time, and after any error it is
// rebuilt by ourselves, at now.
func TestWatchSurvives(t *testing.T) {
	r := newFaultRig(t)
	skipStandalone(t, r.rig)
	w := watch(t, r.s)
	w.hinted(t, r.plain, "first")

	// The server says that there is nothing, some times over.
	quiet := len(r.proxy.Commands("getMore"))
	require.Eventually(t, func() bool { return len(r.proxy.Commands("getMore")) >= quiet+3 }, 30*time.Second, 50*time.Millisecond)
	opened := len(streams(r.proxy))
	w.hinted(t, r.plain, "after a pause")
	assert.Len(t, streams(r.proxy), opened, "it is the same stream")

	r.proxy.Cut()
	w.hinted(t, r.plain, "after a cut")

	r.proxy.On(1, proxy.Named("getMore", "executions"), proxy.Fault{Reply: proxy.CommandError(286, "ChangeStreamHistoryLost")})
	w.hinted(t, r.plain, "after the history was lost")
	for _, c := range streams(r.proxy) {
		stage := c.Body.Lookup("pipeline", "0", "$changeStream").Document()
		_, resumed := stage.LookupErr("startAfter")
		assert.Error(t, resumed)
	}
}

// Trap 1: a ctx whose deadline is nearer than a stream's waiting time ends the watch;
// it does not have one stream after the other killed until then.
func TestWatchWithADeadline(t *testing.T) {
	r := newFaultRig(t)
	skipStandalone(t, r.rig)
	ctx, cancel := context.WithTimeout(t.Context(), 900*time.Millisecond)
	defer cancel()
	require.NoError(t, r.s.Watch(ctx, func(string) {}))
	assert.LessOrEqual(t, len(streams(r.proxy)), 1)
}

// streams are the change streams that were opened.
func streams(p *proxy.Proxy) []*proxy.Command {
	var all []*proxy.Command
	for _, c := range p.Commands("aggregate") {
		if _, err := c.Body.LookupErr("pipeline", "0", "$changeStream"); err == nil {
			all = append(all, c)
		}
	}
	return all
}

// D81: an ability that is advertised and refused becomes ErrUnsupported by name, not
// an endless retry.
func TestWatchThatIsRefused(t *testing.T) {
	r := newFaultRig(t)
	skipStandalone(t, r.rig)
	r.proxy.On(1, proxy.Named("aggregate", "executions"), proxy.Fault{Reply: proxy.CommandError(115, "CommandNotSupported")})
	require.ErrorIs(t, r.s.Watch(t.Context(), func(string) {}), store.ErrUnsupported)
}

func TestWatchOnAStandalone(t *testing.T) {
	r := newRig(t)
	if !r.standalone {
		t.Skip("skipped: this server is no standalone")
	}
	s := r.store(t, mongostore.Options{})
	require.ErrorIs(t, s.Watch(t.Context(), func(string) {}), store.ErrUnsupported)
}
