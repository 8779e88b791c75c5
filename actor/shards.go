package actor

import "time"

// ownership says which shards this process runs. Every poll carries its shards,
// and what belongs to another one's goes through the store. Correctness never
// rests on it: the compare-and-set decides (D62).
//
// All methods are quick and do no I/O.
type ownership interface {
	// owns reports whether the execution id is run here.
	owns(id string) bool
	// shards are the owned ones, in ascending order, for reading only.
	shards() []int
	// suspect reports whether an entry that was accepted at that time may have
	// killed an earlier owner of id (D36).
	suspect(id string, accepted time.Time) bool
}

// sole is the ownership of a process that is alone: it runs everything, and
// nobody was here before.
type sole []int

func newSole(n int) sole {
	all := make(sole, n)
	for i := range all {
		all[i] = i
	}
	return all
}

func (s sole) owns(string) bool               { return true }
func (s sole) shards() []int                  { return s }
func (s sole) suspect(string, time.Time) bool { return false }
