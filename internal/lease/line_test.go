package lease_test

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/durachart/durachart/store"
	"github.com/durachart/durachart/store/memstore"
)

// condition is how a process, or its line to the store, is.
type condition int

const (
	well    condition = iota
	refused           // the store refuses each command at once
	hanging           // nothing answers
	deaf              // commands arrive, replies do not
	frozen            // the process is stopped: it does nothing, and its contexts do not end
	dead              // the process is no more
)

// line leads from a process to the store. What comes over it can be disturbed.
type line struct {
	*memstore.Store
	p     *process
	owner string
	skew  time.Duration // of the local clock

	mu    sync.Mutex
	how   condition
	thawn chan struct{} // closed when it is not frozen any more
	sent  []string      // the commands that arrived, in order
	// once and always say what becomes of the next command of a name and of all of them,
	// hooks and behind what is done before it is sent and after it was carried out.
	once, always  map[string]condition
	hooks, behind map[string]func()
	fail          error // of each command, if set
}

func newLine(p *process, s *memstore.Store) *line {
	return &line{Store: s, p: p, once: map[string]condition{}, always: map[string]condition{}, hooks: map[string]func(){}, behind: map[string]func(){}}
}

// cut changes how the line is. The world counts that as a disturbance.
func (l *line) cut(how condition) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.how == dead {
		return
	}
	if l.how == frozen {
		close(l.thawn)
	}
	if how == frozen {
		l.thawn = make(chan struct{})
	}
	l.how = how
}

func (l *line) is(how condition) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.how == how
}

// before has f called before the next command of that name is sent.
func (l *line) before(name string, f func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.hooks[name] = f
}

// after has f called when the next command of that name has been carried out, before its
// reply arrives.
func (l *line) after(name string, f func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.behind[name] = f
}

// then has the next command of that name go as said.
func (l *line) then(name string, how condition) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.once[name] = how
}

// each has all commands of that name go as said, until that is well.
func (l *line) each(name string, how condition) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.always[name] = how
}

// failWith has every command fail from now on.
func (l *line) failWith(err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.fail = err
}

// pass waits while the process is frozen.
func (l *line) pass() condition {
	for {
		l.mu.Lock()
		how, thawn := l.how, l.thawn
		l.mu.Unlock()
		if how != frozen {
			return how
		}
		<-thawn
	}
}

// commands returns what arrived since the last call.
func (l *line) commands() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	sent := l.sent
	l.sent = nil
	return sent
}

// send sends a command as the line is now.
func (l *line) send(ctx context.Context, name string, command func(ctx context.Context) error) error {
	l.mu.Lock()
	hook := l.hooks[name]
	delete(l.hooks, name)
	l.mu.Unlock()
	if hook != nil {
		hook()
	}
	how := l.pass()
	l.mu.Lock()
	once, spoilt := l.once[name]
	if spoilt = spoilt && how == well; spoilt {
		how = once
		delete(l.once, name)
	}
	if constant, ok := l.always[name]; ok && how == well {
		how = constant
	}
	fail := l.fail
	if how == well || how == deaf {
		l.sent = append(l.sent, name)
	}
	l.mu.Unlock()
	if spoilt {
		l.p.w.disturb()
		defer l.p.w.disturb()
	}
	defer l.p.w.look()
	defer l.pass()
	defer l.arrived(name)
	if fail != nil {
		return fail
	}
	switch how {
	case dead:
		return store.ErrClosed
	case refused:
		return store.ErrUnavailable
	case hanging:
		<-ctx.Done()
		return &store.UncertainError{Cause: ctx.Err()}
	case deaf:
		if err := command(ctx); err != nil {
			return err
		}
		<-ctx.Done()
		return &store.UncertainError{Cause: ctx.Err()}
	}
	return command(ctx)
}

// arrived calls what after said.
func (l *line) arrived(name string) {
	l.mu.Lock()
	f := l.behind[name]
	delete(l.behind, name)
	l.mu.Unlock()
	if f != nil {
		f()
	}
}

func (l *line) Announce(ctx context.Context, w store.Worker, ttl time.Duration) error {
	return l.send(ctx, "announce", func(ctx context.Context) error {
		w.StartedAt = w.StartedAt.Add(l.skew)
		return l.Store.Announce(ctx, w, ttl)
	})
}

func (l *line) Survey(ctx context.Context) (s store.Survey, err error) {
	err = l.send(ctx, "survey", func(ctx context.Context) error {
		s, err = l.Store.Survey(ctx)
		return err
	})
	if err != nil {
		return store.Survey{}, err
	}
	return s, nil
}

func (l *line) AcquireShards(ctx context.Context, owner string, shards []int, ttl time.Duration) (store.Leases, error) {
	return l.leases(ctx, "acquire", func(ctx context.Context) (store.Leases, error) {
		return l.Store.AcquireShards(ctx, owner, shards, ttl)
	})
}

func (l *line) RenewShards(ctx context.Context, owner string, held []int, ttl time.Duration) (store.Leases, error) {
	return l.leases(ctx, "renew", func(ctx context.Context) (store.Leases, error) {
		return l.Store.RenewShards(ctx, owner, held, ttl)
	})
}

func (l *line) leases(ctx context.Context, name string, command func(context.Context) (store.Leases, error)) (got store.Leases, err error) {
	err = l.send(ctx, name, func(ctx context.Context) error {
		got, err = command(ctx)
		got.SentAt = got.SentAt.Round(0).Add(l.skew) // what the local clock shows
		return err
	})
	return got, err
}

func (l *line) ReleaseShards(ctx context.Context, owner string, shards []int) error {
	return l.send(ctx, "release", func(ctx context.Context) error {
		l.p.mu.Lock()
		for shard, ph := range l.p.phase {
			if given := shards == nil || slices.Contains(shards, shard); given && ph != away && !l.p.careless {
				l.p.w.Errorf("%s gives shard %d back while something runs in it", l.p.name, shard)
			}
		}
		l.p.mu.Unlock()
		return l.Store.ReleaseShards(ctx, owner, slices.Clone(shards))
	})
}
