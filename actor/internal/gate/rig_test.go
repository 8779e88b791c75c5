package gate_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/durachart/durachart/actor/internal/gate"
	"github.com/durachart/durachart/actor/internal/proto"
)

// behaviour runs each call through do, in order, and answers what it returns.
type behaviour struct {
	id string
	do func(id string, c *gate.Call) error
}

func (b behaviour) Run(calls []*gate.Call, _ bool) gate.Next {
	for _, c := range calls {
		if c.Claim() {
			c.Finish(b.do(b.id, c))
		}
	}
	return gate.Next{}
}

func (behaviour) Rest() {}

// runFunc is a behaviour that decides everything itself.
type runFunc func(calls []*gate.Call, wake bool) gate.Next

func (f runFunc) Run(calls []*gate.Call, wake bool) gate.Next { return f(calls, wake) }

func (runFunc) Rest() {}

// open returns a gate over real actors, and closes both at the end of the test.
func open(t *testing.T, cfg gate.Config) *gate.Gate {
	t.Helper()
	mailboxes := proto.New(64)
	cfg.Mailboxes = mailboxes
	if cfg.Size == 0 {
		cfg.Size = 64
	}
	if cfg.Batch == 0 {
		cfg.Batch = 16
	}
	if cfg.IdleAfter == 0 {
		cfg.IdleAfter = time.Hour
	}
	if cfg.MaxActive == 0 {
		cfg.MaxActive = 1 << 20
	}
	g := gate.New(cfg)
	t.Cleanup(func() {
		g.Close()
		mailboxes.Close()
	})
	return g
}

// doing makes a gate whose executions do f.
func doing(t *testing.T, cfg gate.Config, f func(id string, c *gate.Call) error) *gate.Gate {
	cfg.New = func(id string) gate.Behavior { return behaviour{id, f} }
	return open(t, cfg)
}

// sweeping sweeps until the test ends, every interval.
func sweeping(t *testing.T, g *gate.Gate, interval time.Duration) {
	stop := make(chan struct{})
	var wg sync.WaitGroup
	wg.Go(func() {
		tick := time.NewTicker(interval)
		defer tick.Stop()
		for {
			select {
			case now := <-tick.C:
				g.Sweep(now, 1)
			case <-stop:
				return
			}
		}
	})
	t.Cleanup(func() { close(stop); wg.Wait() })
}

// blocker lets calls in one by one.
type blocker struct {
	entered chan struct{}
	release chan struct{}
}

func newBlocker() *blocker {
	return &blocker{make(chan struct{}, 1000), make(chan struct{})}
}

func (b *blocker) do(string, *gate.Call) error {
	b.entered <- struct{}{}
	<-b.release
	return nil
}

var bg = context.Background()
