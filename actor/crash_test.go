package actor

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/durachart/durachart/execution"
	"github.com/durachart/durachart/store"
	"github.com/durachart/durachart/store/memstore"
)

// mortal runs a runtime that dies before its n-th command: from then on its store
// does nothing any more, and whatever it has in memory is lost. n = 0 never dies.
// It returns whether it died.
func mortal(t *testing.T, data *memstore.Store, n int64, story func(r *Runtime)) bool {
	t.Helper()
	var commands atomic.Int64
	var handle *memstore.Store
	died := make(chan struct{})
	handle, err := data.Attach(memstore.Options{OnCommand: func(name, id string) {
		if id == "" && (name == "find" || name == "ready") { // polls change nothing
			return
		}
		if commands.Add(1) == n {
			close(died)
			go func() { _ = handle.Close(bg) }()
			// The command waits for Close to begin, and then meets the closed handle.
			<-time.After(time.Millisecond)
		}
	}})
	require.NoError(t, err)
	r, err := New(Config{Store: handle, Charts: defaultCharts(), Handlers: handlers(), DrainTimeout: NoDrain})
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(bg)
	defer cancel()
	ended := make(chan error, 1)
	go func() { ended <- r.Run(ctx) }()
	story(r)
	cancel()
	<-ended
	_ = handle.Close(bg)
	select {
	case <-died:
		return true
	default:
		return false
	}
}

// story is what a client does, as often as it takes, always with the same ids; and
// what must have come of it.
type story struct {
	name string
	tell func(r *Runtime)
	must func(t *testing.T, r *rig)
}

// patient is a context for what a client does before it tries elsewhere.
func patient() (context.Context, context.CancelFunc) {
	return context.WithTimeout(bg, 10*time.Second)
}

func tell(do ...func(ctx context.Context, r *Runtime) error) func(*Runtime) {
	return func(r *Runtime) {
		for _, d := range do {
			ctx, cancel := patient()
			err := d(ctx, r)
			cancel()
			if err != nil {
				return // it died; the client tries again later, from the beginning
			}
		}
		ctx, cancel := patient()
		defer cancel()
		_ = r.WaitIdle(ctx)
	}
}

func starting(id, chart string) func(context.Context, *Runtime) error {
	return func(ctx context.Context, r *Runtime) error {
		_, err := r.Start(ctx, StartRequest{ID: id, Chart: chart, RequestID: "start " + id})
		return err
	}
}

func calling(id, eventID, name string) func(context.Context, *Runtime) error {
	return func(ctx context.Context, r *Runtime) error {
		_, err := r.Call(ctx, id, Event{ID: eventID, Name: name})
		return ignore(err, ErrEnded)
	}
}

func sending(id, eventID, name string) func(context.Context, *Runtime) error {
	return func(ctx context.Context, r *Runtime) error {
		_, err := r.Send(ctx, id, Event{ID: eventID, Name: name})
		return ignore(err, ErrEnded)
	}
}

