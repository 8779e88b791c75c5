package timer

import (
	"slices"
	"time"
)

// record is what is known of the timers of one execution.
type record struct {
	id      string
	version int64 // of the execution at which this was so
	shard   int
	nodes   []*node
}

// state says where a node is.
type state uint8

const (
	turning state = iota // in the wheel
	ready                // in the queue of due timers
	flying               // handed to the runtime, done not called yet
	blocked              // due, while an earlier date of the same timer is flying
	dropped              // nowhere any more
)

// node returns the timer name, or nil.
func (r *record) node(name string) *node {
	i := slices.IndexFunc(r.nodes, func(n *node) bool { return n.name == name })
	if i < 0 {
		return nil
	}
	return r.nodes[i]
}

// key names a timer.
type key struct{ id, name string }

func (n *node) key() key { return key{n.rec.id, n.name} }

// learn replaces what is known of an execution by timers, unless that is of a later
// version. Timers from the frontier on are left to the store. It is called with mu held.
func (s *Service) learn(id string, version int64, shard int, timers map[string]time.Time) {
	rec := s.records[id]
	if rec == nil && len(timers) == 0 {
		return
	}
	if rec == nil {
		rec = &record{id: id}
		s.records[id] = rec
	} else if version < rec.version {
		return
	}
	rec.version, rec.shard = version, shard
	for _, n := range slices.Clone(rec.nodes) {
		if at, armed := timers[n.name]; !armed || at.UnixMilli() != n.due {
			s.drop(n)
		}
	}
	for name, at := range timers {
		if due := at.UnixMilli(); rec.node(name) == nil && due < s.accept {
			s.add(rec, name, due)
		}
	}
	s.forget(rec)
}

// add takes one timer in.
func (s *Service) add(rec *record, name string, due int64) {
	if s.held >= s.cfg.Held {
		s.shrink()
	}
	if s.held >= s.cfg.Held || due >= s.accept {
		s.narrow(due)
		return
	}
	n := &node{rec: rec, name: name, due: due, tick: due}
	rec.nodes = append(rec.nodes, n)
	s.records[rec.id] = rec // shrinking may have taken its last timer
	s.held++
	s.place(n)
}

// place puts n where its tick says.
func (s *Service) place(n *node) {
	n.state = turning
	if !s.wheel.insert(n) {
		s.due.push(n)
		s.nudge()
		return
	}
	if n.tick < s.sleepingUntil {
		s.nudge()
	}
}

// drop takes n out of everything.
func (s *Service) drop(n *node) {
	switch n.state {
	case turning:
		s.wheel.remove(n)
	case ready:
		s.due.remove(n)
	}
	s.dropped(n)
}

// dropped notes that n, which is in no structure any more, is given up.
func (s *Service) dropped(n *node) {
	if n.rests() {
		s.resting--
	}
	n.state = dropped
	n.rec.nodes = slices.DeleteFunc(n.rec.nodes, func(m *node) bool { return m == n })
	s.held--
}

// forget drops a record without timers.
func (s *Service) forget(rec *record) {
	if len(rec.nodes) == 0 && s.records[rec.id] == rec {
		delete(s.records, rec.id)
	}
}

// shrink makes room by a shorter horizon: the latest quarter goes and will be read
// again (D53).
func (s *Service) shrink() {
	keep := max(0, s.wheel.count-max(1, s.cfg.Held/4))
	s.narrow(s.wheel.cut(keep, func(n *node) {
		s.dropped(n)
		s.forget(n.rec)
	}))
}

// narrow states that timers from tick on may be unknown.
func (s *Service) narrow(tick int64) {
	if tick == 0 || tick >= s.accept {
		return // nothing was cut, or nothing that was known before
	}
	s.accept = tick
	s.frontier = min(s.frontier, tick)
	if !s.read.underWay {
		s.read.refillBelow = (s.held - s.resting) / 2
		poke(s.narrowed)
	}
}
