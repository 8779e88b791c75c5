package actor

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/durachart/durachart/store"
)

// half is the ownership of one of several processes: the shards that it holds, and
// whether what it finds in inboxes may have killed a process before.
type half struct {
	held   []int
	doubts bool
}

func (h half) owns(id string) bool {
	n := store.ShardOf(id, store.DefaultShards)
	return len(h.held) > 0 && h.held[0]%2 == n%2
}
func (h half) shards() []int                  { return h.held }
func (h half) suspect(string, time.Time) bool { return h.doubts }

// owning gives a runtime every second shard, from first.
func owning(first int) func(*Runtime) {
	return func(r *Runtime) {
		r.claim = func(n int) ownership {
			var held []int
			for s := first; s < n; s += 2 {
				held = append(held, s)
			}
			return half{held: held}
		}
	}
}

// Two processes that own half of the shards each: what is sent to either reaches
// the owner, in order, and callers hear the outcome wherever they are.
func TestCallsReachTheOwner(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		data := newData(t)
		a := start(t, data, Config{}, nil, owning(0))
		b := start(t, data, Config{}, nil, owning(1))
		for i := range 8 {
			a.begin(fmt.Sprint("c", i), "counter")
		}
		for i := range 8 {
			id := fmt.Sprint("c", i)
			for n, r := range []*rig{a, b} {
				for i := range 3 {
					_, err := r.Send(bg, id, Event{ID: fmt.Sprint(n, "send", i), Name: "add"})
					require.NoError(t, err)
					reply, err := r.Call(bg, id, Event{ID: fmt.Sprint(n, "then", i), Name: "add"})
					require.NoError(t, err)
					assert.Equal(t, id, reply.ID)
					assert.Equal(t, StatusRunning, reply.Status)
				}
			}
			seen := a.seen(id)
			assert.Len(t, seen, 12)
			for n := range 2 {
				mine := slices.DeleteFunc(slices.Clone(seen), func(e string) bool { return e[0] != byte('0'+n) })
				assert.Equal(t, []string{"send0", "then0", "send1", "then1", "send2", "then2"}, cut(mine), "the order of one sender")
			}
		}
		a.begin("f", "family")
		_, err := b.Call(bg, "f", Event{Name: "left"})
		require.NoError(t, err)
		_, err = a.Call(bg, "f", Event{Name: "right"})
		require.NoError(t, err)
		e, err := a.Wait(bg, "f", nil)
		require.NoError(t, err)
		assert.Equal(t, []string{"good"}, e.Active)
		a.end()
		b.end()
	})
}

// A call to an execution of another process: unknown, ended, held, and out of time.
func TestARemoteCallThatIsNotApplied(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		data := newData(t)
		a := start(t, data, Config{}, nil, owning(0))
		b := start(t, data, Config{}, nil, owning(1))
		synctest.Wait()
		id, other := "c", b.Runtime // c is in an even or odd shard
		if b.shards.owns(id) {
			other = a.Runtime
		}
		_, err := other.Call(bg, id, Event{Name: "add"})
		assert.ErrorIs(t, err, ErrNotFound)
		a.begin(id, "counter")
		_, err = a.Suspend(bg, id)
		require.NoError(t, err)
		reply, err := other.Call(bg, id, Event{Name: "add"})
		require.NoError(t, err)
		assert.Equal(t, Held, reply.Disposition)
		_, err = a.Resume(bg, id)
		require.NoError(t, err)
		a.idle()
		b.idle()

		ctx, cancel := context.WithTimeout(bg, time.Millisecond)
		defer cancel()
		_, err = other.Call(ctx, id, Event{ID: "late", Name: "slow"})
		assert.ErrorIs(t, err, ErrUncertain)
		assert.ErrorIs(t, err, context.DeadlineExceeded)
		reply, err = other.Call(bg, id, Event{ID: "late", Name: "slow"})
		require.NoError(t, err, "it was durable, and is applied once")
		var c tally
		decode(t, reply.Context(), &c)
		assert.Equal(t, 2, c.N)

		_, err = a.Terminate(bg, id, nil)
		require.NoError(t, err)
		_, err = other.Call(bg, id, Event{Name: "add"})
		assert.ErrorIs(t, err, ErrEnded)
		a.end()
		b.end()
	})
}

// D36: an event that was accepted before this owner came is counted before it is
// run, so that one which kills its process each time is parked in the end.
func TestAnEventThatKillsItsProcessIsParked(t *testing.T) {
	suspicious := func(r *Runtime) {
		claim := r.claim
		r.claim = func(n int) ownership { return half{held: claim(n).shards()[:1], doubts: true} }
	}
	synctest.Test(t, func(t *testing.T) {
		data := newData(t)
		first := start(t, data, Config{}, nil)
		id := ownID(0)
		first.begin(id, "counter")
		first.end()
		push(t, data, id, "e1", "add")
		push(t, data, id, "e2", "add")
		for tries := 1; tries <= 3; tries++ {
			f := &faulty{}
			r := start(t, data, Config{DrainTimeout: NoDrain}, f.wrap, suspicious, func(*Runtime) {
				f.script(func(method, _ string) error { // it dies with the event in hand
					if method == "commit" {
						<-time.After(time.Hour)
						return store.ErrClosed
					}
					return nil
				}, nil)
			})
			time.Sleep(time.Minute)
			synctest.Wait()
			entries, err := data.ReadInbox(bg, id, 10)
			require.NoError(t, err)
			assert.Equal(t, tries, entries[0].Attempts)
			r.cancel(errStopped)
			_ = r.Drain(bg)
			<-r.ended
		}
		r := start(t, data, Config{}, nil, suspicious)
		time.Sleep(10 * time.Second)
		synctest.Wait()
		e := r.get(id)
		require.NotNil(t, e.Parked)
		assert.Equal(t, "e1", e.Parked.EventID)
		assert.Equal(t, reasonKilled, e.Parked.Reason)
		r.end()
	})
}

// cut cuts the sender off event ids.
func cut(ids []string) (rest []string) {
	for _, id := range ids {
		rest = append(rest, id[1:])
	}
	return rest
}

// ownID is an id in that shard.
func ownID(shard int) string {
	for i := 0; ; i++ {
		if id := fmt.Sprint("x", i); store.ShardOf(id, store.DefaultShards) == shard {
			return id
		}
	}
}
