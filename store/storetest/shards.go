package storetest

import (
	"fmt"
	"slices"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/durachart/durachart/store"
)

// shardCases are those of store.Shards (D1, D58 to D63).
var shardCases = []Case{
	{ID: "SH1", Says: "32 acquirers of 256 shards: every shard has one owner", run: manyAcquirers},
	{ID: "SH2", Says: "a held lease is not taken, an expired one is, and its fence has grown; owner text that begins with $ is plain text", run: heldAndExpired},
	{ID: "SH3", Says: "renew keeps exactly ours; a shard that another took is reported lost and the rest is renewed", run: renewKeepsOurs},
	{ID: "SH4", Says: "release frees ours at once, nobody else's, twice is harmless", run: releaseOurs},
	{ID: "SH5", Says: "process clocks wrong by 5 minutes either way change nothing; Survey tells live from expired by the server's clock", run: wrongClocks, needs: needAttach},
	{ID: "SH6", Says: "16 first starts at once make one meta and N shards; another shard count is ErrMisconfigured", run: firstStarts, needs: needAttach,
		options: Options{Shards: 32}},
	{ID: "SH7", Says: "three processes settle at fair shares; one dies, and all shards are served again within the ttl and a second", run: fairShares},
}

// ttl of the stories: long enough that nothing expires unless the story waits.
const (
	longTTL  = time.Hour
	shortTTL = store.MinLeaseTTL
)

func numbers(n int) []int {
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	return all
}

func shardsOf(leases []store.Lease) []int {
	var all []int
	for _, l := range leases {
		all = append(all, l.Shard)
	}
	slices.Sort(all)
	return all
}

func (e *env) acquire(owner string, ttl time.Duration, shards ...int) store.Leases {
	e.Helper()
	held, err := e.AcquireShards(e.ctx, owner, shards, ttl)
	require.NoError(e, err)
	return held
}

func (e *env) survey() store.Survey {
	e.Helper()
	s, err := e.Survey(e.ctx)
	require.NoError(e, err)
	return s
}

func (e *env) lease(shard int) store.Lease {
	e.Helper()
	for _, l := range e.survey().Leases {
		if l.Shard == shard {
			return l
		}
	}
	e.Fatalf("no lease of shard %d", shard)
	return store.Lease{}
}

func manyAcquirers(e *env) {
	fresh := e.survey()
	require.Len(e, fresh.Leases, 256)
	for i, l := range fresh.Leases {
		assert.Equal(e, store.Lease{Shard: i, Until: time.UnixMilli(0).UTC()}, l, "D1: free, fence 0")
	}
	held := make([]store.Leases, 32)
	errs := race(32, func(i int) error {
		var err error
		held[i], err = e.AcquireShards(e.ctx, fmt.Sprint("owner", i), numbers(256), longTTL)
		return err
	})
	require.Len(e, successes(errs), 32)
	owners := map[int]string{}
	for i := range held {
		for _, l := range held[i].Held {
			assert.Empty(e, owners[l.Shard], "one owner only")
			owners[l.Shard] = fmt.Sprint("owner", i)
			assert.Equal(e, owners[l.Shard], l.Owner)
		}
	}
	require.Len(e, owners, 256)
	for _, l := range e.survey().Leases {
		assert.Equal(e, owners[l.Shard], l.Owner)
		assert.Equal(e, int64(1), l.Fence)
		assert.True(e, l.Live)
	}
}

func heldAndExpired(e *env) {
	sent := time.Now()
	first := e.acquire("$owner:one", shortTTL, 1, 2)
	require.Equal(e, []int{1, 2}, shardsOf(first.Held))
	assert.False(e, first.SentAt.Before(sent), "the local time at which it was sent")
	assert.False(e, first.SentAt.After(time.Now()))
	for _, l := range first.Held {
		assert.Equal(e, "$owner:one", l.Owner)
		assert.WithinDuration(e, first.ServerNow.Add(shortTTL), l.Until, 2*time.Second)
	}
	second := e.acquire("two", longTTL, 1, 2, 3)
	assert.Equal(e, []int{3}, shardsOf(second.Held), "a held lease is not taken")
	again := e.acquire("$owner:one", shortTTL, 1)
	assert.Equal(e, []int{1, 2}, shardsOf(again.Held), "all that it holds")
	assert.Equal(e, first.Held[0].Fence, e.lease(1).Fence, "its own lease neither")

	e.elapse(shortTTL + time.Second)
	assert.False(e, e.lease(1).Live)
	assert.Equal(e, "$owner:one", e.lease(1).Owner)
	second = e.acquire("two", longTTL, 1)
	assert.Equal(e, []int{1, 3}, shardsOf(second.Held))
	assert.Equal(e, first.Held[0].Fence+1, e.lease(1).Fence, "the fence has grown")
	assert.Equal(e, "$owner:one", e.lease(2).Owner, "only what was asked for")

	for _, bad := range []error{
		second1(e.AcquireShards(e.ctx, "", []int{1}, longTTL)), second1(e.AcquireShards(e.ctx, "x", []int{256}, longTTL)),
		second1(e.AcquireShards(e.ctx, "x", []int{1}, shortTTL-time.Millisecond)), second1(e.RenewShards(e.ctx, "x", []int{-1}, longTTL)),
	} {
		require.ErrorIs(e, bad, store.ErrInvalidArgument)
	}
}

