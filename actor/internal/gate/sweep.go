package gate

import "time"

// Sweep passivates what has been idle for Config.IdleAfter in the next part of
// the registry, 1/parts of it, and sets the coarse clock. Call it from one
// goroutine, every IdleAfter/parts or so.
func (g *Gate) Sweep(now time.Time, parts int) {
	g.now.Store(now.UnixNano())
	limit := now.Add(-g.cfg.IdleAfter).UnixNano()
	n := max(1, shards/parts)
	for range n {
		sh := &g.shards[g.swept.Add(1)%shards]
		var gone []Handle
		sh.mu.Lock()
		for _, e := range sh.entries {
			if e.last <= limit && e.idle() {
				gone = append(gone, g.remove(e))
			}
		}
		sh.mu.Unlock()
		g.stop(gone)
	}
}

// evictOne makes room: of some entries of the shard the one that is idle for
// longest goes. The shard is locked.
func (g *Gate) evictOne(sh *shard) {
	const sample = 8
	var oldest *entry
	looked := 0
	for _, e := range sh.entries {
		if e.idle() && (oldest == nil || e.last < oldest.last) {
			oldest = e
		}
		if looked++; looked == sample {
			break
		}
	}
	if oldest != nil {
		if h := g.remove(oldest); h != nil {
			g.cfg.Mailboxes.Stop(h)
		}
	}
}

func (g *Gate) stop(handles []Handle) {
	for _, h := range handles {
		if h != nil { // an entry that was offered and never ran
			g.cfg.Mailboxes.Stop(h)
		}
	}
}

// Forget passivates the entries that match: now if they are idle, else when they
// get idle.
func (g *Gate) Forget(match func(id string) bool) {
	for i := range g.shards {
		sh := &g.shards[i]
		var gone []Handle
		sh.mu.Lock()
		for id, e := range sh.entries {
			switch {
			case !match(id):
			case e.idle():
				gone = append(gone, g.remove(e))
			default:
				e.forget = true
			}
		}
		sh.mu.Unlock()
		g.stop(gone)
	}
}

// Active is the number of entries in memory, Busy of those that run, Passivated
// of those that went.
func (g *Gate) Active() int { return int(g.active.Load()) }

// Busy is the number of entries that run or are about to.
func (g *Gate) Busy() int { return int(g.busy.Load()) }

// Paused is the number of entries that rest in a pause.
func (g *Gate) Paused() int { return int(g.paused.Load()) }

// Passivated is the number of entries that have left memory so far.
func (g *Gate) Passivated() int64 { return g.left.Load() }
