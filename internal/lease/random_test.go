package lease_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/durachart/durachart/internal/lease"
)

// Whatever happens to the processes and to the store, in whatever order: no two
// processes ever believe in one shard at one instant, no shard is without a process for
// longer than the ttl and a second after the last thing that happened, Gained and Lost
// come in turns, nothing is given back that runs, and once it is quiet the shares are
// fair. The world looks (see there).
func TestRandomSchedules(t *testing.T) {
	seeds := uint64(24)
	if testing.Short() {
		seeds = 6
	}
	for seed := range seeds {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			t.Parallel()
			in(t, 32, func(w *world) { newMischief(w, seed).run(40) })
		})
	}
}

// mischief does things to a world at random.
type mischief struct {
	*world
	*rand.Rand
	started int
}

func newMischief(w *world, seed uint64) *mischief {
	return &mischief{world: w, Rand: rand.New(rand.NewPCG(seed, 5))}
}

func (m *mischief) run(steps int) {
	for range 3 {
		m.begin()
	}
	for range steps {
		pass(time.Duration(m.Int64N(int64(ttl / 2))))
		m.step()
	}
	for _, p := range m.all() {
		if p.is(frozen) || p.is(refused) || p.is(hanging) {
			p.cut(well)
			m.disturb()
		}
	}
	m.begin() // so that there is one, whoever is leaving
	m.within(5*time.Minute, "fair shares", m.fair)
}

// begin starts a process that may be slow to stop.
func (m *mischief) begin() {
	r := rand.New(rand.NewPCG(m.Uint64(), 7))
	slow := m.IntN(3) == 0
	m.started++
	m.start(fmt.Sprint("p", m.started), func(p *process, c *lease.Config) {
		p.skew = time.Duration(m.Int64N(int64(10*time.Minute))) - 5*time.Minute
		p.lost = func(ctx context.Context, _ []int) {
			if !slow {
				return
			}
			p.mu.Lock()
			d := time.Duration(r.Int64N(int64(ttl / 4)))
			p.mu.Unlock()
			time.Sleep(d)
		}
	})
}

// living are the processes that are neither dead nor gone.
func (m *mischief) living() (all []*process) {
	for _, p := range m.all() {
		if !p.is(dead) && !p.hasEnded() {
			all = append(all, p)
		}
	}
	return all
}

func (m *mischief) step() {
	living := m.living()
	if len(living) < 2 {
		m.begin()
		return
	}
	p := living[m.IntN(len(living))]
	hows := []condition{refused, hanging, deaf}
	switch m.IntN(8) {
	case 0, 1:
		if len(living) < 6 {
			m.begin()
		}
	case 2:
		p.kill()
	case 3:
		go func() { _ = p.Release(context.Background()) }()
	case 4:
		m.forAWhile(p, frozen)
	case 5:
		m.forAWhile(p, hows[m.IntN(2)])
	case 6: // all of them at once
		how, long := hows[m.IntN(2)], m.while()
		for _, p := range living {
			m.cutFor(p, how, long)
		}
	case 7:
		commands := []string{"renew", "survey", "announce", "acquire", "release"}
		p.then(commands[m.IntN(len(commands))], hows[m.IntN(3)])
	}
}

func (m *mischief) while() time.Duration { return time.Duration(m.Int64N(int64(3 * ttl))) }

func (m *mischief) forAWhile(p *process, how condition) { m.cutFor(p, how, m.while()) }

// cutFor disturbs a process, unless it is disturbed already.
func (m *mischief) cutFor(p *process, how condition, long time.Duration) {
	if !p.is(well) {
		return
	}
	m.disturb()
	p.cut(how)
	time.AfterFunc(long, func() {
		if p.is(how) {
			p.cut(well)
			m.disturb()
		}
	})
}