// second1 is the error of a call.
func second1[T any](_ T, err error) error { return err }

func renewKeepsOurs(e *env) {
	e.acquire("a", shortTTL, 1, 2, 3)
	e.acquire("b", longTTL, 4)
	before := e.lease(4)
	for range 3 { // also when no time went by between two renewals
		renewed, err := e.RenewShards(e.ctx, "a", []int{1, 2, 3}, longTTL)
		require.NoError(e, err)
		assert.Equal(e, []int{1, 2, 3}, shardsOf(renewed.Held))
		for _, l := range renewed.Held {
			assert.WithinDuration(e, renewed.ServerNow.Add(longTTL), l.Until, 2*time.Second)
			assert.Equal(e, int64(1), l.Fence, "a renewal is no acquisition")
		}
	}
	assert.Equal(e, before, e.lease(4), "b's lease stays as it is")

	// An expired lease that still names us may be renewed: nobody held it in between.
	_, err := e.RenewShards(e.ctx, "a", []int{1, 2, 3}, shortTTL)
	require.NoError(e, err)
	e.elapse(shortTTL + time.Second)
	_, err = e.RenewShards(e.ctx, "a", []int{1, 2, 3}, shortTTL)
	require.NoError(e, err)

	// Another took one of them: the late holder learns it and takes nothing back.
	e.elapse(shortTTL + time.Second)
	e.acquire("b", longTTL, 2)
	left, err := e.RenewShards(e.ctx, "a", []int{1, 2, 3}, longTTL)
	require.ErrorIs(e, err, store.ErrLeaseLost)
	assert.Equal(e, []int{1, 3}, shardsOf(left.Held), "beside the rest, which is renewed")
	assert.Equal(e, "b", e.lease(2).Owner)
	assert.True(e, e.lease(1).Live)
	left, err = e.RenewShards(e.ctx, "nobody", nil, longTTL)
	require.NoError(e, err)
	assert.Empty(e, left.Held)
}

func releaseOurs(e *env) {
	e.acquire("a", longTTL, 1, 2, 3)
	e.acquire("b", longTTL, 4)
	require.NoError(e, e.Announce(e.ctx, store.Worker{Owner: "a", Name: "A", StartedAt: base}, longTTL))
	for range 2 {
		require.NoError(e, e.ReleaseShards(e.ctx, "a", []int{1, 4}))
		assert.False(e, e.lease(1).Live)
		assert.Empty(e, e.lease(1).Owner)
		assert.Equal(e, int64(1), e.lease(1).Fence, "the fence only grows")
		assert.Equal(e, "b", e.lease(4).Owner)
		assert.Equal(e, "a", e.lease(2).Owner)
	}
	assert.Equal(e, []int{1, 4}, shardsOf(e.acquire("b", longTTL, 1, 2).Held), "free at once")
	assert.Equal(e, int64(2), e.lease(1).Fence)
	assert.Len(e, e.survey().Workers, 1)

	require.NoError(e, e.ReleaseShards(e.ctx, "a", nil))
	require.NoError(e, e.ReleaseShards(e.ctx, "a", nil))
	assert.Empty(e, e.survey().Workers, "nil means all of them and the worker entry")
	assert.Equal(e, []int{1, 4}, shardsOf(e.acquire("b", longTTL).Held))
	assert.Equal(e, []int{1, 2, 3, 4}, shardsOf(e.acquire("b", longTTL, 2, 3).Held))
}

