package actor

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/durachart/durachart/actor/internal/gate"
	"github.com/durachart/durachart/actor/internal/proto"
	"github.com/durachart/durachart/execution"
	"github.com/durachart/durachart/internal/logkey"
	"github.com/durachart/durachart/relay"
	"github.com/durachart/durachart/store"
	"github.com/durachart/durachart/timer"
)

// Runtime runs executions. Make one with New. All methods are safe for concurrent
// use.
//
// Methods that need a running actor (Start, Send, Call, the control operations)
// wait until Run has made the store ready, or their context ends.
type Runtime struct {
	cfg    Config
	log    *slog.Logger
	charts charts
	host   execution.Host
	limits execution.Limits // of what callers send
	owner  string           // names this process, and this start of it
	clock  clock
	pace   pace
	prober prober
	stats  counters

	mailboxes *proto.System
	gate      *gate.Gate
	claim     func(shards int) ownership // takes the shards when the store is ready
	shards    ownership
	inbox     *inboxPoll
	watchers  watchers
	turns     sync.Pool

	relays atomic.Pointer[relay.Relay]   // the one that runs, or ran last
	timers atomic.Pointer[timer.Service] // likewise

	// ctx is that of all work; it ends with the runtime, after the drain.
	ctx    context.Context
	cancel context.CancelCauseFunc
	group  sync.WaitGroup // goroutines of the runtime, mailboxes aside

	running  atomic.Bool   // Run was called
	draining atomic.Bool   // no new work
	ready    chan struct{} // closed when the store is ready
	leave    chan struct{} // closed when a drain begins
	stopped  chan struct{} // closed when nothing runs any more
	drain    sync.Once
	failure  atomic.Pointer[error] // what Run returned
}

// New checks cfg and returns a Runtime that is not yet running. It does no I/O.
//
// It returns an ErrInvalidConfig that names every mistake at once, charts that
// call handlers which are not registered among them (S72).
func New(cfg Config) (*Runtime, error) {
	cfg = cfg.withDefaults()
	charts, wrong := register(cfg.Charts, cfg.Handlers)
	if err := invalidConfig(append(cfg.validate(), wrong...)); err != nil {
		return nil, err
	}
	r := &Runtime{
		cfg:     cfg,
		log:     cfg.Logger,
		charts:  charts,
		limits:  givenLimits(cfg.Limits),
		owner:   cfg.Name + ":" + store.NewCommitID(),
		claim:   func(n int) ownership { return newSole(n) },
		ready:   make(chan struct{}),
		leave:   make(chan struct{}),
		stopped: make(chan struct{}),
	}
	r.ctx, r.cancel = context.WithCancelCause(context.Background())
	r.host = execution.Host{
		Ctx: r.ctx, Handlers: cfg.Handlers, Charts: charts, Panicked: r.panicked, Trace: cfg.Trace, Limits: cfg.Limits,
	}
	r.clock.given = cfg.Clock
	r.prober = prober{probe: r.probe, ctx: r.ctx, group: &r.group}
	r.turns.New = func() any { return new(turn) }
	r.mailboxes = proto.New(cfg.Concurrency)
	r.gate = gate.New(gate.Config{
		Mailboxes: r.mailboxes,
		New:       r.newActivation,
		Size:      cfg.MailboxSize,
		Batch:     cfg.CommitBatch,
		IdleAfter: cfg.IdleAfter,
		MaxActive: cfg.MaxActive,
		Logger:    cfg.Logger,
	})
	r.inbox = newInboxPoll(r)
	return r, r.newParts()
}

// newParts makes a relay and a timer service, which run once each.
func (r *Runtime) newParts() error { return errors.Join(r.newRelay(), r.newTimer()) }

func (r *Runtime) newRelay() error {
	rel, err := relay.New(relay.Config{
		Source:  r.cfg.Store,
		Target:  target{r},
		Births:  births{r},
		Shards:  r.ownShards,
		Await:   func(ctx context.Context, _ error) error { return r.prober.wait(ctx) },
		Clock:   r.clock.now,
		Logger:  r.log,
		PollMin: r.cfg.PollMin,
		PollMax: r.cfg.PollMax,
	})
	if err != nil {
		return fmt.Errorf("%w: %w", ErrInvalidConfig, err)
	}
	r.relays.Store(rel)
	return nil
}

func (r *Runtime) newTimer() error {
	svc, err := timer.New(timer.Config{
		Source: r.cfg.Store,
		Target: target{r},
		Shards: r.ownShards,
		Await:  func(ctx context.Context, _ error) error { return r.prober.wait(ctx) },
		Clock:  r.clock.now,
		Logger: r.log,
	})
	if err != nil {
		return fmt.Errorf("%w: %w", ErrInvalidConfig, err)
	}
	r.timers.Store(svc)
	return nil
}

func (r *Runtime) relay() *relay.Relay   { return r.relays.Load() }
func (r *Runtime) timer() *timer.Service { return r.timers.Load() }

// ownShards are the shards of this process, none before the store is ready.
func (r *Runtime) ownShards() []int {
	select {
	case <-r.ready:
		return r.shards.shards()
	default:
		return nil
	}
}

// errStopped is the cause of the end of all work.
var errStopped = errors.New("actor: runtime stopped")

// stopping returns the cause if all work has been cut off.
func (r *Runtime) stopping() error { return context.Cause(r.ctx) }

// enter waits until calls can be served.
func (r *Runtime) enter(ctx context.Context) error {
	if r.draining.Load() {
		return r.refusal()
	}
	select {
	case <-r.ready:
		return nil
	default:
	}
	select {
	case <-r.ready:
		return nil
	case <-r.leave:
		return r.refusal()
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// refusal is why no new work is taken: ErrDraining, with what Run failed with.
func (r *Runtime) refusal() error {
	if failed := r.failure.Load(); failed != nil && *failed != nil {
		return fmt.Errorf("%w: %w", ErrDraining, *failed)
	}
	return ErrDraining
}

// waitForStore waits until the store answers again; other executions run meanwhile.
func (r *Runtime) waitForStore() error {
	r.mailboxes.Leave()
	defer r.mailboxes.Enter()
	return r.prober.wait(r.ctx)
}

// pauseFor waits for d; other executions run meanwhile. It is false if the runtime
// stops.
func (r *Runtime) pauseFor(d time.Duration) bool {
	r.mailboxes.Leave()
	defer r.mailboxes.Enter()
	return sleep(r.ctx, d)
}

// panicked logs the stack of a handler that panicked: to the chart it is an error
// like others.
func (r *Runtime) panicked(p execution.Panic) {
	r.log.Error("handler panicked", logkey.Execution, p.Execution, logkey.Event, p.Event,
		logkey.Action, p.Handler, logkey.Error, fmt.Sprint(p.Value), logkey.Stack, p.Stack)
}