// P9: whatever a process dies with, the next one goes on, and nothing is lost,
// doubled or out of order. Each story is told with a death before each command that
// it needs, and then again by the next process.
func TestEveryDeathIsSurvived(t *testing.T) {
	stories := []story{
		{"send and call", tell(
			starting("c", "counter"), sending("c", "e1", "add"), calling("c", "e2", "add"), sending("c", "e3", "add"),
		), func(t *testing.T, r *rig) {
			assert.Equal(t, []string{"e1", "e2", "e3"}, r.seen("c"))
		}},
		{"send or start", tell(func(ctx context.Context, r *Runtime) error {
			_, err := r.SendOrStart(ctx, StartRequest{ID: "c", Chart: "counter", RequestID: "s"}, Event{ID: "e1", Name: "add"})
			return err
		}), func(t *testing.T, r *rig) {
			assert.Equal(t, []string{"e1"}, r.seen("c"))
		}},
		{"emit", tell(
			starting("listener", "counter"), starting("c", "counter"), calling("c", "e1", "tell"), calling("c", "e2", "tell"),
		), func(t *testing.T, r *rig) {
			assert.Len(t, r.seen("listener"), 2)
		}},
		{"emit to nobody", tell(starting("c", "counter"), calling("c", "e1", "tell")), func(t *testing.T, r *rig) {
			page, err := r.DeadLetters(bg, DeadLetterFilter{}, Page{})
			require.NoError(t, err)
			assert.Len(t, page.Items, 1)
		}},
		{"regions and join", tell(
			starting("f", "family"), calling("f", "e1", "left"), calling("f", "e2", "right"),
		), func(t *testing.T, r *rig) {
			e, err := r.Wait(bg, "f", nil)
			require.NoError(t, err)
			assert.Equal(t, []string{"good"}, e.Active)
			n, err := r.Count(bg, Filter{ParentID: "f"}, 0)
			require.NoError(t, err)
			assert.Equal(t, 2, n)
		}},
		{"terminate a family", tell(
			starting("f", "family"), func(ctx context.Context, r *Runtime) error {
				_, err := r.Terminate(ctx, "f", nil, OperationID("op"))
				return ignore(err, ErrEnded)
			},
		), func(t *testing.T, r *rig) {
			page, err := r.List(bg, Filter{RootID: "f"}, Page{})
			require.NoError(t, err)
			assert.Len(t, page.Items, 3)
			for _, e := range page.Items {
				assert.Equal(t, StatusCancelled, e.Status, e.ID)
			}
		}},
		{"suspend, push, resume", tell(
			starting("c", "counter"),
			func(ctx context.Context, r *Runtime) error {
				_, err := r.Suspend(ctx, "c", OperationID("suspend"))
				return ignore(err, ErrInvalidState)
			},
			calling("c", "e1", "add"), sending("c", "e2", "add"),
			func(ctx context.Context, r *Runtime) error {
				_, err := r.Resume(ctx, "c", OperationID("resume"))
				return err
			},
			calling("c", "e3", "add"),
		), func(t *testing.T, r *rig) {
			assert.Equal(t, StatusRunning, r.get("c").Status)
			assert.Equal(t, []string{"e1", "e2", "e3"}, r.seen("c"))
		}},
		{"timer", tell(starting("l", "lamp"), calling("l", "e1", "switch"), func(ctx context.Context, r *Runtime) error {
			return sleepFor(ctx, 2*time.Second)
		}), func(t *testing.T, r *rig) {
			assert.Equal(t, []string{"on"}, r.get("l").Active, "not early")
			time.Sleep(2 * time.Minute)
			r.idle()
			assert.Equal(t, []string{"off"}, r.get("l").Active)
			assert.EqualValues(t, 3, r.get("l").Revision, "once")
		}},
		{"end with leftovers", tell(starting("c", "counter"), func(ctx context.Context, r *Runtime) error {
			_, err := r.cfg.Store.Push(ctx, store.Push{ID: "c", Now: time.Now(), Entries: []store.InboxEntry{
				rawEntry("e1", "add"), rawEntry("e2", "stop"), rawEntry("e3", "add"), rawEntry("e4", "add"),
			}})
			return ignore(err, ErrEnded)
		}), func(t *testing.T, r *rig) {
			assert.Equal(t, []string{"e1"}, r.seen("c"))
			page, err := r.DeadLetters(bg, DeadLetterFilter{Reason: "ended"}, Page{})
			require.NoError(t, err)
			assert.Len(t, page.Items, 2)
		}},
		{"fail and reset", tell(
			starting("c", "counter"), calling("c", "e1", "fail"), calling("c", "e2", "add"),
			func(ctx context.Context, r *Runtime) error {
				_, err := r.Reset(ctx, "c", nil, OperationID("reset"))
				return err
			},
		), func(t *testing.T, r *rig) {
			assert.Equal(t, []string{"e2"}, r.seen("c"))
		}},
	}
	for _, s := range stories {
		t.Run(s.name, func(t *testing.T) {
			deaths := 0
			for n := int64(1); ; n++ {
				died := false
				synctest.Test(t, func(t *testing.T) {
					data := newData(t)
					died = mortal(t, data, n, s.tell)
					next := start(t, data, Config{}, nil)
					if died {
						s.tell(next.Runtime)
					}
					next.idle()
					s.must(t, next)
					next.end()
				})
				if t.Failed() {
					t.Fatalf("death before command %d", n)
				}
				if !died {
					break
				}
				deaths++
			}
			t.Logf("%d deaths survived", deaths)
			assert.Positive(t, deaths)
		})
	}
}

// Two deaths in a row, at all pairs of commands of the richest story.
func TestTwoDeathsAreSurvived(t *testing.T) {
	do := tell(starting("f", "family"), calling("f", "e1", "left"), sending("f", "e2", "right"))
	for first := int64(1); first < 14; first += 2 {
		for second := int64(1); second < 12; second += 3 {
			synctest.Test(t, func(t *testing.T) {
				data := newData(t)
				mortal(t, data, first, do)
				mortal(t, data, second, do)
				r := start(t, data, Config{}, nil)
				do(r.Runtime)
				e, err := r.Wait(bg, "f", nil)
				require.NoError(t, err, fmt.Sprint(first, second))
				assert.Equal(t, []string{"good"}, e.Active)
				r.idle()
				r.end()
			})
		}
	}
}

func rawEntry(id, name string) store.InboxEntry {
	ev, err := execution.NewEvent(id, name, nil)
	if err != nil {
		panic(err)
	}
	return store.InboxEntry{ID: id, At: time.Now(), Event: ev.Encode()}
}

func ignore(err, ignored error) error {
	if errors.Is(err, ignored) {
		return nil
	}
	return err
}

func sleepFor(ctx context.Context, d time.Duration) error {
	if !sleep(ctx, d) {
		return context.Cause(ctx)
	}
	return nil
}