func wrongClocks(e *env) {
	early, late := e.options, e.options
	early.ClockSkew, late.ClockSkew = -5*time.Minute, 5*time.Minute
	behind, ahead := e.another(early), e.another(late)

	held, err := behind.AcquireShards(e.ctx, "behind", []int{1}, time.Minute)
	require.NoError(e, err)
	require.Equal(e, []int{1}, shardsOf(held.Held))
	assert.WithinDuration(e, e.survey().ServerNow.Add(time.Minute), e.lease(1).Until, 10*time.Second, "by the server's clock")
	held, err = ahead.AcquireShards(e.ctx, "ahead", []int{1, 2}, time.Minute)
	require.NoError(e, err)
	assert.Equal(e, []int{2}, shardsOf(held.Held), "a clock that is ahead takes nothing early")
	held, err = behind.AcquireShards(e.ctx, "behind", []int{1, 2}, time.Minute)
	require.NoError(e, err)
	assert.Equal(e, []int{1}, shardsOf(held.Held))
	_, err = ahead.RenewShards(e.ctx, "ahead", []int{2}, shortTTL)
	require.NoError(e, err)
	require.NoError(e, ahead.Announce(e.ctx, store.Worker{Owner: "ahead", Name: "A", StartedAt: base.Add(time.Microsecond)}, shortTTL))
	require.NoError(e, behind.Announce(e.ctx, store.Worker{Owner: "behind", Name: "B", StartedAt: base}, time.Minute))

	live := func() map[string]bool {
		s, err := behind.Survey(e.ctx)
		require.NoError(e, err)
		workers := map[string]bool{}
		for _, w := range s.Workers {
			workers[w.Owner] = w.Live
			assert.Equal(e, base, w.StartedAt)
		}
		for _, l := range s.Leases {
			if l.Owner != "" {
				assert.Equal(e, workers[l.Owner], l.Live, "shard %d", l.Shard)
			}
		}
		return workers
	}
	assert.Equal(e, map[string]bool{"ahead": true, "behind": true}, live())
	e.elapse(shortTTL + time.Second)
	assert.Equal(e, map[string]bool{"ahead": false, "behind": true}, live())
	held, err = behind.AcquireShards(e.ctx, "behind", []int{1, 2}, time.Minute)
	require.NoError(e, err)
	assert.Equal(e, []int{1, 2}, shardsOf(held.Held), "a clock that is behind takes it in time")
}

func firstStarts(e *env) {
	handles := make([]store.Store, 16)
	for i := range handles {
		handles[i] = e.another(e.options)
	}
	errs := race(len(handles), func(i int) error {
		info, err := handles[i].Ready(e.ctx)
		if err == nil && info.Shards != 32 {
			return fmt.Errorf("%d shards", info.Shards)
		}
		return err
	})
	require.Len(e, successes(errs), len(handles), "%v", errs)
	assert.Equal(e, numbers(32), shardsOf(e.survey().Leases))

	other := e.options
	other.Shards = 64
	_, err := e.another(other).Ready(e.ctx)
	require.ErrorIs(e, err, store.ErrMisconfigured)
	assert.Len(e, e.survey().Leases, 32)
}

// process is a lease holder that does what D63 says, one pass at a time.
type process struct {
	owner string
	held  []int
}

// pass renews, then takes free shards up to the fair share or gives back surplus.
func (p *process) pass(e *env, ttl time.Duration) {
	e.Helper()
	left, err := e.RenewShards(e.ctx, p.owner, p.held, ttl)
	require.NoError(e, err)
	p.held = shardsOf(left.Held)
	s := e.survey()
	var free []int
	live := map[string]bool{}
	for _, l := range s.Leases {
		if l.Live {
			live[l.Owner] = true
		} else {
			free = append(free, l.Shard)
		}
	}
	for _, w := range s.Workers {
		if w.Live {
			live[w.Owner] = true
		}
	}
	share := (len(s.Leases) + len(live) - 1) / max(1, len(live))
	switch {
	case len(p.held) < share:
		require.NoError(e, e.Announce(e.ctx, store.Worker{Owner: p.owner, Name: p.owner, StartedAt: base}, 2*ttl))
		wanted := free[:min(len(free), share-len(p.held))]
		p.held = shardsOf(e.acquire(p.owner, ttl, wanted...).Held)
	case len(p.held) > share:
		surplus := p.held[share:min(len(p.held), share+16)]
		require.NoError(e, e.ReleaseShards(e.ctx, p.owner, surplus))
		p.held = slices.Delete(p.held, share, share+len(surplus))
	}
}

func fairShares(e *env) {
	processes := []*process{{owner: "a"}, {owner: "b"}, {owner: "c"}}
	settle := func(processes ...*process) {
		for range 16 {
			for _, p := range processes {
				p.pass(e, shortTTL)
			}
		}
	}
	settle(processes[:1]...)
	assert.Len(e, processes[0].held, 256, "one alone owns all")
	require.NoError(e, e.Announce(e.ctx, store.Worker{Owner: "b", Name: "b", StartedAt: base}, longTTL))
	require.NoError(e, e.Announce(e.ctx, store.Worker{Owner: "c", Name: "c", StartedAt: base}, longTTL))
	settle(processes...)
	total := 0
	for _, p := range processes {
		assert.LessOrEqual(e, len(p.held), 86, "%s holds its fair share", p.owner)
		assert.GreaterOrEqual(e, len(p.held), 84)
		total += len(p.held)
	}
	assert.Equal(e, 256, total)

	// b dies, and its entry and leases expire.
	require.NoError(e, e.Announce(e.ctx, store.Worker{Owner: "b", Name: "b", StartedAt: base}, shortTTL))
	e.elapse(shortTTL + time.Second)
	settle(processes[0], processes[2])
	assert.Equal(e, 256, len(processes[0].held)+len(processes[2].held), "all shards are served again")
	for _, l := range e.survey().Leases {
		assert.Contains(e, []string{"a", "c"}, l.Owner)
	}
}
