package actor

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/durachart/durachart/store"
)

// moody makes a store lose replies, lose commands, refuse and stall, at random.
func moody(seed uint64) func(method, id string) error {
	var mu sync.Mutex
	r := rand.New(rand.NewPCG(seed, 1))
	return func(method, id string) error {
		mu.Lock()
		n := r.IntN(100)
		mu.Unlock()
		switch {
		case n < 3 && (method == "commit" || method == "create" || method == "push"):
			return &store.UncertainError{ID: id, Cause: context.DeadlineExceeded}
		case n < 5:
			return down(method, id)
		case n < 6 && (method == "commit" || method == "push"):
			return fmt.Errorf("test: %w", store.ErrBackpressure)
		case n < 8:
			time.Sleep(time.Duration(n) * time.Millisecond)
		}
		return nil
	}
}

// Two processes that both run everything, over a store that fails at random, while
// executions leave memory, are suspended and resumed, and clients give up and come
// back: at the end every event was applied exactly once, and in the order of its
// sender; every commit is one version; every family has ended as it must.
func TestNothingIsLostOrDoubled(t *testing.T) {
	for seed := range uint64(12) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) { synctest.Test(t, func(t *testing.T) { chaos(t, seed) }) })
	}
}

func chaos(t *testing.T, seed uint64) {
	const senders, each, targets = 6, 25, 3
	data := newData(t)
	var rs []*rig
	var fs []*faulty
	for i := range 2 {
		f := &faulty{}
		mood := moody(seed*10 + uint64(i))
		f.script(mood, moody(seed*10+uint64(i)+5))
		fs = append(fs, f)
		rs = append(rs, start(t, data, Config{MailboxSize: 8, MaxActive: 4}, f.wrap))
	}
	for i := range targets {
		insist(t, func(ctx context.Context) error {
			_, err := rs[0].Start(ctx, StartRequest{ID: fmt.Sprint("c", i), Chart: "counter", RequestID: fmt.Sprint("s", i)})
			return err
		})
		insist(t, func(ctx context.Context) error {
			_, err := rs[1].Start(ctx, StartRequest{ID: fmt.Sprint("f", i), Chart: "family", RequestID: fmt.Sprint("s", i)})
			return err
		})
	}
	var wg sync.WaitGroup
	for s := range senders {
		r := rs[s%2]
		rnd := rand.New(rand.NewPCG(seed, uint64(s)))
		wg.Go(func() {
			for i := range each {
				for target := range targets {
					ev := Event{ID: fmt.Sprintf("%d-%03d", s, i), Name: "add"}
					call := rnd.IntN(2) == 0
					insist(t, func(ctx context.Context) (err error) {
						if call {
							_, err = r.Call(ctx, fmt.Sprint("c", target), ev)
						} else {
							_, err = r.Send(ctx, fmt.Sprint("c", target), ev)
						}
						return err
					})
				}
				if rnd.IntN(4) == 0 {
					r.gate.Forget(func(string) bool { return true })
				}
			}
		})
	}
	wg.Go(func() {
		for i := range 10 {
			id := fmt.Sprint("c", i%targets)
			insist(t, func(ctx context.Context) error {
				_, err := rs[i%2].Suspend(ctx, id, OperationID(fmt.Sprint("suspend", i)))
				return err
			})
			time.Sleep(50 * time.Millisecond)
			insist(t, func(ctx context.Context) error {
				_, err := rs[(i+1)%2].Resume(ctx, id, OperationID(fmt.Sprint("resume", i)))
				return err
			})
		}
	})
	for i := range targets {
		wg.Go(func() {
			for _, name := range []string{"left", "right"} {
				insist(t, func(ctx context.Context) error {
					_, err := rs[i%2].Call(ctx, fmt.Sprint("f", i), Event{ID: name, Name: name})
					return ignore(err, ErrEnded)
				})
			}
		})
	}
	wg.Wait()
	for _, f := range fs {
		f.script(nil, nil)
	}
	for range 2 {
		rs[0].idle()
		rs[1].idle()
	}
	commits := rs[0].Stats().Commits + rs[1].Stats().Commits
	for i := range targets {
		id := fmt.Sprint("c", i)
		seen := rs[0].seen(id)
		assert.Len(t, seen, senders*each, id)
		last := map[byte]string{}
		for _, e := range seen {
			assert.Less(t, last[e[0]], e, id)
			last[e[0]] = e
		}
		assert.Equal(t, []string{"good"}, rs[0].get(fmt.Sprint("f", i)).Active)
	}
	page, err := data.List(bg, store.Filter{}, store.Page{Limit: 100})
	require.NoError(t, err)
	versions := int64(0)
	for _, e := range page.Items {
		versions += e.Version
		entries, err := data.ReadInbox(bg, e.ID, 10)
		require.NoError(t, err)
		assert.Empty(t, entries, e.ID)
	}
	assert.GreaterOrEqual(t, versions, commits, "a commit is one version; those whose reply was lost are not counted")
	letters, err := data.ListDeadLetters(bg, store.DeadLetterFilter{}, store.Page{Limit: 100})
	require.NoError(t, err)
	assert.Empty(t, letters.Items)
	rs[0].end()
	rs[1].end()
}

// insist is a client that tries again with the same ids, after anything that passes.
func insist(t *testing.T, do func(ctx context.Context) error) {
	for tries := range 1000 {
		ctx, cancel := context.WithTimeout(bg, time.Second)
		err := do(ctx)
		cancel()
		switch {
		case err == nil:
			return
		case errors.Is(err, ErrUncertain), errors.Is(err, ErrBackpressure), errors.Is(err, ErrConflict),
			errors.Is(err, ErrUnavailable), errors.Is(err, context.DeadlineExceeded):
			time.Sleep(time.Duration(tries+1) * time.Millisecond)
		default:
			t.Errorf("client: %v", err)
			return
		}
	}
	t.Error("client: it does not end")
}
