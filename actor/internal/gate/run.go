package gate

import (
	"fmt"
	"runtime/debug"

	"github.com/durachart/durachart/internal/logkey"
)

// start has e run if it does not, and unlocks its shard.
func (g *Gate) start(e *entry) {
	if e.running || e.paused {
		e.shard.mu.Unlock()
		return
	}
	e.running = true
	g.busy.Add(1)
	e.shard.mu.Unlock()
	if e.handle == nil { // ours: running was false
		e.handle = g.cfg.Mailboxes.Spawn(e)
	}
	g.cfg.Mailboxes.Post(e.handle)
}

// Run implements [Runner]: it runs e until it has nothing more to do.
func (e *entry) Run() {
	g := e.gate
	room := g.rooms.Get().(*[]*Call)
	g.run(e, *room)
	clear(*room)
	g.rooms.Put(room)
}

func (g *Gate) run(e *entry, room []*Call) {
	e.shard.mu.Lock()
	for {
		batch := e.take(room[:0], g.cfg.Batch, g.cfg.Size)
		wake := e.wake
		if len(batch) == 0 && !wake && !e.again {
			g.rest(e)
			return
		}
		e.wake = false
		e.shard.mu.Unlock()
		next := g.behave(e, batch, wake)
		e.shard.mu.Lock()
		e.giveBack(next.Back)
		e.again, e.leave = next.Again, next.Leave
		if next.Pause > 0 && g.pause(e, next.Pause) {
			return
		}
	}
}

// behave is Behavior.Run, that of a behavior which panicked included: its calls
// get ErrPanic, and a fresh one takes its place.
func (g *Gate) behave(e *entry, batch []*Call, wake bool) (next Next) {
	defer func() {
		if p := recover(); p != nil {
			g.cfg.Logger.Error("execution's behavior panicked, its copy is dropped",
				logkey.Execution, e.id, logkey.Error, fmt.Sprint(p), logkey.Stack, string(debug.Stack()))
			e.behavior = g.cfg.New(e.id)
			for _, c := range batch {
				c.Finish(fmt.Errorf("%w: %v", ErrPanic, p))
			}
			next = Next{}
		}
	}()
	return e.behavior.Run(batch, wake)
}

// rest ends the run of e and unlocks its shard. Passivation decides here, or in
// Sweep, under the lock under which calls are admitted.
func (g *Gate) rest(e *entry) {
	e.behavior.Rest()
	e.running = false
	e.last = g.now.Load()
	var gone Handle
	if e.leave || e.forget || g.active.Load() > int64(g.cfg.MaxActive) {
		gone = g.remove(e)
	}
	e.shard.mu.Unlock()
	if gone != nil {
		g.cfg.Mailboxes.Stop(gone)
	}
	g.calm()
}

// remove takes the idle e out of the map; the handle is to be stopped outside the
// lock.
func (g *Gate) remove(e *entry) Handle {
	delete(e.shard.entries, e.id)
	g.active.Add(-1)
	g.left.Add(1)
	return e.handle
}

// calm counts one busy entry less and tells those who wait for quiet.
func (g *Gate) calm() {
	if g.busy.Add(-1) != 0 {
		return
	}
	g.quietMu.Lock()
	if g.quiet != nil {
		close(g.quiet)
		g.quiet = nil
	}
	g.quietMu.Unlock()
}
