package actor

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/durachart/durachart/store"
	"github.com/durachart/durachart/store/memstore"
)

// withFaults runs a story on a store that misbehaves.
func withFaults(t *testing.T, cfg Config, story func(r *rig, f *faulty)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		f := &faulty{}
		r := start(t, newData(t), cfg, f.wrap)
		story(r, f)
		r.end()
	})
}

func (f *faulty) wrap(s store.Store) store.Store {
	f.Store = s.(*memstore.Store)
	return f
}

// startFaulty starts a runtime on a store that misbehaves from the first moment.
func startFaulty(t *testing.T, f *faulty, before func(method, id string) error) *rig {
	t.Helper()
	f.script(before, nil)
	return start(t, newData(t), Config{}, f.wrap)
}

// down is a store that does not answer.
func down(string, string) error { return fmt.Errorf("test: %w", store.ErrUnavailable) }

// A store that is away for 30 s under load costs no event and no call: all wait on
// one prober, and go on when it is back.
func TestAnOutageCostsNothing(t *testing.T) {
	withFaults(t, Config{}, func(r *rig, f *faulty) {
		const n = 200
		for i := range n {
			r.begin(fmt.Sprint("c", i), "counter")
		}
		var asked atomic.Int32
		away := func(method, id string) error {
			asked.Add(1)
			return down(method, id)
		}
		f.script(away, nil)
		var wg sync.WaitGroup
		began := time.Now()
		for i := range n {
			wg.Go(func() {
				_, err := r.Call(bg, fmt.Sprint("c", i), Event{Name: "add"})
				assert.NoError(t, err)
			})
			wg.Go(func() {
				_, err := r.Send(bg, fmt.Sprint("c", i), Event{Name: "add"})
				assert.NoError(t, err)
			})
		}
		time.Sleep(30 * time.Second)
		assert.ErrorIs(t, r.Ready(bg), ErrUnavailable)
		assert.Less(t, asked.Load(), int32(2*n+100), "each asks once, then one asks for all")
		f.script(nil, nil)
		wg.Wait()
		assert.Less(t, time.Since(began), 31*time.Second, "back within a second")
		assert.NoError(t, r.Ready(bg))
		r.idle()
		for i := range n {
			assert.Len(t, r.seen(fmt.Sprint("c", i)), 2)
		}
	})
}

// A caller who gives up during an outage learns whether its event may have been
// applied. Nothing is lost or doubled when it asks again.
func TestACallerGivesUpDuringAnOutage(t *testing.T) {
	withFaults(t, Config{}, func(r *rig, f *faulty) {
		r.begin("hot", "counter")
		r.begin("cold", "counter")
		r.passivate()
		r.call("hot", "add")
		f.script(down, nil)
		ctx, cancel := context.WithTimeout(bg, 5*time.Second)
		defer cancel()
		var wg sync.WaitGroup
		wg.Go(func() {
			_, err := r.Call(ctx, "hot", Event{ID: "e1", Name: "add"})
			assert.ErrorIs(t, err, ErrUncertain, "its step was made")
			assert.ErrorIs(t, err, context.DeadlineExceeded)
		})
		wg.Go(func() {
			_, err := r.Call(ctx, "cold", Event{ID: "e1", Name: "add"})
			assert.ErrorIs(t, err, context.DeadlineExceeded)
			assert.NotErrorIs(t, err, ErrUncertain, "it was never stepped")
		})
		wg.Go(func() {
			_, err := r.Send(ctx, "cold", Event{ID: "e2", Name: "add"})
			assert.ErrorIs(t, err, context.DeadlineExceeded)
		})
		wg.Wait()
		f.script(nil, nil)
		time.Sleep(time.Minute)
		_, err := r.Call(bg, "hot", Event{ID: "e1", Name: "add"})
		require.NoError(t, err)
		assert.Len(t, r.seen("hot"), 2)
		assert.Empty(t, r.seen("cold"))
	})
}

