// Package proto runs entries of a gate as actors of protoactor-go.
//
// The library is used for one thing, a mailbox run per actor, and kept away from
// what loses messages in it: nothing is ever queued in a mailbox but the one token
// of a run, actors have generated names, are stopped when nothing is posted, and
// never panic into the library. Its logger discards, its metrics are off.
package proto

import (
	"log/slog"
	"sync"

	"github.com/asynkron/protoactor-go/actor"

	"github.com/durachart/durachart/actor/internal/gate"
)

// spare bounds the actors that are kept for reuse.
const spare = 1024

// System implements [gate.Mailboxes].
//
// An actor that the gate stops is kept for the next Spawn, up to a bound: an actor
// has no state but what it runs, nothing is posted to it at that moment, and
// making one costs as much as a step.
type System struct {
	system  *actor.ActorSystem
	props   *actor.Props
	workers workers

	mu     sync.Mutex
	spares []*handle
}

// New returns a system without actors that runs at most limit of them at one time.
// It has no goroutine of its own.
func New(limit int) *System {
	s := &System{workers: workers{limit: limit}}
	s.system = actor.NewActorSystem(actor.WithLoggerFactory(func(*actor.ActorSystem) *slog.Logger {
		return slog.New(slog.DiscardHandler)
	}))
	s.props = actor.PropsFromFunc(receive,
		actor.WithMailbox(actor.UnboundedLockfree()),
		actor.WithDispatcher(dispatcher{s}))
	return s
}

// handle is an actor with what it runs. It is also the token that is posted: the
// library treats a message by its type, and this one has no method that it knows.
type handle struct {
	pid *actor.PID
	run gate.Runner
}

// receive runs what was posted. The library's own messages (started, stopping,
// stopped) need nothing done.
func receive(ctx actor.Context) {
	if h, ok := ctx.Message().(*handle); ok {
		h.run.Run()
	}
}

// Spawn implements [gate.Mailboxes].
func (s *System) Spawn(run gate.Runner) gate.Handle {
	s.mu.Lock()
	if n := len(s.spares); n > 0 {
		h := s.spares[n-1]
		s.spares = s.spares[:n-1]
		s.mu.Unlock()
		h.run = run
		return h
	}
	s.mu.Unlock()
	return &handle{pid: s.system.Root.Spawn(s.props), run: run}
}

// Post implements [gate.Mailboxes].
func (s *System) Post(h gate.Handle) {
	hd := h.(*handle)
	s.system.Root.Send(hd.pid, hd)
}

// Stop implements [gate.Mailboxes].
func (s *System) Stop(h gate.Handle) {
	hd := h.(*handle)
	hd.run = nil
	s.mu.Lock()
	keep := len(s.spares) < spare
	if keep {
		s.spares = append(s.spares, hd)
	}
	s.mu.Unlock()
	if !keep {
		s.system.Root.Stop(hd.pid)
	}
}

// Leave says that the calling run waits for something other than its turn, so that
// another may run meanwhile. Enter must follow.
func (s *System) Leave() { s.workers.leave() }

// Enter takes a turn among the runs: again after Leave, or for work outside of an
// actor, which ends it by Leave.
func (s *System) Enter() { s.workers.enter() }

// Close stops the spare actors and waits until the goroutines of all have ended.
// The gate must have stopped every actor.
func (s *System) Close() {
	s.mu.Lock()
	for _, h := range s.spares {
		s.system.Root.Stop(h.pid)
	}
	s.spares = nil
	s.mu.Unlock()
	s.workers.close()
	s.system.Shutdown()
}

// dispatcher runs mailboxes on the workers.
type dispatcher struct{ s *System }

func (d dispatcher) Schedule(fn func()) { d.s.workers.do(fn) }

// Throughput is how many messages a mailbox handles before it lets others run. A
// mailbox here never holds more than a few.
func (d dispatcher) Throughput() int { return 300 }