// P10: a reply that was lost is not called a failure: the runtime looks, and the
// caller hears what is true.
func TestALostReplyIsLookedUp(t *testing.T) {
	for _, happened := range []bool{true, false} {
		t.Run(fmt.Sprint("happened=", happened), func(t *testing.T) {
			withFaults(t, Config{}, func(r *rig, f *faulty) {
				r.begin("c", "counter")
				var once sync.Once
				lose := func(method, id string) (err error) {
					if method == "commit" || method == "create" {
						once.Do(func() { err = &store.UncertainError{ID: id, Cause: context.DeadlineExceeded} })
					}
					return err
				}
				if happened {
					f.script(nil, lose)
				} else {
					f.script(lose, nil)
				}
				reply, err := r.Call(bg, "c", Event{ID: "e1", Name: "add"})
				require.NoError(t, err)
				if happened {
					assert.Equal(t, Known, reply.Disposition)
				} else {
					assert.Equal(t, Applied, reply.Disposition)
				}
				assert.Equal(t, []string{"e1"}, r.seen("c"))

				once = sync.Once{}
				_, err = r.Start(bg, StartRequest{ID: "d", Chart: "counter"})
				require.NoError(t, err)
				assert.EqualValues(t, 1, r.get("d").Revision)
				r.call("d", "add")
			})
		})
	}
}

// After a commit whose reply was lost nothing is handed to the relay from memory;
// what it emitted is found by the poll.
func TestEffectsOfALostReplyAreFoundByThePoll(t *testing.T) {
	withFaults(t, Config{}, func(r *rig, f *faulty) {
		r.begin("listener", "counter")
		r.begin("c", "counter")
		var once sync.Once
		f.script(nil, func(method, id string) (err error) {
			if method == "commit" && id == "c" {
				once.Do(func() { err = &store.UncertainError{ID: id, Cause: context.DeadlineExceeded} })
			}
			return err
		})
		r.call("c", "tell")
		r.idle()
		assert.Len(t, r.seen("listener"), 1)
	})
}

// A full inbox is told to the sender, and nothing is lost.
func TestAFullInboxIsBackpressure(t *testing.T) {
	within(t, Config{}, func(r *rig) {
		r.begin("c", "counter")
		_, err := r.Suspend(bg, "c")
		require.NoError(t, err)
		n := 0
		for ; n < 1000; n++ {
			if _, err = r.Send(bg, "c", Event{Name: "add"}); err != nil {
				break
			}
		}
		assert.ErrorIs(t, err, ErrBackpressure)
		_, err = r.Call(bg, "c", Event{Name: "add"})
		assert.ErrorIs(t, err, ErrBackpressure)
		_, err = r.Resume(bg, "c")
		require.NoError(t, err)
		r.idle()
		assert.Len(t, r.seen("c"), n)
	})
}

// An execution whose outbox is full waits until the relay has made room; nothing is
// lost, and operations go through.
func TestAFullOutboxIsWaitedFor(t *testing.T) {
	withFaults(t, Config{}, func(r *rig, f *faulty) {
		r.begin("listener", "counter")
		r.begin("c", "counter")
		f.script(func(method, id string) error {
			if method == "commit" && id == "c" {
				return store.ErrBackpressure
			}
			return nil
		}, nil)
		done := make(chan error, 1)
		go func() {
			_, err := r.Call(bg, "c", Event{Name: "tell"})
			done <- err
		}()
		time.Sleep(time.Minute)
		_, err := target{r.Runtime}.Deliver(bg, "c", []store.InboxEntry{entry(t, "x", "add")})
		assert.ErrorIs(t, err, store.ErrBackpressure, "a delivery does not wait for it")
		f.script(nil, nil)
		require.NoError(t, <-done)
		r.idle()
		assert.Len(t, r.seen("listener"), 1)
	})
}
